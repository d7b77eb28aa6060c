package formats_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/bench/formats"
)

// TestFormatsAllocateForThePage runs on busy machines too. A page of 30 records may allocate a few times more than in
// JSON, for its links, but nothing for each record, which would be 30 times.
func TestFormatsAllocateForThePage(t *testing.T) { //nolint:paralleltest // sets GOMAXPROCS, and counts allocations
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
		more := uint64(10)
		if strings.Contains(row.Name, "JSON-LD") || strings.Contains(row.Name, "HAL") {
			more = 25
		} else if strings.Contains(row.Name, "JSON:API") { // whose query is another one, too
			more = 24
		}
		if allowed := counted[row.Against] + more; row.Against != "" && row.Allocations > allowed {
			t.Errorf("%s allocates %d times, more than %d", row.Name, row.Allocations, allowed)
		}
	}
}
