package formats_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/bench/formats"
)

// TestFormatsAllocateForThePage needs no quiet machine: a page of 30 in any format may allocate a few
// times more than as JSON, and nothing for each of its records.
func TestFormatsAllocateForThePage(t *testing.T) { //nolint:paralleltest // sets GOMAXPROCS, and counts allocations
	const more = 29 // fewer than records
	rows, err := formats.Measure(1)
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]uint64{}
	for _, row := range rows {
		counted[row.Name] = row.Allocations
	}
	for _, row := range rows {
		if row.CPU <= 0 {
			t.Errorf("%s takes %v of CPU, want some time", row.Name, row.CPU)
		}
		// MessagePack and CSV are made of texts with escapes as well, and expansions of JSON allocate by themselves.
		if allowed := counted[row.Against] + more; row.Against != "" && row.Allocations > allowed && !strings.Contains(row.Name, "expanded, MessagePack") {
			t.Errorf("%s allocates %d times, more than %d", row.Name, row.Allocations, allowed)
		}
	}
}
