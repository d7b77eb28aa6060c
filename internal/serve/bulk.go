package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// newBulk calls a handler whose body creates or changes records. Its Element saves each record.
func newBulk(op *compiled.Operation) *Operation {
	o := begin(op)
	o.compares, o.element = true, newElementOperation(op.Element)
	o.savesBy(putRecord)
	return o.writes([]step{
		{"deserialize", takeElements},
		{"validate", validateElements},
		when(op.Creating != nil && op.Creating.Gate != nil, "authorize", checkCreated),
	}, []step{{"write", handleElements}})
}

// checkCreated checks the rules of fields that depend on the new records, because the handler may save them elsewhere.
func checkCreated(ctx context.Context, c *call) error {
	for _, e := range c.elements {
		if err := checkWritten(ctx, e.call); err != nil {
			return placed(err, e.place)
		}
	}
	return nil
}

// handleElements calls the handler with the records of the body.
func handleElements(ctx context.Context, c *call) error {
	list := make([]any, len(c.elements))
	for i, e := range c.elements {
		var fields []string
		if c.op.Patching != nil {
			fields = fieldsOf(e.body)
		}
		list[i] = c.op.Handler.Element(e.record, e.previous, fields, e.save)
	}
	return c.callHandler(ctx, list)
}

// element is one record of a handler's body, with the call that saves it like the Post or Patch of its resource, with all
// of their rules.
type element struct {
	*call

	of    *call  // the handler's
	place string // in the body: "[1]", "" for all of it
	wrong model.Report
	found bool // the record exists, or is new

	named   bool // the body names the record, not the path
	missing bool // the named record does not exist, or is hidden
}

// newElementOperation creates or changes each record of a handler's body, like the Post or Patch of its resource. Its steps
// are in two lists, those before and those after the handler. The rules are checked again afterwards, because the handler and
// Prepare may have changed the record.
func newElementOperation(op *compiled.Operation) *Operation {
	o := begin(op)
	o.ofRecord()
	// Functions get the previous record, and may keep the new one or change its identifier.
	o.compares, o.renames, o.hands, o.shownWhole = true, true, false, false
	o.receives, o.checked = steps(o.applies()), steps([]step{{"validate", validateFirst}})
	o.finishes = steps(o.validates(), o.authorizes(), o.finishing())
	return o
}

// validateFirst validates an element before the handler. It or Prepare may set references that a new record leaves out.
func validateFirst(ctx context.Context, c *call) error {
	if c.created {
		c.in = nil
	}
	return validate(ctx, c)
}

// finishing are the steps that save an element of a body.
func (o *Operation) finishing() []step {
	return []step{
		// In the transaction, because only here it is known which records are saved.
		when(o.before != nil, "before", o.before),
		when(o.before != nil, "authorize", authorizeAgain),
		{"write", o.write},
	}
}

// newElement returns the call for the record at a place of the body, which an operation saves.
func (c *call) newElement(op *Operation, place string) *element {
	e := &element{of: c, place: place}
	request := *c.request
	request.Kind, request.Previous, request.ExtraProperties = op.Kind, nil, op.Extra
	e.call = &call{
		arrival: arrival{op: op}, Client: c.Client, r: c.r, values: c.values, request: &request, identified: true,
	}
	e.caller.Set(c.principal, c.scopes)
	e.caller.Records = c.caller.Records
	return e
}

// takeElements loads the records that a body changes, and applies the body to copies. It loads all of them, and checks
// access to each, before it decodes the first element, so that an error in one reveals nothing about another.
func takeElements(ctx context.Context, c *call) error {
	texts, isList := []jsontext.Value{c.body}, c.op.In.Each != nil
	if isList {
		var err error
		if texts, err = codec.Elements(c.body); err != nil {
			return malformed(err, "")
		}
	}
	for i, text := range texts {
		place := ""
		if isList {
			place = "[" + strconv.Itoa(i) + "]"
		}
		e := c.newElement(c.op.element, place)
		e.body = text
		c.elements = append(c.elements, e)
	}
	return c.inStore(ctx, c.op.Bodies(), func(ctx context.Context, tx compiled.Tx) error {
		for _, e := range c.elements {
			e.tx = tx
			if err := e.name(ctx); err != nil {
				return err
			}
		}
		if err := readInOrder(ctx, c.elements); err != nil {
			return err
		}
		seen := map[target]bool{}
		for _, e := range c.elements {
			if err := e.locate(ctx, seen); err != nil {
				return err
			}
		}
		if err := c.meetElements(ctx); err != nil {
			return err
		}
		return c.receiveElements(ctx)
	})
}

