package execute

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/operation"
)

// find returns the records of a resource that have one of the keys and that the caller may see,
// by their keys. One that is missing and one that is hidden are alike: they are not in it.
func (c *Call) find(ctx context.Context, of *compiled.Resource, keys []any) (map[any]any, error) {
	records, err := c.look(ctx, of, keys, nil)
	if err != nil {
		return nil, err
	}
	found := make(map[any]any, len(keys))
	for i, key := range keys {
		if records[i] != nil {
			found[key] = records[i]
		}
	}
	return found, nil
}

// look returns the record with each of the keys, nil for one that is missing or hidden: asked for at
// once where the store can. The list is made in room, if that is not nil. In one function, so that no road to other records can forget to ask
// whether they may be seen.
func (c *Call) look(ctx context.Context, of *compiled.Resource, keys, room []any) ([]any, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	records, err := of.Store.GetMany(ctx, keys, room)
	if err != nil {
		return nil, err
	}
	for i, record := range records {
		if record == nil {
			continue
		}
		seen, err := c.maySee(ctx, of, record)
		if err != nil {
			return nil, err
		}
		if !seen {
			records[i] = nil
		}
	}
	return records, nil
}

// maySee reports whether the caller may see a record of another resource than the operation's:
// the one place where references, parents and what is embedded ask so.
func (c *Call) maySee(ctx context.Context, of *compiled.Resource, record any) (bool, error) {
	if of.Read == nil {
		return true, nil
	}
	c.meet(ctx)
	return of.Read.Holds(ctx, &c.caller, record)
}

// meet finds who asks, where rules of other resources want to know and those of the operation
// have not asked.
// Only where somebody asks: to look into the context for a principal costs every request of a
// service without rules.
func (c *Call) meet(ctx context.Context) {
	if c.met {
		return
	}
	if c.met = true; c.Principal == nil {
		c.Principal = operation.PrincipalFrom(ctx)
	}
	c.caller.Set(c.Principal, c.Scopes)
}

// views are the encoders of records with some members hidden, by the set of these.
// There are few sets in practice, one for each kind of caller: so they are kept for good.
type views struct{ bySet sync.Map }

// View returns what is shown of a record, and the encoder that shows of it the members that the
// caller may see, of those asked for. All is that of those without regard to the caller, of a
// handler's answer too, which need be no record.
func (c *Call) View(ctx context.Context, record any, all *codec.Encoder) (*codec.Encoder, any, error) {
	if c.Operation.Output != nil {
		shown, err := c.convert(ctx, c.pointer(record))
		return all, shown, err
	}
	encoder, err := c.visible(ctx, record, all)
	if err == nil && c.Operation.Computes {
		record, err = c.compute(ctx, c.Operation.Resource, c.pointer(record), encoder)
	}
	return encoder, record, err
}

// pointer returns a pointer to a record, which a handler may have answered by value.
func (c *Call) pointer(record any) any {
	if reflect.TypeOf(record).Kind() == reflect.Pointer {
		return record
	}
	made := reflect.New(c.Operation.Resource.Struct.Go)
	made.Elem().Set(reflect.ValueOf(record))
	return made.Interface()
}

// Members of a handler's own answer have no rules: only those of resources do.
func (c *Call) visible(ctx context.Context, record any, all *codec.Encoder) (*codec.Encoder, error) {
	members := c.Operation.Resource.Gate
	if !members.Hides() || c.Operation.Out.Codec != c.Operation.Resource.Codec {
		return all, nil
	}
	record = c.pointer(record)
	hidden, err := members.Hidden(ctx, &c.caller, record)
	if hidden == 0 || err != nil {
		return all, err
	}
	if c.Values.Fields != nil {
		return c.sparse(hidden), nil
	}
	if known, ok := c.Operation.views.bySet.Load(hidden); ok {
		return known.(*codec.Encoder), nil
	}
	made, _ := c.Operation.views.bySet.LoadOrStore(hidden, without(c.Operation.Resource, c.Operation.Out, hidden, nil))
	return made.(*codec.Encoder), nil
}

// sparse returns the encoder of the members that are asked for without those of a set. It is kept
// for the other records of the call.
func (c *Call) sparse(hidden gate.Set) *codec.Encoder {
	if c.selected == nil {
		c.selected = map[gate.Set]*codec.Encoder{}
	}
	if c.selected[hidden] == nil {
		c.selected[hidden] = without(c.Operation.Resource, c.Operation.Out, hidden, c.Values.Fields)
	}
	return c.selected[hidden]
}

// without returns the encoder of the members of a resource's records but for those of a set. Nil
// are all members.
func without(r *compiled.Resource, out *compiled.Value, hidden gate.Set, names []string) *codec.Encoder {
	var shown []string
	for i := range out.View.Members {
		f := out.View.Members[i].Field
		if (names == nil || slices.Contains(names, f.Name)) && !r.Gate.IsHidden(hidden, f.Name) {
			shown = append(shown, f.Name)
		}
	}
	return out.Encoder.Narrow(out.View.Only(shown))
}

// Masks returns what tells of a record which of its members are null in an order, for the caller
// may not see them; nil where none is.
// An error masks, since it must not show in an order what could not be asked for.
func (c *Call) Masks(ctx context.Context) func(record any, name string) bool {
	members := c.Operation.Resource.Gate
	if !members.Hides() {
		return nil
	}
	return func(record any, name string) bool {
		hidden, err := members.Hidden(ctx, &c.caller, record)
		return err != nil || members.IsHidden(hidden, name)
	}
}

// convert makes the answer that stands for a record, of which it sees what the caller may.
func (c *Call) convert(ctx context.Context, record any) (any, error) {
	record, err := c.masked(ctx, record)
	if err != nil {
		return nil, err
	}
	out, err := c.Operation.Output.Call(c.within(ctx), record)
	return out, err
}

// masked returns a record without what the caller may not see.
// A copy is cleared rather than the record, which the store may share with others.
func (c *Call) masked(ctx context.Context, record any) (any, error) {
	members := c.Operation.Resource.Gate
	if !members.Hides() {
		return record, nil
	}
	hidden, err := members.Hidden(ctx, &c.caller, record)
	if hidden == 0 || err != nil {
		return record, err
	}
	copied := c.Operation.Resource.Codec.Clone(record)
	for i := range members.List {
		if hidden.Has(i) {
			members.List[i].Field.Value(reflect.ValueOf(copied).Elem()).SetZero()
		}
	}
	return copied, nil
}

// compute makes the computed members of a record of a resource that an encoder shows.
// Only what is shown is computed: such a member may cost a query of its own, and a client that asks
// for three members should not pay for a fourth.
func (c *Call) compute(ctx context.Context, of *compiled.Resource, record any, encoder *codec.Encoder) (any, error) {
	made := &codec.Completed{Of: record}
	for _, computed := range of.Computed {
		if encoder.View().Member(computed.Field) == nil {
			continue
		}
		value, err := computed.Compute(c.within(ctx), record)
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
