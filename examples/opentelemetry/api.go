package main

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/operation/observe/observeotel"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// Book is the resource of the service.
type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200"`
}

// newAPI returns an API that records spans and metrics of its requests and statements.
func newAPI(ctx context.Context, db *sqlstore.DB, spans trace.TracerProvider, metrics metric.MeterProvider) (*resource.API, error) {
	if err := observeotel.Database(db, "books", spans, metrics); err != nil {
		return nil, err
	}
	requests, err := observeotel.Requests(spans, metrics)
	if err != nil {
		return nil, err
	}
	books := sqlstore.Table[Book](db)
	if err := db.Create(ctx, books); err != nil {
		return nil, err
	}
	return resource.New(
		resource.Config{Observers: []observe.Observer{requests}},
		resource.Of[Book]{Description: "A book on sale.", Prepare: noteTitle, Store: books},
	)
}

// noteTitle shows that the context of hooks contains the request's span. Spans started with this context are its
// children.
func noteTitle(ctx context.Context, _ *operation.Request, book *Book) error {
	trace.SpanFromContext(ctx).SetAttributes(attribute.Int("book.title.length", len(book.Title)))
	return nil
}
