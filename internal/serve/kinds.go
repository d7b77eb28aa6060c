package serve

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// New returns what serves the requests of an operation. Each kind has a constructor, which lists its steps.
func New(op *compiled.Operation) *Operation {
	switch {
	case op.History != nil:
		return newHistory(op)
	case op.Pages:
		return newPages(begin(op))
	case op.Element != nil:
		return newBulk(op)
	case op.Sets != nil:
		return newSet(op)
	case op.OfTrash():
		return newOfTrash(op)
	case op.Custom:
		return newHandler(op)
	case op.Reads:
		return newGet(op)
	case op.Membership != nil:
		return newMembership(op)
	case op.Deletes():
		return newDelete(op)
	}
	return newSave(op)
}

// begin starts the operation that a constructor makes.
func begin(op *compiled.Operation) *Operation {
	r := op.Resource
	o := &Operation{Operation: op, pathRecords: op.PathRecords(), owner: r, fromService: r.ID.FromService(), confine: (*call).confine}
	if of := op.Bodies(); of != nil && !op.Saves {
		o.owner = of
	}
	if o.lists = r; op.Aggregates {
		o.lists = nil
	}
	o.renames = op.Hooked || op.Input != nil
	o.hands = op.Processor == nil && op.Handler == nil
	o.shownWhole = o.hands && op.HasResponseBody() && !op.Narrows()
	o.hides = r.Gate.Hides() && op.Out != nil && op.Out.Codec == r.Codec // a handler's own response has no rules for fields
	if op.In != nil {
		o.checker = op.In.Checker
	}
	return o
}

// newGet reads the record that the path names.
func newGet(op *compiled.Operation) *Operation {
	o := begin(op)
	return o.reads([]step{
		when(len(op.Parents) > 0, "parents", readParents),
		{"read", readerOf(op)},
		when(op.Expansions != nil, "expand", embed),
	})
}

// readItem loads the record that the path names; with AllowCreate it marks a missing record to be created. The order of
// checks matters, because callers can observe it: below the parents, then visible, then everything else.
func readItem(ctx context.Context, c *call) error {
	o := c.op
	var loaded any
	var err error
	switch {
	case c.latest != nil && c.tx == nil: // Get may return an older one from a cache or a replica
		loaded = c.latest
	case c.tx == nil: // no copy, because the record is only read
		loaded, err = o.Resource.Store.Get(ctx, c.id)
	case o.compares:
		loaded, err = c.tx.Peek(ctx, c.id)
	default:
		loaded, err = c.tx.Get(ctx, c.id)
	}
	if c.created = o.AllowCreate && errors.Is(err, store.ErrNotFound); c.created {
		return nil
	}
	if err != nil {
		return err
	}
	return c.reveal(ctx, loaded)
}

// reveal makes a loaded record that of the call, if it is below the parents in the path and the caller may see it.
func (c *call) reveal(ctx context.Context, loaded any) error {
	o := c.op
	if o.Parents != nil {
		if below, err := c.op.isBelow(ctx, c.pathIDs, &c.caller, loaded); err != nil || !below {
			return cmp.Or(err, store.ErrNotFound)
		}
	}
	if o.Gate != nil { // not found rather than forbidden, which would reveal that the record exists
		holds, err := o.Gate.Read.Holds(ctx, &c.caller, loaded)
		if err != nil {
			return err
		}
		if !holds {
			return &hiddenError{o.Gate.Read.Denial(ctx, &c.caller, loaded)}
		}
	}
	c.record = loaded
	if o.compares {
		// Changes go to a clone, because the store may share the loaded record.
		c.previous, c.record = loaded, o.Resource.Codec.Clone(loaded)
		if c.request != nil {
			c.request.Previous = loaded
		}
	}
	return nil
}

// newSave saves a record as the body says. A Post creates it, a Patch or Put changes the one that the path names, and a Put
// with AllowCreate creates that if it is missing.
func newSave(op *compiled.Operation) *Operation {
	o := begin(op)
	o.ofRecord()
	if op.Nested != nil {
		return o.nests()
	}
	o.keyed = o.keptByDatabase()
	return o.writes(slices.Concat(o.applies(), o.validates(), o.authorizes()), []step{
		{"write", o.endsBy()},
		when(op.Expansions != nil, "expand", embed),
	})
}

// newDelete deletes the record that the path names. It uses the path, because a Processor may have changed the identifier of
// the record.
func newDelete(op *compiled.Operation) *Operation {
	o := begin(op)
	o.compares = op.Hooked
	o.savesBy(func(ctx context.Context, c *call) error { return c.tx.Delete(ctx, c.id) })
	return o.writes(nil, []step{{"write", o.endsBy()}})
}