// receiveElements applies the body to the records of its elements.
func (c *call) receiveElements(ctx context.Context) error {
	for _, e := range c.elements {
		if err := e.receive(ctx); err != nil {
			return placed(err, e.place)
		}
	}
	return c.findTargets(ctx)
}

// name finds the identifier of an element's record, and checks the rules that need no record.
func (e *element) name(ctx context.Context) error {
	c := e.of
	switch {
	case e.place != "" && jsontext.Value(e.body).Kind() != jsontext.KindBeginObject:
		e.wrong.Add(validation.Violation{Code: "type", Message: e.place + " must be an object"})
		return nil
	case c.op.Creating != nil:
		e.found, e.created = true, true
		return nil
	case c.op.changesItsRecord(): // access to it has been checked
		e.found, e.id, e.previous = true, c.id, c.previous
		e.record, e.request.Previous = e.op.Resource.Codec.Clone(c.previous), c.previous
		return nil
	}
	if err := authorize(ctx, e.call); err != nil {
		return placed(err, e.place)
	}
	var err error
	e.named, err = e.identify()
	return err
}

func (e *element) target() target { return target{e.op.Resource.Struct, e.id} }

// reportDuplicate reports an identifier that the body has twice.
func (e *element) reportDuplicate() {
	e.report(validation.Violation{Code: "unique", Message: "is a duplicate"})
}

// locate checks that a named record exists, and that the caller may change it.
func (e *element) locate(ctx context.Context, seen map[target]bool) error {
	if !e.named {
		return nil
	}
	switch id := e.target(); {
	case e.missing:
		e.report(validation.Violation{Code: codec.CodeReference, Message: "must be the identifier of an existing " + e.op.Resource.ShortName})
		return nil
	case seen[id]:
		e.reportDuplicate()
		return nil
	default:
		e.found, seen[id] = true, true
	}
	if g := e.op.Gate; g == nil || g.Act == nil {
		return nil
	}
	return placed(authorizeRecord(ctx, e.call), e.place)
}

// changesItsRecord reports whether a body changes the record that the path names.
func (o *Operation) changesItsRecord() bool {
	return o.Item && o.In.Each == nil && o.Patching == o.Resource
}

// report adds a violation of the identifier, whose names begin the message.
func (e *element) report(v validation.Violation) {
	names := e.op.Resource.ID.Names()
	v.Field, v.Message = names[0], strings.Join(names, " with ")+" "+v.Message
	e.wrong.Add(v)
}

// identify reads the identifier of an element's record, and reports whether it has a valid one.
func (e *element) identify() (bool, error) {
	id, blank := e.op.Resource.ID, e.op.Resource.Codec.New()
	decoded, err := e.op.In.Decoder.Decode(e.body, blank)
	if err != nil {
		return false, malformed(err, e.place)
	}
	if slices.ContainsFunc(decoded.Violations, func(v model.Violation) bool { return id.Has(v.Field) }) {
		e.wrong.AddAll(decoded.Violations)
		return false, nil
	}
	e.id = id.Of(blank)
	return true, nil
}

// receive applies the body of an element to its record. An invalid Input is reported, and the record is not validated.
func (e *element) receive(ctx context.Context) error {
	if !e.found {
		return nil
	}
	err := e.runSteps(ctx, e.op.receives)
	if broken, ok := errors.AsType[invalidError](err); ok {
		e.found, e.wrong = false, *broken.found
		return nil
	}
	return err
}

