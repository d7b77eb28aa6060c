package main

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

// Book is the resource of the service.
type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200"`
}

// newAPI returns an API that records a span and metrics for each request.
func newAPI(spans trace.TracerProvider, metrics metric.MeterProvider) (*resource.API, error) {
	observer, err := newTelemetry(spans, metrics)
	if err != nil {
		return nil, err
	}
	return resource.New(
		resource.Config{Observers: []observe.Observer{observer}},
		resource.Of[Book]{Description: "A book on sale.", Prepare: noteTitle},
	)
}

// noteTitle shows that the context of hooks contains the request's span. Spans started with this context are its
// children.
func noteTitle(ctx context.Context, _ *operation.Request, book *Book) error {
	trace.SpanFromContext(ctx).SetAttributes(attribute.Int("book.title.length", len(book.Title)))
	return nil
}