// applies are the steps that apply the body to a record.
func (o *Operation) applies() []step {
	return []step{
		when(o.Item && o.Resource.Struct.Refers, "references", noteReferences),
		{"deserialize", deserialize},
		when(o.Input != nil, "apply", apply),
		when(o.keepsCreated, "created", keepCreateOnly),
		when(len(o.Parents) > 0, "parents", setParents),
		when(o.Resource.Gate != nil, "permissions", guardFields),
	}
}

// validates are the steps that complete and validate the record that a body makes.
func (o *Operation) validates() []step {
	return []step{
		when(o.Resource.Prepare != nil, "prepare", prepare),
		{"validate", validate},
	}
}

// authorizes are the steps that check access to the record that a body makes.
func (o *Operation) authorizes() []step {
	mayCreate := o.AllowCreate || !o.Item
	return []step{
		when(mayCreate && o.Resource.Gate != nil, "authorize", checkWritten),
		when(o.Gate != nil && (o.Gate.Act != nil || o.Gate.Create != nil), "authorize", authorizeChange),
	}
}

// ofRecord prepares an operation whose body is a record, or is applied to one.
func (o *Operation) ofRecord() {
	r := o.Resource
	if o.decode = decodeRecord; o.Input != nil {
		o.checker, o.decode = r.Checker, decodeInput
	}
	o.keepsCreated = o.Item && slices.ContainsFunc(r.Struct.Fields, func(f *model.Field) bool { return f.CreateOnly })
	o.compares = o.Hooked || r.Gate != nil || o.keepsCreated
	if r.Before != nil {
		o.before = func(ctx context.Context, c *call) error { return r.Before(ctx, c.request, c.record) }
	}
	o.savesBy(putRecord)
}

// decodeRecord decodes the body onto a new record, with the identifier of the path if it has one, or onto the record that
// the path names: a merge patch onto the copy that readItem made, and a Put onto the defaults, but it keeps fields that
// clients can neither set nor see.
func decodeRecord(c *call) *codec.Decoder {
	o, in := c.op, c.op.In
	switch {
	case !o.Item:
		c.in, c.created = in.Codec.New(), true
	case c.created:
		in = o.Missing
		c.in = in.Codec.New()
		o.Resource.ID.Set(c.in, c.id)
	case !o.Replace:
		c.in = c.record
	default:
		if c.in = in.Decoder.ResetClone(c.record); o.Missing != nil { // so that a repeated request has the same effect
			o.Resource.ID.Set(c.in, c.id)
		}
	}
	c.record = c.in
	return in.Decoder
}

// decodeInput decodes an Input: that of an update onto the values that Fill returns for the record, all others onto
// defaults. A new record gets the identifier from the path first, so that the user function sees it.
func decodeInput(c *call) *codec.Decoder {
	o, in := c.op, c.op.In
	switch {
	case c.record != nil && !o.Replace:
		c.in = o.Input.Fill(c.record)
		return in.Decoder
	case c.record == nil:
		if c.created && o.Missing != nil {
			in = o.Missing
		}
		if c.record, c.created = o.Resource.Codec.New(), true; c.id != nil {
			o.Resource.ID.Set(c.record, c.id)
		}
	}
	c.in = in.Codec.New()
	return in.Decoder
}

// newMembership adds a reference to a list of the record that the path names, or removes one.
func newMembership(op *compiled.Operation) *Operation {
	o := begin(op)
	o.compares = op.Hooked
	o.savesBy(putRecord)
	change := addMember
	if op.Kind == operation.KindDelete {
		change = removeMember
	}
	return o.writes(nil, []step{{"write", change}})
}

// addMember adds the reference that the path names, unless it is in the list.
func addMember(ctx context.Context, c *call) error {
	m := c.op.Membership
	list, at, err := c.memberList(ctx)
	if err != nil {
		return err
	}
	found, err := findVisible(ctx, &c.caller, m.Resource, []any{c.addedOrRemoved()}, nil)
	switch {
	case err != nil:
		return err
	case found[0] == nil:
		return noRecord(m.Resource)
	case at < list.Len():
		return nil
	}
	keys := m.Field.Reference.Key
	list.Set(reflect.Append(list.Slice3(0, at, at), reflect.Zero(keys.Go)))
	keys.SetKey(list.Index(at), c.addedOrRemoved())
	return c.saveValid(ctx, faultsBeyond(m.Field))
}

// removeMember removes the reference that the path names. If the list does not have it, the error is 404. But for callers
// who may not see the list there is no error, because it would reveal the content of the list.
func removeMember(ctx context.Context, c *call) error {
	m := c.op.Membership
	list, at, err := c.memberList(ctx)
	if err != nil {
		return err
	}
	if at == list.Len() {
		hides, err := isHidden(ctx, &c.caller, c.op.Resource, m.Field, c.record)
		if err == nil && !hides && m.Field.Readable() {
			err = problemOfKind(problem.NotFound, "reference to the "+naming.Phrase(m.Resource.ShortName))
		}
		return err
	}
	list.Set(reflect.AppendSlice(list.Slice3(0, at, at), list.Slice(at+1, list.Len())))
	return c.saveValid(ctx, faultsBeyond(m.Field))
}

