package execute

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
)

// Embedded are the records that others refer to by one reference, to be shown beside these.
// Records are found by key: those of a page often refer to the same ones, which are then encoded
// again but loaded once.
type Embedded struct {
	*compiled.Expansion

	Inner []*Embedded            // what they refer to themselves
	views map[any]*codec.Encoder // of records with members that the caller may not see
	shown map[any]completed      // of records with computed members, once they were asked for

	keys    keys
	times   []int // how often the response embeds the record of each key; empty if nothing depends on it
	records []any // one for each key, nil for none that the caller sees
	room    []any // what Referred has returned last
}

// completed is a record with what was computed of it.
type completed struct {
	shown any
	err   error
}

// ViewEmbedded returns what is shown of an embedded record, and the encoder that shows of it the
// members that the caller may see. Members are computed once for each record, however many refer to it.
func (c *Call) ViewEmbedded(ctx context.Context, e *Embedded, record any) (*codec.Encoder, any, error) {
	encoder := e.Shown.Encoder
	if e.views != nil { // one that is nil would hash each record all the same
		if narrowed := e.views[record]; narrowed != nil {
			encoder = narrowed
		}
	}
	if !e.Computes() {
		return encoder, record, nil
	}
	made, known := e.shown[record]
	if !known {
		made.shown, made.err = c.compute(ctx, e.Resource, record, encoder)
		if e.shown == nil {
			e.shown = map[any]completed{}
		}
		e.shown[record] = made
	}
	return encoder, made.shown, made.err
}

// hide notes the records that have members which the caller may not see.
// Encoders are shared by all records that hide the same members, of which there are few sets.
func (e *Embedded) hide(ctx context.Context, c *Call, records []any) error {
	if !e.Resource.Gate.Hides() {
		return nil
	}
	c.meet(ctx)
	bySet := map[gate.Set]*codec.Encoder{}
	for _, record := range records {
		hidden, err := c.hiddenIn(ctx, e.Resource, record)
		if err != nil {
			return err
		}
		if hidden == 0 {
			continue
		}
		if bySet[hidden] == nil {
			bySet[hidden] = without(e.Resource, e.Shown, hidden, nil)
		}
		if e.views == nil {
			e.views = map[any]*codec.Encoder{}
		}
		e.views[record] = bySet[hidden]
	}
	return nil
}

// Referred returns what a record of a resource refers to: one for each key, in order, nil for one
// that is missing or that the caller may not see. It is nil where the reference is null, or the
// caller may not see it itself. The list is that of the next call, too.
func (c *Call) Referred(ctx context.Context, e *Embedded, of *compiled.Resource, record any) ([]any, error) {
	hidden, err := c.hiddenIn(ctx, of, record)
	if err != nil || hidden != 0 && of.Gate.IsHidden(hidden, e.Field.Name) {
		return nil, err
	}
	if e.room == nil {
		e.room = make([]any, 0, 8)
	}
	e.room = e.room[:0]
	e.eachKey(record, func(number int64, other reflect.Value) {
		var found any
		if place := e.keys.place(number, other); place >= 0 {
			found = e.records[place]
		}
		e.room = append(e.room, found)
	})
	if len(e.room) == 0 && !e.Field.Reference.Many {
		return nil, nil
	}
	return e.room, nil
}

// hiddenIn returns the members of a record that the caller may not see.
func (c *Call) hiddenIn(ctx context.Context, of *compiled.Resource, record any) (gate.Set, error) {
	if !of.Gate.Hides() {
		return 0, nil
	}
	c.meet(ctx)
	return of.Gate.Hidden(ctx, &c.caller, record)
}

// embed looks for what the record refers to, or those of a page do.
func embed(ctx context.Context, c *Call) error {
	records := []any{c.Record}
	if c.Items != nil {
		records = c.room().list(c.Items)
	}
	return c.embedAll(ctx, records)
}

// embedAll looks up what records refer to, within one budget.
func (c *Call) embedAll(ctx context.Context, records []any) (err error) {
	c.embeds = 0
	c.Embedded, err = c.expand(ctx, c.Operation.Expansions, c.Operation.Resource, records, nil)
	return err
}

// expand looks once for all that records of a resource refer to by each of the references that are asked for.
// One query for each reference, not one for each record: the well-known n+1 queries are what
// clients expand for, to be spared.
func (c *Call) expand(ctx context.Context, paths []*compiled.Expansion, of *compiled.Resource, records []any, times []int) ([]*Embedded, error) {
	var list []*Embedded
	for _, path := range paths {
		if !path.Always && !c.asksFor(path) {
			continue
		}
		e := c.room().embedded(path)
		err := c.collect(ctx, e, of, records, times)
		if err != nil {
			return nil, err
		}
		if e.records, err = c.look(ctx, path.Resource, e.keys.boxed, e.records); err != nil {
			return nil, err
		}
		if path.Inner != nil || path.Resource.Gate.Hides() {
			found, often := e.found()
			if err := e.hide(ctx, c, found); err != nil {
				return nil, err
			}
			if e.Inner, err = c.expand(ctx, path.Inner, path.Resource, found, often); err != nil {
				return nil, err
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// asksFor reports whether the caller asks for what a reference is to, or for what is in it.
// Whoever asks for "order.customer" gets the order as well, as the customer stands within it.
func (c *Call) asksFor(path *compiled.Expansion) bool {
	return slices.ContainsFunc(c.Values.Expand, func(asked string) bool {
		return asked == path.Path || strings.HasPrefix(asked, path.Path+".")
	})
}

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

// collect notes the keys that records of a resource have in the field, and counts how often the response embeds their
// records. Times has how often it embeds each record itself; nil is once.
// The count comes first: a page whose records list one another would embed each of them thousands of times, and these
// must be neither loaded nor written. Keys that the caller may not see are not counted, because an error would reveal
// how many there are.
func (c *Call) collect(ctx context.Context, e *Embedded, of *compiled.Resource, records []any, times []int) error {
	e.keys.begin(e.Field.Reference)
	e.keys.boxed = slices.Grow(e.keys.boxed, len(records))
	weight, limit := 1, c.Operation.API.MaxEmbedded
	note := func(number int64, other reflect.Value) {
		known := len(e.keys.boxed)
		place := e.keys.note(number, other)
		if place < known && c.EmbedsOnce {
			return
		}
		c.embeds += weight
		if e.Expansion.Inner == nil || c.EmbedsOnce {
			return
		}
		if place == known {
			e.times = append(e.times, 0)
		}
		e.times[place] += weight
	}
	for i, record := range records {
		if times != nil {
			weight = times[i]
		}
		hidden, err := c.hiddenIn(ctx, of, record)
		if err != nil {
			return err
		}
		if hidden == 0 || !of.Gate.IsHidden(hidden, e.Field.Name) {
			e.eachKey(record, note)
		}
		if c.embeds > limit {
			return TooMuchEmbedded(int64(limit), "embedded records")
		}
	}
	return nil
}

// found returns the records of an expansion that exist and that the caller may see, and how often the response embeds
// each of them.
func (e *Embedded) found() (records []any, times []int) {
	for place, record := range e.records {
		if record == nil {
			continue
		}
		records = append(records, record)
		if len(e.times) > 0 {
			times = append(times, e.times[place])
		}
	}
	return records, times
}
