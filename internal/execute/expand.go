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

	Inner   []*Embedded // what they refer to themselves
	records map[any]any
	views   map[any]*codec.Encoder // of records with members that the caller may not see
}

// Encoder returns the encoder of one of the records, with the members that the caller may see.
func (e *Embedded) Encoder(record any) *codec.Encoder {
	if view := e.views[record]; view != nil {
		return view
	}
	return e.Shown.Encoder
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
// caller may not see it itself.
func (c *Call) Referred(ctx context.Context, e *Embedded, of *compiled.Resource, record any) ([]any, error) {
	hidden, err := c.hiddenIn(ctx, of, record)
	if err != nil || hidden != 0 && of.Gate.IsHidden(hidden, e.Field.Name) {
		return nil, err
	}
	v := e.Field.Value(reflect.ValueOf(record).Elem())
	if e.Field.Type.Nullable && v.IsNil() {
		return nil, nil
	}
	sites := keysIn(nil, e.Field, v, "")
	found := make([]any, len(sites))
	for i := range sites {
		found[i] = e.records[sites[i].key]
	}
	return found, nil
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
		e, keys := &Embedded{Expansion: path}, keysOf(path.Field, records)
		var err error
		if e.records, err = c.find(ctx, path.Resource, keys); err != nil {
			return nil, err
		}
		var found []any
		for _, key := range keys {
			if record := e.records[key]; record != nil {
				found = append(found, record)
			}
		}
		if err := e.hide(ctx, c, found); err != nil {
			return nil, err
		}
		if e.Inner, err = c.expand(ctx, path.Inner, found); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// keysOf lists the keys that records have in a field, each once.
func keysOf(f *model.Field, records []any) (keys []any) {
	met := map[any]bool{}
	for _, record := range records {
		for _, s := range keysIn(nil, f, f.Value(reflect.ValueOf(record).Elem()), "") {
			if !met[s.key] {
				met[s.key], keys = true, append(keys, s.key)
			}
		}
	}
	return keys
}

// asksFor reports whether the caller asks for what a reference is to, or for what is in it.
// Whoever asks for "order.customer" gets the order as well, as the customer stands within it.
func (c *Call) asksFor(path *compiled.Expansion) bool {
	return slices.ContainsFunc(c.Values.Expand, func(asked string) bool {
		return asked == path.Path || strings.HasPrefix(asked, path.Path+".")
	})
}