// validateElements validates the changed records, and reports all violations.
func validateElements(ctx context.Context, c *call) error {
	return c.validateAfter(ctx, new(model.Report))
}

// validateAfter is validateElements after other violations.
func (c *call) validateAfter(ctx context.Context, all *model.Report) error {
	for _, e := range c.elements {
		if e.found {
			err := e.runSteps(ctx, e.op.checked)
			broken, ok := errors.AsType[invalidError](err)
			if err != nil && !ok {
				return placed(err, e.place)
			}
			if ok {
				e.wrong = *broken.found
			}
		}
		addBelow(all, &e.wrong, e.place)
	}
	return invalid(all, nil)
}

// readInOrder loads the named records in the order of their identifiers, so that two requests for the same records cannot
// deadlock.
func readInOrder(ctx context.Context, elements []*element) error {
	var named []*element
	for _, e := range elements {
		if e.named {
			named = append(named, e)
		}
	}
	slices.SortStableFunc(named, func(a, b *element) int { return compareIDs(a.id, b.id) })
	for _, e := range named {
		err := readItem(ctx, e.call)
		if e.missing = errors.Is(err, store.ErrNotFound); err != nil && !e.missing {
			return placed(err, e.place)
		}
	}
	return nil
}

// compareIDs compares two identifiers of one resource: numbers as numbers, all others as strings.
func compareIDs(a, b any) int {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b)
		}
	case store.Key:
		if b, ok := b.(store.Key); ok {
			return slices.CompareFunc(a[:], b[:], compareIDs)
		}
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

// errUnruled reports a resource without an access rule for creating records.
var errUnruled = errors.New("no access rule for the record of CreateOf.Save; set Access.Create of its resource")

// save is the method Save of a CreateOf or PatchOf. Its errors have the place of the element.
func (e *element) save(ctx context.Context) (any, error) {
	c := e.of
	if c.tx == nil {
		return nil, errEnded
	}
	if e.op.Unruled {
		return nil, errUnruled
	}
	err := e.saveIn(ctx, c.op.Bodies(), func(ctx context.Context) error {
		e.in, e.hookErrors, e.decoded = e.record, nil, codec.Decoded{View: e.op.In.View}
		return e.runSteps(ctx, e.op.finishes)
	})
	if err != nil {
		return nil, err
	}
	if c.op.Patching != nil && c.op.changesItsRecord() {
		codec := e.op.Resource.Codec
		reflect.ValueOf(c.record).Elem().Set(reflect.ValueOf(codec.Clone(e.record)).Elem())
		c.previous, c.buffers.state = codec.Clone(e.record), append(c.buffers.state[:0], e.buffers.state...)
	}
	return e.record, nil
}

// saveIn runs a function that saves the element in a transaction of the store of a resource. An error has its place in the body.
func (e *element) saveIn(ctx context.Context, of *compiled.Resource, save func(context.Context) error) error {
	err := e.of.inStore(ctx, of, func(ctx context.Context, tx compiled.Tx) error {
		e.tx = tx
		return save(ctx)
	})
	e.tx = nil
	if e.of.request.ResponseHeader == nil {
		e.of.request.ResponseHeader = e.request.ResponseHeader
	}
	if err == nil {
		return nil
	}
	err = placed(e.explainConflict(err), e.place)
	at, ok := errors.AsType[*placedError](err)
	switch {
	case ok:
		at.by = e.call
	case errors.Is(err, store.ErrConflict): // of another resource than the operation, perhaps
		err = &placedError{"", e.call, err}
	}
	return err
}

// inStore runs a function in a transaction of the store of a resource: the call's, or one that joins it if the call is on
// another resource.
func (c *call) inStore(ctx context.Context, of *compiled.Resource, run storing) error {
	if of.Store == c.op.owner.Store && c.tx != nil {
		return run(ctx, c.tx)
	}
	return of.Store.Transact(ctx, run)
}

// storing is a function as a transaction runs it.
type storing func(ctx context.Context, tx compiled.Tx) error

// Run runs it.
func (s storing) Run(ctx context.Context, tx compiled.Tx) error { return s(ctx, tx) }
