package main

import (
	"context"
	"errors"
	"io"

	"go.opentelemetry.io/otel/exporters/stdout/stdoutmetric"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// providers export spans and metrics. In production, use the exporters of package otlp here, and change nothing else.
type providers struct {
	spans   *trace.TracerProvider
	metrics *metric.MeterProvider
}

// newProviders returns providers that write JSON: spans in batches, and metrics each minute.
func newProviders(out io.Writer) (providers, error) {
	spans, err := stdouttrace.New(stdouttrace.WithWriter(out))
	if err != nil {
		return providers{}, err
	}
	metrics, err := stdoutmetric.New(stdoutmetric.WithWriter(out))
	if err != nil {
		return providers{}, err
	}
	service, err := resource.Merge(resource.Default(), resource.NewWithAttributes(semconv.SchemaURL, semconv.ServiceName("bookshop")))
	if err != nil {
		return providers{}, err
	}
	return providers{
		spans:   trace.NewTracerProvider(trace.WithBatcher(spans), trace.WithResource(service)),
		metrics: metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(metrics)), metric.WithResource(service)),
	}, nil
}

// shutdown writes what has not been written yet.
func (p providers) shutdown(ctx context.Context) error {
	return errors.Join(p.spans.Shutdown(ctx), p.metrics.Shutdown(ctx))
}
