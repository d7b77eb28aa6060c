package relations

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
)

// All implementations return the same page, also the join written by hand.
func TestAllImplementationsReturnTheSameResponse(t *testing.T) {
	t.Parallel()
	rows, done, err := ways(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	})
	answers := map[string]any{}
	for _, row := range rows {
		recorded := httptest.NewRecorder()
		row.handler.ServeHTTP(recorded, httptest.NewRequestWithContext(t.Context(), http.MethodGet, row.target, http.NoBody))
		var answer any
		if err := json.Unmarshal(recorded.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %v", row.Name, err)
		}
		if total := recorded.Header().Get("X-Total-Count"); total != "10000" {
			t.Errorf("%s: the total is %q", row.Name, total)
		}
		answers[row.Name] = answer
	}
	for _, other := range []string{"SQLite, expanded", "SQLite, join by hand"} {
		if diff := cmp.Diff(answers["memory, expanded"], answers[other]); diff != "" {
			t.Errorf("%s answers otherwise:\n%s", other, diff)
		}
	}
	if diff := cmp.Diff(answers["memory, paths"], answers["SQLite, paths"]); diff != "" {
		t.Errorf("paths on SQLite are others:\n%s", diff)
	}
}

// Unlike times, allocations do not vary: each embedded record may cost a fixed number of them.
func TestAnExpandedPageAllocatesWithinItsGoal(t *testing.T) { //nolint:paralleltest // counts the allocations of the whole process
	rows, done, err := ways(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = done() }()
	for name, most := range map[string]uint64{"memory, paths": 4, "memory, expanded": 38} {
		for _, row := range rows {
			if row.Name != name {
				continue
			}
			exchange, err := measure.NewExchange(row.handler, &workload.Workload{Method: http.MethodGet, Target: row.target})
			if err != nil {
				t.Fatal(err)
			}
			if count, _ := exchange.Allocations(200); count > most {
				t.Errorf("%s allocates %d times, more than %d", name, count, most)
			}
		}
	}
}
