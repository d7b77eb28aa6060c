package parameters

import (
	"slices"

	"github.com/trove-api/trove/store"
)

// Window is the part of a collection that a request asks for.
type Window struct {
	Mode     Mode
	Page     int // ByPage: from 1
	Size     int // how many items at most; 0 is all
	Partial  bool
	Backward bool  // ByCursor: what comes before the cursor
	started  bool  // ByCursor: not the first page
	at       *mark // ByCursor: nil for the first page
}

// Mode is how a request goes through a collection.
type Mode int

// The modes.
const (
	Whole    Mode = iota // all of it
	ByPage               // page by page, by number
	ByOffset             // page by page, from any record on
	ByCursor             // page by page, by position
	NoItems              // nothing of it but how many there are
)

// finishWindow decides between the parameters that say different things, and completes
// the query.
func (r *reading) finishWindow() {
	if r.set.paging == nil {
		return
	}
	query := &r.values.Query
	query.Order = r.ordered()
	if query.Fields = r.set.stored(r.values.Fields); r.values.Fields == nil && !r.set.whole {
		query.Fields = r.set.stored(r.set.read)
	}
	r.values.Window = Window{Page: r.page, Size: r.size, Partial: r.partial}
	switch window := &r.values.Window; {
	case !r.paged:
		window.Mode, window.Size = Whole, 0
	case r.byCursor:
		window.Mode, window.at = ByCursor, r.at
		query.Limit = r.size + 1 // one more tells whether there is more
		if r.at != nil {
			window.started = true
			window.Backward = r.at.backward
			query.Order, query.After = r.at.order, r.at.values
		}
		if window.Backward {
			query.Order = reversed(query.Order)
		}
	default:
		window.Mode, query.Offset = ByPage, (r.page-1)*r.size
		if r.byOffset {
			window.Mode, query.Offset = ByOffset, r.offset
		}
		query.Limit, query.Count = r.size, !r.partial
		if r.partial {
			query.Limit++
		}
	}
	if r.paged && r.size == 0 { // a store has no limit of nothing
		r.values.Window = Window{Mode: NoItems}
		query.Offset, query.Limit, query.Count = 0, 1, true
	}
}

// ordered returns the order that is asked for.
func (r *reading) ordered() []store.Order {
	switch {
	case r.sort != nil:
		return r.set.total(r.sort)
	case r.order != nil:
		return r.set.total(r.order)
	}
	return r.set.order
}

// reversed returns the order turned around.
// The page before is the first one of the order turned around, and is turned again when it is
// answered.
func reversed(order []store.Order) []store.Order {
	turned := slices.Clone(order)
	for i := range turned {
		turned[i].Descending = !turned[i].Descending
	}
	return turned
}
