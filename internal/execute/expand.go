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
