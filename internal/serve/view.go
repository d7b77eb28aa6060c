package serve

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// findVisible returns the records of a resource by key, nil for each that is missing or that the caller may not see. It uses the
// memory of room, if that is not nil. All lookups of references, parents, filters and embedded records go through it, so
// that none skips the rules.
func findVisible(ctx context.Context, caller *authz.Caller, of *compiled.Resource, keys, room []any) ([]any, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	records, err := of.Store.GetMany(ctx, keys, room)
	if err != nil || of.Read == nil {
		return records, err
	}
	for i, record := range records {
		if record == nil {
			continue
		}
		holds, err := of.Read.Holds(ctx, caller, record)
		if err != nil {
			return nil, err
		}
		if !holds {
			records[i] = nil
		}
	}
	return records, nil
}

// isHidden reports whether the caller may not see a field of a record of a resource. It returns true with an error.
func isHidden(ctx context.Context, caller *authz.Caller, of *compiled.Resource, f *model.Field, record any) (bool, error) {
	if !of.Gate.Hides() {
		return false, nil
	}
	hidden, err := of.Gate.Hidden(ctx, caller, record)
	return err != nil || of.Gate.IsHidden(hidden, f.Name), err
}

// view returns the value to show for a record, and the encoder of the requested fields that the caller may see. All is
// the encoder of all requested fields. A handler's response need not be a record.
func (c *call) view(ctx context.Context, record any, all *codec.Encoder) (*codec.Encoder, any, error) {
	o := c.op
	if o.Output != nil {
		shown, err := c.convert(ctx, c.pointer(record))
		return all, shown, err
	}
	encoder := all
	if o.hides {
		hidden, err := o.Resource.Gate.Hidden(ctx, &c.caller, c.pointer(record))
		if err != nil {
			return all, record, err
		}
		if hidden != 0 {
			encoder = c.without(hidden)
		}
	}
	if !o.Computes {
		return encoder, record, nil
	}
	record, err := c.compute(ctx, o.Resource, c.pointer(record), encoder)
	return encoder, record, err
}

// pointer returns a pointer to a record, which a handler may have returned by value.
func (c *call) pointer(record any) any {
	if reflect.TypeOf(record).Kind() == reflect.Pointer {
		return record
	}
	made := reflect.New(c.op.Resource.Struct.Go)
	made.Elem().Set(reflect.ValueOf(record))
	return made.Interface()
}

// without returns the encoder of the requested fields without those of a set. It is cached: for the operation if the
// request selects no fields, else for the call.
func (c *call) without(hidden authz.Set) *codec.Encoder {
	o := c.op
	if c.values.Fields == nil {
		known, ok := o.encoders.Load(hidden)
		if !ok {
			known, _ = o.encoders.LoadOrStore(hidden, narrow(o.Resource, o.Out, hidden, nil))
		}
		return known.(*codec.Encoder)
	}
	if c.narrowed == nil {
		c.narrowed = map[authz.Set]*codec.Encoder{}
	}
	if c.narrowed[hidden] == nil {
		c.narrowed[hidden] = narrow(o.Resource, o.Out, hidden, c.values.Fields)
	}
	return c.narrowed[hidden]
}

// narrow returns the encoder of the named fields of a resource's records without those of a set. Nil names are all
// fields.
func narrow(r *compiled.Resource, out *compiled.Value, hidden authz.Set, names []string) *codec.Encoder {
	var shown []string
	for i := range out.View.Fields {
		f := out.View.Fields[i].Field
		if (names == nil || slices.Contains(names, f.Name)) && !r.Gate.IsHidden(hidden, f.Name) {
			shown = append(shown, f.Name)
		}
	}
	return out.Encoder.Narrow(out.View.Only(shown))
}

// sortMasks returns a function that reports whether a field of a record sorts as null because the caller may not see it; nil
// if no field can be hidden. If a rule fails, the field sorts as null.
func (c *call) sortMasks(ctx context.Context) func(record any, name string) bool {
	members := c.op.Resource.Gate
	if !members.Hides() {
		return nil
	}
	return func(record any, name string) bool {
		hidden, err := members.Hidden(ctx, &c.caller, record)
		return err != nil || members.IsHidden(hidden, name)
	}
}

// convert calls Output with a record, in which the fields that the caller may not see are cleared. It clears them in a
// copy, because the store may share the record.
func (c *call) convert(ctx context.Context, record any) (any, error) {
	r := c.op.Resource
	hidden, err := r.Gate.Hidden(ctx, &c.caller, record)
	if err != nil {
		return nil, err
	}
	if hidden != 0 {
		record = r.Codec.Clone(record)
		for i := range r.Gate.List {
			if hidden.Has(i) {
				r.Gate.List[i].Field.Value(reflect.ValueOf(record).Elem()).SetZero()
			}
		}
	}
	return c.op.Output.Call(ctx, record)
}

// compute computes the fields of a record that the encoder shows. It skips the others, because each may cost a query.
func (c *call) compute(ctx context.Context, of *compiled.Resource, record any, encoder *codec.Encoder) (any, error) {
	made := &codec.Completed{Of: record}
	for _, computed := range of.Computed {
		if encoder.View().Field(computed.Field) == nil {
			continue
		}
		value, err := computed.Compute(ctx, record)
		if err != nil {
			return nil, err
		}
		if made.Members, err = jsontext.AppendQuote(append(made.Members, ','), computed.Field.Name); err != nil {
			return nil, err
		}
		if made.Members, err = computed.Value.Encoder.Append(append(made.Members, ':'), value); err != nil {
			return nil, fmt.Errorf("%s: %w", computed.Field.Name, err)
		}
	}
	return made, nil
}