// addedOrRemoved returns the identifier that the path adds or removes, which is the last of the other records.
func (c *call) addedOrRemoved() any { return c.pathIDs[len(c.op.Parents)] }

// memberList returns the list to change, if the caller may write it, and the index of the reference, or the length of the
// list if it does not have the reference. Changes must copy the list (Slice3, without spare capacity), because the record
// before the change shares it.
func (c *call) memberList(ctx context.Context) (list reflect.Value, at int, err error) {
	f := c.op.Membership.Field
	if rules := c.op.Resource.Gate.Rules(f.Name); rules.Write != nil {
		if err := checkWrite(ctx, &c.caller, &rules, c.record); err != nil {
			return list, 0, err
		}
	}
	list = f.Value(reflect.ValueOf(c.record).Elem())
	for at < list.Len() && f.Reference.Key.KeyIn(list.Index(at)) != c.addedOrRemoved() {
		at++
	}
	return list, at, nil
}

// saveValid validates the record that the service has changed, checks access to it, and saves it. IsFault reports whether
// clients cannot fix a violation.
func (c *call) saveValid(ctx context.Context, isFault func(v *model.Violation) bool) error {
	found, err := c.op.Resource.Checker.Check(ctx, c.record, codec.Decoded{})
	if err != nil {
		return err
	}
	if err = separate(&found, 0, isFault); err != nil && len(found.Violations) == 0 {
		return err
	}
	if err = invalid(&found, nil); err == nil && c.op.Gate != nil {
		err = authorizeChange(ctx, c)
	}
	if err != nil {
		return err
	}
	return c.op.write(ctx, c)
}

// newHandler calls the user's handler, and saves the record of the path if the handler changed it.
func newHandler(op *compiled.Operation) *Operation {
	o := begin(op)
	o.compares, o.decode = true, decodeIn
	o.savesBy(putRecord)
	if before := op.Handler.Before(); before != nil { // of a HandleAfter
		o.before = func(ctx context.Context, c *call) error {
			if c.in == nil {
				c.in = o.Handler.NewIn()
			}
			return before(ctx, c.request, c.in)
		}
	}
	if op.Reads {
		return o.reads([]step{
			when(len(op.Parents) > 0, "parents", readParents),
			when(op.Item, "read", readItem),
			{"write", handle},
		})
	}
	return o.writes([]step{
		when(op.TakesBody(), "deserialize", deserialize),
		when(op.TakesBody(), "validate", validateBody),
	}, []step{{"write", handle}})
}

// decodeIn decodes the body of a handler.
func decodeIn(c *call) *codec.Decoder {
	c.in = c.op.In.Codec.New()
	return c.op.In.Decoder
}

// handle calls the handler with the decoded body.
func handle(ctx context.Context, c *call) error {
	if c.in == nil {
		c.in = c.op.Handler.NewIn()
	}
	return c.callHandler(ctx, c.in)
}

// callHandler calls the handler, and saves the record if the handler changed it.
func (c *call) callHandler(ctx context.Context, in any) (err error) {
	o := c.op
	if c.record == nil {
		c.record = reflect.New(o.Resource.Struct.Go).Interface()
	}
	c.out, err = o.Handler.Call(ctx, c.record, in)
	if err == nil && o.Lists {
		// Its records are shown like those of a store, without the fields that the caller may not see.
		var page compiled.Page
		page, err = o.Resource.PageOf(c.out)
		if c.items = page.Items; err == nil && o.Resource.Gate.Leads() {
			err = o.Resource.Gate.Load(ctx, &c.caller, all(page.Items))
		}
	} else if err == nil && c.op.isNilObject(c.out) {
		err = errNilOutput
	}
	// An unchanged record is not saved, so that it keeps its version and ETag.
	if err != nil || !o.Saves || reflect.DeepEqual(c.previous, c.record) {
		return err
	}
	hasInput := o.In != nil || c.request.Parameters != nil // else it is a failure of the handler
	return c.saveValid(ctx, func(*model.Violation) bool { return !hasInput })
}

// errNilOutput reports a handler that returned nil, although the OpenAPI document promises an object.
var errNilOutput = errors.New("the handler returned a nil pointer without an error")

func (o *Operation) isNilObject(out any) bool {
	if o.Output != nil { // out is the record that Output converts
		v := reflect.ValueOf(out)
		return v.Kind() == reflect.Pointer && v.IsNil()
	}
	return o.Out != nil && o.Out.Type.Kind == model.Object && o.Out.Type.Nullable && reflect.ValueOf(out).IsNil()
}
