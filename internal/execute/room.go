package execute

import (
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
)

// Room is memory that a call leaves for the next one: what is made for each page, and gone with its answer,
// would else be most of what an expansion or a rule costs the collector. Nil is none.
type Room struct {
	rules   gate.Room
	records []any       // of a page
	made    []*Embedded // those of the call, and behind them those of calls before
	used    int         // of them by the call
}

// room returns the call's, and makes it if there is none yet.
func (c *Call) room() *Room {
	if c.Room == nil {
		c.Room = new(Room)
	}
	return c.Room
}

// What a room keeps at most: expansions, and records of each, as most pages have.
const (
	keptExpansions = 8
	keptRecords    = 256
)

// list returns the records of a page as a list, which is what looks at all of them at once.
func (r *Room) list(of compiled.Items) []any {
	r.records = slices.Grow(r.records[:0], of.Len())
	for i := range of.Len() {
		r.records = append(r.records, of.At(i))
	}
	return r.records
}

// embedded returns an empty expansion.
func (r *Room) embedded(of *compiled.Expansion) *Embedded {
	if r.used == len(r.made) {
		r.made = append(r.made, new(Embedded))
	}
	e := r.made[r.used]
	e.Expansion = of
	r.used++
	return e
}

// Clear makes the room hold on to no record and nothing of a caller. The answer has been sent.
func (r *Room) Clear() {
	if r == nil {
		return
	}
	r.rules.Clear()
	r.records = emptied(r.records)
	for _, e := range r.made[:r.used] {
		keys := e.keys
		// A store that did not say it forgets may have kept the list of identifiers that it was asked for.
		if !e.Resource.Store.Forgets() {
			keys.boxed = nil
		}
		keys.clear()
		*e = Embedded{keys: keys, times: e.times[:0], records: emptied(e.records), room: emptied(e.room)}
	}
	if r.used = 0; len(r.made) > keptExpansions {
		r.made = nil
	}
}

// emptied returns an empty list that holds on to nothing, nil in place of a long one.
func emptied(list []any) []any {
	if cap(list) > keptRecords {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}
