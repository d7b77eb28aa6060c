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
	return e.Resource.Source.Answer.Encoder
}

// hide notes the records that have members which the caller may not see.
func (e *Embedded) hide(ctx context.Context, c *Call, records []any) error {
	members := e.Resource.Gate
	if !members.Hides() {
		return nil
	}
	bySet := map[gate.Set]*codec.Encoder{}
	for _, record := range records {
		hidden, err := members.Hidden(ctx, &c.caller, record)
		if err != nil {
			return err
		}
		if hidden == 0 {
			continue
		}
		if bySet[hidden] == nil {
			bySet[hidden] = without(e.Resource, e.Resource.Source.Answer, hidden, nil)
		}
		if e.views == nil {
			e.views = map[any]*codec.Encoder{}
		}
		e.views[record] = bySet[hidden]
	}
	return nil
}

// Of returns what a record refers to: one for each key, in order, nil for one that is missing or
// that the caller may not see.
func (e *Embedded) Of(record any) []any {
	sites := keysIn(nil, e.Field, e.Field.Value(reflect.ValueOf(record).Elem()), "")
	found := make([]any, len(sites))
	for i := range sites {
		found[i] = e.records[sites[i].key]
	}
	return found
}

func embeds(op *compiled.Operation) bool { return op.Expansions != nil }

// embed looks for what the record refers to, or those of a page do.
func embed(ctx context.Context, c *Call) (err error) {
	records := []any{c.Record}
	if c.Items != nil {
		records = all(c.Items)
	}
	c.Embedded, err = c.expand(ctx, c.Operation.Expansions, records)
	return err
}

func all(items compiled.Items) []any {
	records := make([]any, items.Len())
	for i := range records {
		records[i] = items.At(i)
	}
	return records
}

// expand looks once for all that records refer to by each of the references that are asked for.
func (c *Call) expand(ctx context.Context, paths []*compiled.Expansion, records []any) ([]*Embedded, error) {
	var list []*Embedded
	for _, path := range paths {
		if !path.Always && !c.asksFor(path) {
			continue
		}
		e := &Embedded{Expansion: path}
		var keys []any
		met := map[any]bool{}
		for _, record := range records {
			for _, s := range keysIn(nil, path.Field, path.Field.Value(reflect.ValueOf(record).Elem()), "") {
				if !met[s.key] {
					met[s.key], keys = true, append(keys, s.key)
				}
			}
		}
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

// asksFor reports whether the caller asks for what a reference is to, or for what is in it.
func (c *Call) asksFor(path *compiled.Expansion) bool {
	return slices.ContainsFunc(c.Values.Expand, func(asked string) bool {
		return asked == path.Path || strings.HasPrefix(asked, path.Path+".")
	})
}
