package execute

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
)

// Embedded has the records behind one reference, for responses that embed them. It finds them by key, so that a record that
// several others reference is loaded once.
type Embedded struct {
	*compiled.Expansion

	Inner []*Embedded            // what these records reference
	views map[any]*codec.Encoder // of records with fields that the caller may not see
	shown map[any]completed      // of records with computed fields, as far as requested

	keys     keys
	times    []int // how often the response embeds the record of each key; empty if nothing depends on it
	records  []any // one for each key, nil for none that the caller sees
	referred []any // what Referred has returned last
}

// completed is a record with its computed fields.
type completed struct {
	shown any
	err   error
}

// ViewEmbedded returns the value to show for an embedded record, and the encoder of the fields that the caller may see.
// Fields are computed once for each record.
func (c *Call) ViewEmbedded(ctx context.Context, e *Embedded, record any) (*codec.Encoder, any, error) {
	encoder := e.Shown.Encoder
	if e.views != nil { // because a lookup in a nil map would still hash the record
		if narrowed := e.views[record]; narrowed != nil {
			encoder = narrowed
		}
	}
	if !e.Computes {
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

// Referred returns the records that a record references: one for each key, in order, nil for one that is missing or that the
// caller may not see. It returns nil if the reference is null or hidden. The next call reuses the list.
func (c *Call) Referred(ctx context.Context, e *Embedded, of *compiled.Resource, record any) ([]any, error) {
	if hidden, err := c.hidesReference(ctx, e, of, record); hidden || err != nil {
		return nil, err
	}
	if e.referred == nil {
		e.referred = make([]any, 0, 8)
	}
	e.referred = e.referred[:0]
	e.eachKey(record, func(number int64, other reflect.Value) {
		var found any
		if place, _ := e.keys.find(number, other); place >= 0 {
			found = e.records[place]
		}
		e.referred = append(e.referred, found)
	})
	if len(e.referred) == 0 && !e.Field.Reference.Many {
		return nil, nil
	}
	return e.referred, nil
}

// embed loads what the record, or the records of a page, reference.
func embed(ctx context.Context, c *Call) (err error) {
	records := []any{c.Record}
	if c.Items != nil {
		scratch := c.scratch()
		scratch.records = slices.Grow(scratch.records[:0], c.Items.Len())
		for i := range c.Items.Len() {
			scratch.records = append(scratch.records, c.Items.At(i))
		}
		records = scratch.records
	}
	c.embeds = 0
	c.Embedded, err = c.expand(ctx, c.Operation.Expansions, c.Operation.Resource, records, nil)
	return err
}

// expand loads what the records of a resource reference, with one query for each requested reference. Times has how often
// the response embeds each record; nil means once.
func (c *Call) expand(ctx context.Context, paths []*compiled.Expansion, of *compiled.Resource, records []any, times []int) ([]*Embedded, error) {
	var list []*Embedded
	for _, path := range paths {
		// "order.customer" also embeds the order, because the customer is within it.
		isRequested := func(name string) bool { return name == path.Path || strings.HasPrefix(name, path.Path+".") }
		if !path.Always && !slices.ContainsFunc(c.Values.Expand, isRequested) {
			continue
		}
		e := c.scratch().embedded(path)
		err := c.collect(ctx, e, of, records, times)
		if err != nil {
			return nil, err
		}
		if e.records, err = c.find(ctx, path.Resource, e.keys.boxed, e.records); err != nil {
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

// collect collects the keys that records have in the field, and counts how often the response embeds each record. It counts
// before anything is loaded, because a page whose records list one another could embed each of them thousands of times. It
// skips keys that the caller may not see, because an error would reveal how many there are.
func (c *Call) collect(ctx context.Context, e *Embedded, of *compiled.Resource, records []any, times []int) error {
	e.keys.begin(e.Field.Reference, len(records))
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
		hidden, err := c.hidesReference(ctx, e, of, record)
		if err != nil {
			return err
		}
		if hidden {
			continue
		}
		e.eachKey(record, note)
		if c.embeds > limit {
			return TooMuchEmbedded(int64(limit), "embedded records")
		}
	}
	return nil
}

// hidesReference reports whether the caller may not see the reference in a record of a resource.
func (c *Call) hidesReference(ctx context.Context, e *Embedded, of *compiled.Resource, record any) (bool, error) {
	if !of.Gate.Hides() {
		return false, nil
	}
	hidden, err := of.Gate.Hidden(ctx, &c.caller, record)
	return of.Gate.IsHidden(hidden, e.Field.Name), err
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

// hide sets the encoders of records with fields that the caller may not see. Records that hide the same fields share one.
func (e *Embedded) hide(ctx context.Context, c *Call, records []any) error {
	if !e.Resource.Gate.Hides() {
		return nil
	}
	bySet := map[authz.Set]*codec.Encoder{}
	for _, record := range records {
		hidden, err := e.Resource.Gate.Hidden(ctx, &c.caller, record)
		if err != nil {
			return err
		}
		if hidden == 0 {
			continue
		}
		if bySet[hidden] == nil {
			bySet[hidden] = narrow(e.Resource, e.Shown, hidden, nil)
		}
		if e.views == nil {
			e.views = map[any]*codec.Encoder{}
		}
		e.views[record] = bySet[hidden]
	}
	return nil
}

// Scratch is memory that calls reuse. Without it, short-lived objects of each page would be most of the cost of an expansion
// or a rule.
type Scratch struct {
	conditions authz.Memory // that rules add to the query
	records    []any        // of a page
	made       []*Embedded  // those of the call, followed by unused ones of earlier calls
	used       int          // how many the call uses
}

// scratch returns the Scratch of the call.
func (c *Call) scratch() *Scratch {
	if c.Scratch == nil {
		c.Scratch = new(Scratch)
	}
	return c.Scratch
}

// Limits of the memory that is kept: the number of expansions, and of records of each.
const (
	keptExpansions = 8
	keptRecords    = 256
)

// embedded returns an empty expansion.
func (s *Scratch) embedded(of *compiled.Expansion) *Embedded {
	if s.used == len(s.made) {
		s.made = append(s.made, new(Embedded))
	}
	e := s.made[s.used]
	e.Expansion = of
	s.used++
	return e
}

// Clear removes all records and conditions. Call it after the response has been sent.
func (s *Scratch) Clear() {
	s.conditions, s.records = authz.Memory{}, emptied(s.records)
	for _, e := range s.made[:s.used] {
		// A store may keep the list of identifiers, unless it declares that it does not.
		e.keys.clear(e.Resource.Store.Forgets())
		*e = Embedded{keys: e.keys, times: e.times[:0], records: emptied(e.records), referred: emptied(e.referred)}
	}
	if s.used = 0; len(s.made) > keptExpansions {
		s.made = nil
	}
}

// emptied clears a list, and returns it empty; nil for a long one, so that its memory is freed.
func emptied(list []any) []any {
	if cap(list) > keptRecords {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}
