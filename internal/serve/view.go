package serve

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
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
	if err := of.Read.Load(ctx, caller, records); err != nil {
		return nil, err
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
	if !caller.Keeps {
		caller.Forget()
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
		shown, err := c.op.convert(ctx, &c.caller, c.op.pointer(record))
		return all, shown, err
	}
	encoder := all
	if o.hides {
		hidden, err := o.Resource.Gate.Hidden(ctx, &c.caller, c.op.pointer(record))
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
	record, err := compute(ctx, o.Resource, c.op.pointer(record), encoder)
	return encoder, record, err
}

// pointer returns a pointer to a record, which a handler may have returned by value.
func (o *Operation) pointer(record any) any {
	if reflect.TypeOf(record).Kind() == reflect.Pointer {
		return record
	}
	made := reflect.New(o.Resource.Struct.Go)
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
func (o *Operation) sortMasks(ctx context.Context, caller *authz.Caller) func(record any, name string) bool {
	members := o.Resource.Gate
	if !members.Hides() {
		return nil
	}
	return func(record any, name string) bool {
		hidden, err := members.Hidden(ctx, caller, record)
		return err != nil || members.IsHidden(hidden, name)
	}
}

// convert calls Output with a record, in which the fields that the caller may not see are cleared. It clears them in a
// copy, because the store may share the record.
func (o *Operation) convert(ctx context.Context, caller *authz.Caller, record any) (any, error) {
	r := o.Resource
	hidden, err := r.Gate.Hidden(ctx, caller, record)
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
	return o.Output.Call(ctx, record)
}

// compute computes the fields of a record that the encoder shows. It skips the others, because each may cost a query.
func compute(ctx context.Context, of *compiled.Resource, record any, encoder *codec.Encoder) (any, error) {
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

// item is what formats write: a record, or the result of a handler. Everything but the JSON is computed only if a format
// uses it.
type item struct {
	c        *call
	encoder  *codec.Encoder
	value    any                // pointer to a record, or the result of a handler
	shown    any                // the value to encode
	record   *compiled.Resource // the resource of the record; nil for other values
	embedded []*expanded        // the embedded records; changes with the batches of a stream
	within   bool               // it is embedded in another one
}

// Type returns the short name of the resource, "" for a handler's own type.
func (i *item) Type() string {
	if i.record == nil {
		return ""
	}
	return i.record.ShortName
}

// ID returns the string form of the identifier of the record, "" for other values.
func (i *item) ID() string { return idText(i.record, i.value) }

// idText returns the string form of the identifier of a resource's record, "" for other values.
func idText(of *compiled.Resource, record any) string {
	id := idOf(of, record)
	if !id.IsValid() {
		return ""
	}
	text, err := of.ID.Text(id.Interface())
	if err != nil {
		return ""
	}
	return text
}

// Path returns the path of the record's Get, "" if it has no Get.
func (i *item) Path() string {
	var room [128]byte
	return string(i.AppendPath(room[:0]))
}

// AppendPath appends Path.
func (i *item) AppendPath(b []byte) []byte {
	id := idOf(i.record, i.value)
	switch {
	case !id.IsValid():
		return b
	case i.record.Home != nil:
		return i.record.Home.Append(b, reflect.Indirect(reflect.ValueOf(i.value)))
	case i.record.RecordPath == nil:
		return b
	case id.Type() == reflect.TypeFor[int64](): // without boxing it, which allocates for each record of a page
		return i.record.RecordPath.AppendInt(b, id.Int())
	case id.Type() == reflect.TypeFor[string]():
		return i.record.RecordPath.Append(b, id.String())
	}
	return i.record.RecordPath.Append(b, i.ID())
}

// idOf returns the identifier of a resource's record, the zero Value for other values.
func idOf(of *compiled.Resource, value any) reflect.Value {
	record := reflect.ValueOf(value)
	if of == nil || !record.IsValid() {
		return reflect.Value{}
	}
	if record.Kind() == reflect.Pointer { // a handler may return it by value
		record = record.Elem()
	}
	if !record.IsValid() {
		return reflect.Value{}
	}
	return of.ID.ValueIn(record)
}

// AppendJSON appends the whole as JSON.
// Linked formats write embedded records outside of the record.
func (i *item) AppendJSON(b []byte) ([]byte, error) {
	before := len(b)
	b, err := i.encoder.Append(b, i.shown)
	if err == nil && i.within {
		err = i.c.work.embeds(len(b) - before)
	}
	if err != nil || i.c.format.Linked || i.embedded == nil {
		return b, err
	}
	return i.c.work.appendEmbedded(b, i.embedded, i.record, i.value)
}

// Fields returns the fields of an object, nil for another value.
func (i *item) Fields() ([]format.Field, error) {
	memory := i.c.itemMemory()
	start := len(memory.fields)
	text, members, err := i.encoder.AppendMembers(memory.text, i.shown, memory.fields)
	if err != nil || members == nil {
		return nil, err
	}
	if i.within {
		size := len("{}")
		for _, member := range members[start:] {
			size += len(member.Name) + len(member.JSON) + len(`"":,`)
		}
		if err = i.c.work.embeds(size); err != nil {
			return nil, err
		}
	}
	memory.text = text // because what is embedded may have fields, too
	switch {
	case i.embedded == nil:
	case !i.c.format.Linked:
		begin := len(text) + len(embedded) - 1
		if memory.text, err = i.c.work.appendEmbedded(append(text, '}'), i.embedded, i.record, i.value); err != nil {
			return nil, err
		}
		members = append(members, format.Field{Name: embeddedName, JSON: memory.text[begin : len(memory.text)-1]})
	case !i.within:
		if members, err = i.appendAlone(members); err != nil {
			return nil, err
		}
	}
	memory.fields = members
	return members[start:], nil
}

// Permissions is what a caller may do to a record.
type Permissions struct {
	Operations []string `json:"operations"`      // their ids
	Unmet      []string `json:"unmet,omitempty"` // the ids of those that only the state of the record does not allow
	Locked     []string `json:"locked"`          // the fields that the caller may not set
}

// PermissionsOf returns what the caller may do to the record of a response, nil for a record that has not been loaded whole.
func PermissionsOf(of format.Item) (made *Permissions, err error) {
	i, ok := of.(*item)
	if !ok || i.record == nil || i.within || i.c.items != nil { // records of collections may lack fields that rules need
		return nil, nil //nolint:nilnil // there are none
	}
	c, ctx, record := i.c, i.c.work.ctx, i.c.op.pointer(i.value)
	c.identify(ctx)
	if c.request == nil { // functions of rules may get the request from the context
		c.describe(ctx)
		ctx = operation.WithRequest(ctx, c.request)
	}
	keeps := c.caller.Keeps
	c.caller.Keeps = true // many rules may look at the same records, which no longer change
	defer func() { c.caller.Keeps = keeps }()
	made = &Permissions{Locked: []string{}}
	if made.Operations, made.Unmet, err = c.op.allowed(ctx, &c.caller, record); err == nil {
		err = c.op.addLocked(ctx, &c.caller, record, made)
	}
	return made, err
}

// Selected returns the names of the fields that the response can have, nil for all.
func (i *item) Selected() []string {
	if i.within {
		return nil
	}
	return i.c.selected()
}

// selected returns the names of the fields that the response can have: those that the client requested, or those that
// the caller may see in some record, unless they know all from the documentation; nil for all.
func (c *call) selected() []string {
	if fields := c.values.Fields; fields != nil || !c.op.hidesFields || c.op.API.DocsRule == nil {
		return fields
	}
	if !c.isSelected {
		c.isSelected, c.names = true, c.visible()
	}
	return c.names
}

// visible returns the names of the fields that the caller may see in some record, nil for all.
func (c *call) visible() []string {
	if c.identify(c.r.Context()); c.op.API.ShowsDocs(&c.caller) {
		return nil
	}
	names := c.op.Out.View.Shows()
	all := len(names)
	names = slices.DeleteFunc(names, func(name string) bool { return !c.sees(name) })
	if len(names) == all {
		return nil
	}
	for _, e := range c.op.Expansions { // a view may omit the reference of a record that it embeds
		if e.Always && c.sees(e.Path) && !slices.Contains(names, e.Field.Name) {
			names = append(names, e.Field.Name)
		}
	}
	return names
}
