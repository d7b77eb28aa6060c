package memory

import (
	"math"
	"slices"

	"github.com/trove-api/trove/store"
)

// selection keeps the rows that come first in an order, of all that it is shown: a window
// of thirty out of many rows needs no more than thirty to be sorted.
type selection struct {
	order  order
	wanted int // how many rows the window ends behind
	kept   []sortKey
	arena  []value // of the keys
	cut    bool    // more than those wanted were kept: these are the first of kept, in order
}

// sortKey is a row with its values in an order.
type sortKey struct {
	row    *row
	values []value
}

func newSelection(order order, query *store.Query, rows int) *selection {
	wanted := math.MaxInt
	if query.Limit > 0 && query.Offset < math.MaxInt/4 && query.Limit < math.MaxInt/4 {
		wanted = query.Offset + query.Limit
	}
	room := min(rows, usual)
	return &selection{order: order, wanted: wanted, kept: make([]sortKey, 0, room), arena: make([]value, 0, room*len(order))}
}

// add keeps a row unless enough are before it.
func (s *selection) add(r *row, values []value) {
	if s.cut && s.order.compare(values, s.kept[s.wanted-1].values) >= 0 {
		return
	}
	s.arena = append(s.arena, values...)
	s.kept = append(s.kept, sortKey{r, s.arena[len(s.arena)-len(values):]})
	if len(s.kept)/2 > s.wanted {
		s.kept, s.cut = s.sorted(), true
	}
}

// isBehind reports, of rows that come in the order of its first field, whether a row and all
// after it come behind those that are wanted.
func (s *selection) isBehind(values []value) bool {
	n := len(s.kept)
	return n >= s.wanted && values[0] != s.kept[n-1].values[0]
}

// sorted returns the rows that are wanted, in order.
func (s *selection) sorted() []sortKey {
	slices.SortFunc(s.kept, func(a, b sortKey) int { return s.order.compare(a.values, b.values) })
	return s.kept[:min(s.wanted, len(s.kept))]
}
