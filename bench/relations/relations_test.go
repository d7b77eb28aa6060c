package relations_test

import (
	"testing"

	"github.com/trove-api/trove/bench/relations"
)

func TestEachWayIsMeasured(t *testing.T) { //nolint:paralleltest // sets GOMAXPROCS
	rows, err := relations.Measure(t.Context(), 1, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 6 {
		t.Errorf("%d rows, want three of memory and three of SQLite", len(rows))
	}
	for _, row := range rows {
		if row.CPU <= 0 || row.Elapsed <= 0 {
			t.Errorf("%s takes %v of CPU and %v, want some time", row.Name, row.CPU, row.Elapsed)
		}
	}
}
