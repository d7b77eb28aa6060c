package observeotel_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/operation/observe/observeotel"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type item struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank" api:"unique,filter"`
}

// stored is a service with items in SQLite.
func stored(t *testing.T) service {
	t.Helper()
	s := service{t: t, spans: tracetest.NewInMemoryExporter(), metrics: metric.NewManualReader()}
	s.provider = trace.NewTracerProvider(trace.WithSyncer(s.spans))
	meters := metric.NewMeterProvider(metric.WithReader(s.metrics))
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := observeotel.Database(db, "main", s.provider, meters); err != nil {
		t.Fatal(err)
	}
	requests, err := observeotel.Requests(s.provider, meters)
	if err != nil {
		t.Fatal(err)
	}
	items := sqlstore.Table[item](db)
	if err := db.Create(t.Context(), items); err != nil {
		t.Fatal(err)
	}
	config := resource.Config{Observers: []observe.Observer{requests}, Logger: slog.New(slog.DiscardHandler)}
	api, err := resource.New(config, resource.Of[item]{Store: items})
	if err != nil {
		t.Fatal(err)
	}
	first := httptest.NewRequestWithContext(t.Context(), "POST", "/api/items", strings.NewReader(`{"name":"Emma"}`))
	first.Header.Set("Content-Type", "application/json")
	api.ServeHTTP(httptest.NewRecorder(), first) // the first write checks the table
	s.spans.Reset()
	s.server = httptest.NewServer(api)
	t.Cleanup(s.server.Close)
	return s
}

func TestEachStatementIsASpanBelowThatOfItsRequest(t *testing.T) {
	t.Parallel()
	s := stored(t)
	s.send("POST /api/items", `{"name":"Dune"}`)
	spans := s.ended()
	var names []string
	for _, span := range spans {
		names = append(names, span.Name)
	}
	if want := []string{"BEGIN", "INSERT items", "COMMIT", "POST /api/items"}; !slices.Equal(names, want) {
		t.Fatalf("the spans are %q, want %q", names, want)
	}
	request, insert := spans[3], spans[1]
	for _, span := range spans[:3] {
		if span.Parent.SpanID() != request.SpanContext.SpanID() {
			t.Errorf("the span %s is not below that of the request", span.Name)
		}
	}
	got := texts(insert.Attributes)
	if text := got["db.query.text"]; !strings.HasPrefix(text, "INSERT INTO") || !strings.Contains(text, "?") {
		t.Errorf("the text is %q", text)
	}
	delete(got, "db.query.text")
	want := map[string]string{"db.system.name": "sqlite", "db.operation.name": "INSERT", "db.collection.name": "items"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the attributes differ (-want +got):\n%s", diff)
	}
}

func TestASpanOfAFailedStatementHasTheKindOfTheError(t *testing.T) {
	t.Parallel()
	s := stored(t)
	s.send("POST /api/items", `{"name":"Dune"}`)
	s.spans.Reset()
	s.send("POST /api/items", `{"name":"Dune"}`)
	var failed []string
	for _, span := range s.ended() {
		if span.Status.Code == codes.Error {
			failed = append(failed, span.Name+" "+texts(span.Attributes)["error.type"])
		}
	}
	if want := []string{"INSERT items unique"}; !slices.Equal(failed, want) {
		t.Errorf("the failed spans are %q, want %q", failed, want)
	}
}

// measured returns the metrics by name.
func (s service) measured() map[string]metricdata.Metrics {
	s.t.Helper()
	s.server.Close()
	var all metricdata.ResourceMetrics
	if err := s.metrics.Collect(s.t.Context(), &all); err != nil {
		s.t.Fatal(err)
	}
	found := map[string]metricdata.Metrics{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			found[m.Name] = m
		}
	}
	return found
}

func TestStatementsAndConnectionsAreMeasured(t *testing.T) {
	t.Parallel()
	s := stored(t)
	s.send("POST /api/items", `{"name":"Dune"}`)
	s.send("POST /api/items", `{"name":"Dune"}`)
	s.send("GET /api/items/1", "")
	s.send("GET /api/items/1", "")
	found := s.measured()
	durations := found["db.client.operation.duration"]
	histogram, ok := durations.Data.(metricdata.Histogram[float64])
	if !ok || durations.Unit != "s" {
		t.Fatalf("the durations are %+v", durations)
	}
	counts := map[string]uint64{}
	for _, point := range histogram.DataPoints {
		labels := texts(point.Attributes.ToSlice())
		if labels["db.system.name"] != "sqlite" || point.Attributes.HasValue("db.query.text") {
			t.Errorf("the labels are %v", labels)
		}
		counts[strings.Join([]string{labels["db.operation.name"], labels["db.collection.name"], labels["error.type"]}, " ")] += point.Count
	}
	if counts["INSERT items "] != 2 || counts["INSERT items unique"] != 1 || counts["SELECT items "] < 2 {
		t.Errorf("the counts are %v", counts)
	}
	states := map[string]int64{}
	for _, point := range found["db.client.connection.count"].Data.(metricdata.Sum[int64]).DataPoints {
		labels := texts(point.Attributes.ToSlice())
		if labels["db.client.connection.pool.name"] != "main" {
			t.Errorf("the pool is %v", labels)
		}
		states[labels["db.client.connection.state"]] = point.Value
	}
	if states["used"] != 0 || states["idle"] < 1 {
		t.Errorf("the connections are %v", states)
	}
	for _, name := range []string{"db.client.connection.max", "trove.db.waits", "trove.db.wait_time", "trove.db.retries", "trove.db.replicas"} {
		if found[name].Data == nil {
			t.Errorf("there is no %s", name)
		}
	}
}

func TestNoAttributeHasAValueOfAClient(t *testing.T) {
	t.Parallel()
	s := stored(t)
	const marker = "m4rk3r"
	body := `{"name":"` + marker + `"}`
	for _, request := range [][2]string{
		{"POST /api/items", body},
		{"POST /api/items", body},
		{"PUT /api/items/1", body},
		{"PATCH /api/items/1", `{"` + marker + `":1}`},
		{"GET /api/items?name=" + marker, ""},
		{"GET /api/items?" + marker + "=1", ""},
		{"GET /api/items/" + marker, ""},
		{"GET /" + marker, ""},
		{strings.ToUpper(marker) + " /api/items", ""},
	} {
		s.send(request[0], request[1], "X-Request-Id", marker, "User-Agent", marker)
	}
	spans := s.ended()
	if len(spans) < 20 {
		t.Errorf("there are only %d spans", len(spans))
	}
	for _, span := range spans {
		text := strings.ToLower(fmt.Sprint(span.Name, texts(span.Attributes), span.Status, span.Events))
		if strings.Contains(text, marker) {
			t.Errorf("a span has a value of the client: %s", text)
		}
	}
	for name, m := range s.measured() {
		if strings.Contains(strings.ToLower(fmt.Sprintf("%+v", m)), marker) {
			t.Errorf("the metric %s has a value of the client", name)
		}
	}
}
