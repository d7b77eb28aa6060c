package measure_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
)

func TestExchangeSendsTheSameRequestEachTime(t *testing.T) {
	t.Parallel()
	w := workload.Workload{Method: http.MethodPost, Target: "/a?b=c", Body: `{"d":1}`}
	var requests int
	exchange := newExchange(t, &w, func(rw http.ResponseWriter, r *http.Request) {
		requests++
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != w.Body || r.RequestURI != w.Target || r.PathValue("id") != "" {
			t.Errorf("request %d: %s with %q, %v", requests, r.RequestURI, body, err)
		}
		if len(rw.Header()) > 0 {
			t.Errorf("request %d: the header has %v already", requests, rw.Header())
		}
		r.SetPathValue("id", "1")
		rw.Header().Set("X-Answer", "yes")
		rw.WriteHeader(http.StatusCreated)
	})
	for range 3 {
		if status := exchange.Once(); status != http.StatusCreated {
			t.Errorf("status = %d, want 201", status)
		}
	}
}

func TestExchangeAllocatesNothing(t *testing.T) { //nolint:paralleltest // counts what the process allocates
	w := workload.Workload{Method: http.MethodPost, Target: "/", Body: "{}"}
	header := []string{"text/plain"}
	exchange := newExchange(t, &w, func(rw http.ResponseWriter, _ *http.Request) { rw.Header()["Content-Type"] = header })
	if count := testing.AllocsPerRun(100, func() { exchange.Once() }); count > 0 {
		t.Errorf("an exchange allocates %v times, want 0", count)
	}
}

func newExchange(t *testing.T, w *workload.Workload, handler http.HandlerFunc) *measure.Exchange {
	t.Helper()
	exchange, err := measure.NewExchange(handler, w)
	if err != nil {
		t.Fatal(err)
	}
	return exchange
}
