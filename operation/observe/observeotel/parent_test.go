package observeotel_test

import (
	"context"
	"net/http"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"

	"github.com/trove-api/trove/operation"
)

const (
	callersTrace = "0af7651916cd43dd8448eb211c80319c"
	callersSpan  = "b7ad6b7169203331"
	traceparent  = "00-" + callersTrace + "-" + callersSpan + "-01"
)

func TestASpanIsAChildOfTheCallersSpan(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.send("GET /api/books/1", "", "Traceparent", traceparent)
	span := s.span()
	if parent := span.Parent; parent.SpanID().String() != callersSpan || !parent.IsRemote() || span.SpanContext.TraceID().String() != callersTrace {
		t.Errorf("the parent is %s, remote: %v, in the trace %s; want %s", parent.SpanID(), parent.IsRemote(), span.SpanContext.TraceID(), traceparent)
	}
}

func TestASpanIsTheFirstWithoutACaller(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string]string{"no traceparent": "", "a traceparent that is none": "00-xyz-01"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			s.send("GET /api/books/1", "", "Traceparent", sent)
			if span := s.span(); span.Parent.IsValid() || !span.SpanContext.IsValid() {
				t.Errorf("the parent is %v, want none", span.Parent)
			}
		})
	}
}

func TestASpanIsAChildOfTheMiddlewaresSpan(t *testing.T) {
	t.Parallel()
	var s service
	outer := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, span := s.provider.Tracer("test").Start(r.Context(), "outer")
			defer span.End()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
	s = start(t, nil, outer)
	s.send("GET /api/books/1", "", "Traceparent", traceparent)
	spans := s.ended() // the inner one ends first
	if len(spans) != 2 || spans[0].Parent.SpanID() != spans[1].SpanContext.SpanID() {
		t.Fatalf("the spans are %v, want that of the request below that of the middleware", spans)
	}
}

func TestHooksSeeTheSpan(t *testing.T) {
	t.Parallel()
	var s service
	s = start(t, func(ctx context.Context, _ *operation.Request, _ *Book) error {
		trace.SpanFromContext(ctx).SetAttributes(attribute.String("shop.shelf", baggage.FromContext(ctx).Member("shelf").Value()))
		_, span := s.provider.Tracer("test").Start(ctx, "look up the author")
		span.End()
		return nil
	})
	s.send("POST /api/books", `{"title":"Emma"}`, "Traceparent", traceparent, "Baggage", "shelf=7")
	spans := s.ended()
	if len(spans) != 2 || spans[0].Name != "look up the author" || spans[0].Parent.SpanID() != spans[1].SpanContext.SpanID() {
		t.Fatalf("the spans are %v, want that of the hook below that of the request", spans)
	}
	if got := texts(spans[1].Attributes)["shop.shelf"]; got != "7" {
		t.Errorf("the attribute of the hook is %q, want the caller's baggage", got)
	}
}
