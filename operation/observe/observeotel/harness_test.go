package observeotel_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/operation/observe/observeotel"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Book is the resource of the service.
type Book struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200"`
}

// service is a bookshop that collects its spans and metrics.
type service struct {
	t        *testing.T
	server   *httptest.Server
	provider *trace.TracerProvider
	spans    *tracetest.InMemoryExporter
	metrics  *metric.ManualReader
}

// start serves one book, at /api/books/1, with the hook and middleware of a test.
func start(t *testing.T, prepare func(context.Context, *operation.Request, *Book) error, middleware ...func(http.Handler) http.Handler) service {
	t.Helper()
	s := service{t: t, spans: tracetest.NewInMemoryExporter(), metrics: metric.NewManualReader()}
	s.provider = trace.NewTracerProvider(trace.WithSyncer(s.spans))
	observer, err := observeotel.Requests(s.provider, metric.NewMeterProvider(metric.WithReader(s.metrics)))
	if err != nil {
		t.Fatal(err)
	}
	api, err := resource.New(resource.Config{
		Observers:  []observe.Observer{observer},
		Middleware: middleware,
		Logger:     slog.New(slog.DiscardHandler),
	}, resource.Of[Book]{Store: memory.New(Book{Title: "Dune"}), Prepare: prepare})
	if err != nil {
		t.Fatal(err)
	}
	s.server = httptest.NewServer(api)
	t.Cleanup(s.server.Close)
	return s
}

// send sends a request, "GET /api/books", with a JSON body or "" and header fields as
// name, value, name, value. It returns the body of the response, or "" without one.
func (s service) send(request, body string, header ...string) string {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.server.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := s.server.Client().Do(r)
	if errors.Is(err, io.EOF) {
		return ""
	}
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// ended stops the server, because a span ends after its response, and returns all spans.
func (s service) ended() tracetest.SpanStubs {
	s.server.Close()
	return s.spans.GetSpans()
}

// span returns the span of the one request that was sent.
func (s service) span() tracetest.SpanStub {
	s.t.Helper()
	spans := s.ended()
	if len(spans) != 1 {
		s.t.Fatalf("there are %d spans, want one", len(spans))
	}
	return spans[0]
}

// durations stops the server and returns the recorded durations.
func (s service) durations() []metricdata.HistogramDataPoint[float64] {
	s.t.Helper()
	s.server.Close()
	var all metricdata.ResourceMetrics
	if err := s.metrics.Collect(s.t.Context(), &all); err != nil {
		s.t.Fatal(err)
	}
	if len(all.ScopeMetrics) != 1 || len(all.ScopeMetrics[0].Metrics) != 1 {
		s.t.Fatalf("the metrics are %v, want one", all.ScopeMetrics)
	}
	measured := all.ScopeMetrics[0].Metrics[0]
	histogram, ok := measured.Data.(metricdata.Histogram[float64])
	if !ok || measured.Name != "http.server.request.duration" || measured.Unit != "s" {
		s.t.Fatalf("the metric is %s in %s, a %T", measured.Name, measured.Unit, measured.Data)
	}
	return histogram.DataPoints
}
