package main

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/httpconv"
	"go.opentelemetry.io/otel/trace"

	"github.com/trove-api/trove/operation/observe"
)

// scope is the instrumentation scope of the spans and metrics: the package of this file.
const scope = "github.com/trove-api/trove/examples/opentelemetry"

// telemetry records a span and a duration for each request, named as in OpenTelemetry's semantic conventions for HTTP
// servers.
type telemetry struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
	duration   httpconv.ServerRequestDuration
}

func newTelemetry(spans trace.TracerProvider, metrics metric.MeterProvider) (*telemetry, error) {
	duration, err := httpconv.NewServerRequestDuration(metrics.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL)))
	return &telemetry{
		tracer:     spans.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)),
		propagator: propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}),
		duration:   duration,
	}, err
}

// Begin starts the span, as a child of the caller's span if the request names one.
func (t *telemetry) Begin(ctx context.Context, op observe.Operation, r *http.Request) context.Context {
	if !trace.SpanContextFromContext(ctx).IsValid() { // otherwise a middleware has started a span
		ctx = t.propagator.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	name, attributes := r.Method, append(labels(op, r), semconv.URLPath(r.URL.Path))
	if !isKnown(r.Method) {
		name, attributes = "HTTP", append(attributes, semconv.HTTPRequestMethodOriginal(r.Method))
	}
	if op.Route != "" {
		name += " " + op.Route
	}
	ctx, _ = t.tracer.Start(ctx, name, //nolint:spancheck // End ends it
		trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attributes...))
	return ctx
}

// End records the duration and ends the span.
func (t *telemetry) End(ctx context.Context, outcome *observe.Outcome) {
	result := results(outcome)
	t.duration.RecordSet(ctx, outcome.Duration.Seconds(),
		attribute.NewSet(append(labels(outcome.Operation, outcome.Request), result...)...))
	span := trace.SpanFromContext(ctx)
	defer span.End()
	span.SetAttributes(result...)
	for _, step := range outcome.Steps {
		span.AddEvent(step.Name, trace.WithAttributes(attribute.Float64("duration", step.Duration.Seconds())))
	}
	if outcome.Incident != "" {
		span.SetAttributes(attribute.String("trove.incident", outcome.Incident))
	}
	span.RecordError(outcome.Err)
	if failed(outcome) {
		span.SetStatus(codes.Error, "")
	}
}

// labels returns the attributes that are known when the request begins. Each has few values.
func labels(op observe.Operation, r *http.Request) []attribute.KeyValue {
	attributes := []attribute.KeyValue{semconv.HTTPRequestMethodOther, semconv.URLScheme("http")}
	if isKnown(r.Method) {
		attributes[0] = semconv.HTTPRequestMethodKey.String(r.Method)
	}
	if r.TLS != nil {
		attributes[1] = semconv.URLScheme("https")
	}
	if op.Route != "" {
		attributes = append(attributes, semconv.HTTPRoute(op.Route))
	}
	return attributes
}

// results returns the attributes of the response. Each has few values.
func results(outcome *observe.Outcome) (attributes []attribute.KeyValue) {
	if outcome.Status != 0 {
		attributes = append(attributes, semconv.HTTPResponseStatusCode(outcome.Status))
	}
	if outcome.Status >= http.StatusInternalServerError {
		return append(attributes, semconv.ErrorTypeKey.String(strconv.Itoa(outcome.Status)))
	}
	if failed(outcome) {
		return append(attributes, semconv.ErrorTypeOther)
	}
	return attributes
}

// failed reports whether the server failed: it returned a 5xx, broke the response off, or sent none. A 4xx is the
// client's fault.
func failed(outcome *observe.Outcome) bool {
	return outcome.Status >= http.StatusInternalServerError || outcome.Status == 0 || outcome.Incident != ""
}

// isKnown keeps methods that clients invent out of names and metrics.
func isKnown(method string) bool {
	return slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"}, method)
}
