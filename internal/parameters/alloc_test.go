//go:build !race

package parameters_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"

	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/internal/parameters"
)

// TestAllocations guards what a query allocates: reading it, and the links to other pages.
// The race detector empties pools, which the figures rest on.
//
//nolint:paralleltest // counts the allocations of the whole process
func TestAllocations(t *testing.T) {
	set, header := compile(t, nil), http.Header{}
	room, text := new(parameters.Values), make([]byte, 0, 1024)
	for query, most := range map[string]float64{
		"":                       0,
		"page=3":                 0,
		"page=3&itemsPerPage=10": 0,
	} {
		target, err := url.Parse("/hoards?" + query)
		if err != nil {
			t.Fatal(err)
		}
		answer := &parameters.Listing{URL: target, Count: 30, Total: parameters.Total{Kind: parameters.ExactTotal, N: 10_000}}
		var failed error
		allocs, _ := alloctest.Count(100, func() {
			values, err := set.Read(t.Context(), query, header, none, room)
			if err == nil {
				_, err = set.Link(text, values, answer)
			}
			failed = errors.Join(failed, err)
		})
		if allocs > most || failed != nil {
			t.Errorf("%q allocates %v times, more than %v (error %v)", query, allocs, most, failed)
		}
	}
}
