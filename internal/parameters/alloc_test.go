//go:build !race

package parameters_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/parameters"
)

// TestAllocations guards what reading a query allocates. The race detector empties pools,
// which the figures rest on.
//
//nolint:paralleltest // AllocsPerRun counts the allocations of the whole process
func TestAllocations(t *testing.T) {
	set, header := compile(t, nil), http.Header{}
	for query, most := range map[string]float64{
		"":                       0,
		"page=3":                 0,
		"page=3&itemsPerPage=10": 0,
	} {
		var room parameters.Values
		var failed error
		allocs := testing.AllocsPerRun(100, func() {
			_, err := set.Read(t.Context(), query, header, none, &room)
			failed = errors.Join(failed, err)
		})
		if allocs > most || failed != nil {
			t.Errorf("reading %q allocates %v times, more than %v (error %v)", query, allocs, most, failed)
		}
	}
}
