package execute

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
)

// Embedded are the records that others refer to by one reference, to be shown beside these.
// Records are found by key: those of a page often refer to the same ones, which are then encoded
// again but loaded once.
type Embedded struct {
	*compiled.Expansion

	Inner []*Embedded            // what they refer to themselves
	views map[any]*codec.Encoder // of records with members that the caller may not see
	shown map[any]completed      // of records with computed members, once they were asked for

	keys    []any   // each once
	numbers []int64 // the same, where they are integers; else nil
	places  map[any]int
	records []any // one for each key, nil for none that the caller sees
	room    []any // what Referred has returned last
}

// fewKeys is how many integers are looked for one by one. To box each of a page, and to make a map for
// them, takes longer than all else that an expansion does.
const fewKeys = 64

// place returns which of the keys a value is, -1 for none.
func (e *Embedded) place(key reflect.Value) int {
	if e.places == nil {
		return slices.Index(e.numbers, key.Int())
	}
	if at, known := e.places[e.Field.Reference.Key.KeyIn(key)]; known {
		return at
	}
	return -1
}

// note adds a key, unless it was met before.
func (e *Embedded) note(key reflect.Value) {
	if e.place(key) >= 0 {
		return
	}
	boxed := e.Field.Reference.Key.KeyIn(key)
	if e.keys = append(e.keys, boxed); e.places != nil {
		e.places[boxed] = len(e.keys) - 1
		return
	}
	if e.numbers = append(e.numbers, key.Int()); len(e.numbers) > fewKeys {
		e.places = map[any]int{}
		for i, key := range e.keys {
			e.places[key] = i
		}
	}
}

// collect notes the keys that records have in the field.
func (e *Embedded) collect(records []any) {
	room := len(records)
	if e.Field.Reference.Many {
		room *= 2
	}
	e.keys = make([]any, 0, room)
	if e.Field.Reference.Key.Kind == model.Int {
		e.numbers = make([]int64, 0, min(room, fewKeys+1))
	} else {
		e.places = make(map[any]int, len(records))
	}
	for _, record := range records {
		switch v := e.Field.Value(reflect.ValueOf(record).Elem()); {
		case e.Field.Reference.Many:
			for i := range v.Len() {
				e.note(v.Index(i))
			}
		case !e.Field.Type.Nullable:
			e.note(v)
		case !v.IsNil():
			e.note(v.Elem())
		}
	}
}

// record returns the one that has a key, nil for none that the caller sees.
func (e *Embedded) record(key reflect.Value) any {
	if at := e.place(key); at >= 0 {
		return e.records[at]
	}
	return nil
}

// completed is a record with what was computed of it.
type completed struct {
	shown any
	err   error
}

// ViewEmbedded returns what is shown of an embedded record, and the encoder that shows of it the
// members that the caller may see. Members are computed once for each record, however many refer to it.
func (c *Call) ViewEmbedded(ctx context.Context, e *Embedded, record any) (*codec.Encoder, any, error) {
	encoder := e.views[record]
	if encoder == nil {
		encoder = e.Shown.Encoder
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
	switch v := e.Field.Value(reflect.ValueOf(record).Elem()); {
	case e.Field.Reference.Many:
		for i := range v.Len() {
			e.room = append(e.room, e.record(v.Index(i)))
		}
	case !e.Field.Type.Nullable:
		e.room = append(e.room, e.record(v))
	case v.IsNil():
		return nil, nil
	default:
		e.room = append(e.room, e.record(v.Elem()))
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

// A reader's records are looked up before the answer is made; those of a write only once they are
// written, by another row in the list of steps.
func embeds(op *compiled.Operation) bool { return op.Expansions != nil && !op.Kind.Writes() }

// embedsWritten reports whether an operation shows a record that it has written with what it refers to
// by then.
func embedsWritten(op *compiled.Operation) bool { return op.Expansions != nil && op.Kind.Writes() }

// embed looks for what the record refers to, or those of a page do.
func embed(ctx context.Context, c *Call) (err error) {
	records := []any{c.Record}
	if c.Items != nil {
		records = all(c.Items)
	}
	c.Embedded, err = c.expand(ctx, c.Operation.Expansions, records)
	return err
}

// all hands the records of a page on as a list, which is what looks at all of them at once.
func all(items compiled.Items) []any {
	records := make([]any, items.Len())
	for i := range records {
		records[i] = items.At(i)
	}
	return records
}

// expand looks once for all that records refer to by each of the references that are asked for.
// One query for each reference, not one for each record: the well-known n+1 queries are what
// clients expand for, to be spared.
func (c *Call) expand(ctx context.Context, paths []*compiled.Expansion, records []any) ([]*Embedded, error) {
	var list []*Embedded
	for _, path := range paths {
		if !path.Always && !c.asksFor(path) {
			continue
		}
		e := &Embedded{Expansion: path}
		e.collect(records)
		var err error
		if e.records, err = c.look(ctx, path.Resource, e.keys); err != nil {
			return nil, err
		}
		if path.Inner != nil || path.Resource.Gate.Hides() {
			found := slices.DeleteFunc(slices.Clone(e.records), func(record any) bool { return record == nil })
			if err := e.hide(ctx, c, found); err != nil {
				return nil, err
			}
			if e.Inner, err = c.expand(ctx, path.Inner, found); err != nil {
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
