package observeotel

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/httpconv"
	"go.opentelemetry.io/otel/trace"

	"github.com/trove-api/trove/operation/observe"
)

// Requests returns an observer for resource.Config.Observers. It records a span for each request, with the steps as events,
// and the histogram http.server.request.duration in seconds, by method, route and status. The span is a child of the one that
// a middleware has started, otherwise of the one that the header fields of the request name (W3C Trace Context). The context
// of hooks, handlers and stores has it. A nil provider is the global one. The error is that of the meter.
func Requests(spans trace.TracerProvider, metrics metric.MeterProvider) (observe.Observer, error) {
	tracer, meter := instruments(spans, metrics)
	duration, err := httpconv.NewServerRequestDuration(meter)
	if err != nil {
		return nil, err
	}
	return &requests{
		tracer:     tracer,
		propagator: propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}),
		duration:   duration,
	}, nil
}

// instruments returns the tracer and the meter of the package.
func instruments(spans trace.TracerProvider, metrics metric.MeterProvider) (trace.Tracer, metric.Meter) {
	spans, metrics = cmp.Or(spans, otel.GetTracerProvider()), cmp.Or(metrics, otel.GetMeterProvider())
	return spans.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)), metrics.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL))
}

// requests is the observer of requests.
type requests struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
	duration   httpconv.ServerRequestDuration
}

// Begin starts the span.
func (o *requests) Begin(ctx context.Context, op observe.Operation, r *http.Request) context.Context {
	if !trace.SpanContextFromContext(ctx).IsValid() { // otherwise a middleware has started a span
		ctx = o.propagator.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	name := r.Method
	if !isKnown(name) {
		name = "HTTP"
	}
	if op.Route != "" {
		name += " " + op.Route
	}
	ctx, _ = o.tracer.Start(ctx, name, //nolint:spancheck // End ends it
		trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(labels(op, r)...))
	return ctx
}

// End records the duration and ends the span.
func (o *requests) End(ctx context.Context, outcome *observe.Outcome) {
	result := results(outcome)
	o.duration.RecordSet(ctx, outcome.Duration.Seconds(),
		attribute.NewSet(append(labels(outcome.Operation, outcome.Request), result...)...))
	span := trace.SpanFromContext(ctx)
	defer span.End()
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(result...)
	for _, step := range outcome.Steps {
		span.AddEvent(step.Name, trace.WithAttributes(attribute.Float64("duration", step.Duration.Seconds())))
	}
	if outcome.Incident != "" {
		span.SetAttributes(attribute.String("trove.incident", outcome.Incident))
	}
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

// isKnown keeps methods that clients invent out of names and attributes.
func isKnown(method string) bool {
	return slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"}, method)
}
