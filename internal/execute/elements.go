package execute

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
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// element is one record of a handler's body, with the call that saves it like the Post or Patch of its resource, with all
// of their rules.
type element struct {
	*Call

	of    *Call  // the handler's
	place string // in the body: "[1]", "" for all of it
	wrong model.Report
	found bool // the record exists, or is new

	named   bool // the body names the record, not the path
	missing bool // the named record does not exist, or is hidden
}

// CreateElement returns the operation that creates each record of a handler's body, like the Post of its resource. If
// unruled is set, the record cannot be saved, because a required access rule is missing.
func CreateElement(op *compiled.Operation, with Functions, unruled bool) *Operation {
	o := asElement(Create(op, with))
	o.unruled = unruled
	return o
}

// UpdateElement returns the operation that changes each record of a handler's body, like the Patch of its resource.
func UpdateElement(op *compiled.Operation, with Functions) *Operation {
	return asElement(Update(op, with))
}

// asElement splits the steps of an operation into those before and after the handler. The rules are checked again
// afterwards, because the handler and Prepare may have changed the record.
func asElement(o *Operation) *Operation {
	// Functions get the previous record, and may keep the new one or change its identifier.
	o.compares, o.renames, o.hands, o.shownWhole = true, true, false, false
	o.steps = nil
	o.receives = steps([]step{
		when(o.Item && o.Resource.Struct.Refers, "references", noteReferences),
		{"deserialize", deserialize},
		when(o.HasInput, "apply", apply),
		when(o.keepsCreated, "created", keepCreateOnly),
		when(o.Resource.Gate != nil, "members", guardMembers),
	})
	o.finishes = steps([]step{
		when(o.Resource.Prepare != nil, "prepare", prepare),
		{"validate", validate},
		when(o.creates() && o.Resource.Gate != nil, "authorize", checkWritten),
		when(o.Gate != nil && (o.Gate.Act != nil || o.Gate.Create != nil), "authorize", authorizeChange),
		// In the transaction, because only here it is known which records the function saves.
		when(o.before != nil, "before", o.before),
		when(o.before != nil, "authorize", func(ctx context.Context, c *Call) error { return c.authorizeAgain(ctx) }),
		{"write", o.write},
	})
	return o
}

// newElement returns the call for the record at an index of the body.
func (c *Call) newElement(i int) *element {
	e := &element{of: c}
	if c.Operation.In.Each != nil {
		e.place = "[" + strconv.Itoa(i) + "]"
	}
	request := *c.Request
	request.Kind, request.Previous, request.ExtraProperties = c.Operation.element.Kind, nil, c.Operation.element.Extra
	e.Call = &Call{
		Operation: c.Operation.element, Values: c.Values, Request: &request,
		Principal: c.Principal, Scopes: c.Scopes, authorized: true,
	}
	e.caller.Set(c.Principal, c.Scopes)
	e.caller.Records = c.caller.Records
	return e
}

// split returns the elements of a body that is a list, else all of it.
func (c *Call) split() ([]jsontext.Value, error) {
	if c.Operation.In.Each == nil {
		return []jsontext.Value{c.Body}, nil
	}
	return codec.Elements(c.Body)
}

// takeElements loads the records that a body changes, and applies the body to copies. It loads all of them, and checks
// access to each, before it decodes the first element, so that an error in one reveals nothing about another.
func takeElements(ctx context.Context, c *Call) error {
	texts, err := c.split()
	if err != nil {
		return malformed(err, "")
	}
	for i, text := range texts {
		e := c.newElement(i)
		e.Body = text
		c.elements = append(c.elements, e)
	}
	return c.inStoreOfElements(ctx, func(ctx context.Context, tx compiled.Tx) error {
		for _, e := range c.elements {
			e.tx = tx
			if err := e.name(ctx); err != nil {
				return err
			}
		}
		if err := readInOrder(ctx, c.elements); err != nil {
			return err
		}
		seen := map[any]bool{}
		for _, e := range c.elements {
			if err := e.locate(ctx, seen); err != nil {
				return err
			}
		}
		for _, e := range c.elements {
			if err := e.receive(ctx); err != nil {
				return placed(err, e.place)
			}
		}
		return nil
	})
}

// malformed returns the error of a malformed body.
func malformed(err error, place string) error {
	found, ok := errors.AsType[*codec.SyntaxError](err)
	if !ok {
		return err
	}
	pointer := found.Pointer
	if place != "" {
		pointer = "/" + strings.Trim(place, "[]") + pointer
	}
	return &RejectedError{Reason: Malformed, Detail: naming.Sentence(found.Detail), Pointer: pointer}
}

// name finds the identifier of an element's record, and checks the rules that need no record.
func (e *element) name(ctx context.Context) error {
	c := e.of
	switch {
	case e.place != "" && jsontext.Value(e.Body).Kind() != jsontext.KindBeginObject:
		e.wrong.Add(validation.Violation{Code: "type", Message: e.place + " must be an object"})
		return nil
	case c.Operation.Creating != nil:
		e.found, e.Created = true, true
		return nil
	case c.changesItsRecord(): // access to it has been checked
		e.found, e.ID, e.previous = true, c.ID, c.previous
		e.Record, e.Request.Previous = e.Operation.Resource.Codec.Clone(c.previous), c.previous
		return nil
	}
	if err := e.Authorize(ctx); err != nil {
		return placed(err, e.place)
	}
	var err error
	e.named, err = e.identify()
	return err
}

// locate checks that a named record exists, and that the caller may change it.
func (e *element) locate(ctx context.Context, seen map[any]bool) error {
	if !e.named {
		return nil
	}
	switch {
	case e.missing:
		e.report(validation.Violation{Code: codec.CodeReference, Message: "must be the identifier of an existing " + e.Operation.Resource.ShortName})
		return nil
	case seen[e.ID]:
		e.report(validation.Violation{Code: "unique", Message: "is a duplicate"})
		return nil
	}
	e.found, seen[e.ID] = true, true
	if g := e.Operation.Gate; g == nil || g.Act == nil {
		return nil
	}
	return placed(authorizeRecord(ctx, e.Call), e.place)
}

// changesItsRecord reports whether a body changes the record that the path names.
func (c *Call) changesItsRecord() bool {
	return c.Operation.Item && c.Operation.In.Each == nil && c.Operation.Patching == c.Operation.Resource
}

// report adds a violation of the identifier, whose names begin the message.
func (e *element) report(v validation.Violation) {
	names := e.Operation.Resource.ID.Names()
	v.Field, v.Message = names[0], strings.Join(names, " with ")+" "+v.Message
	e.wrong.Add(v)
}

// identify reads the identifier of an element's record, and reports whether it has a valid one.
func (e *element) identify() (bool, error) {
	id, blank := e.Operation.Resource.ID, e.Operation.Resource.Codec.New()
	decoded, err := e.Operation.In.Decoder.Decode(e.Body, blank)
	if err != nil {
		return false, malformed(err, e.place)
	}
	if slices.ContainsFunc(decoded.Violations, func(v model.Violation) bool { return id.Has(v.Field) }) {
		e.wrong.AddAll(decoded.Violations)
		return false, nil
	}
	e.ID = id.Of(blank)
	return true, nil
}

// receive applies the body of an element to its record. An invalid Input is reported, and the record is not validated.
func (e *element) receive(ctx context.Context) error {
	if !e.found {
		return nil
	}
	err := e.runSteps(ctx, e.Operation.receives)
	if broken, ok := errors.AsType[InvalidError](err); ok {
		e.found, e.wrong = false, *broken.Found
		return nil
	}
	return err
}

// validateElements validates the changed records, and reports all violations.
func validateElements(ctx context.Context, c *Call) error {
	var all model.Report
	for _, e := range c.elements {
		if e.found {
			err := validate(ctx, e.Call)
			broken, ok := errors.AsType[InvalidError](err)
			if err != nil && !ok {
				return placed(err, e.place)
			}
			if ok {
				e.wrong = *broken.Found
			}
		}
		addBelow(&all, &e.wrong, e.place)
	}
	return invalid(&all, nil)
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
	slices.SortStableFunc(named, func(a, b *element) int { return compareIDs(a.ID, b.ID) })
	for _, e := range named {
		err := readItem(ctx, e.Call)
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
	if e.Operation.unruled {
		return nil, errUnruled
	}
	err := c.inStoreOfElements(ctx, func(ctx context.Context, tx compiled.Tx) error {
		e.tx = tx
		e.in, e.hookErrors, e.decoded = e.Record, nil, codec.Decoded{View: e.Operation.In.View}
		return e.runSteps(ctx, e.Operation.finishes)
	})
	e.tx = nil
	if c.Request.ResponseHeader == nil {
		c.Request.ResponseHeader = e.Request.ResponseHeader
	}
	if err != nil {
		return nil, placed(e.explainConflict(err), e.place)
	}
	if c.Operation.Patching != nil && c.changesItsRecord() {
		codec := e.Operation.Resource.Codec
		reflect.ValueOf(c.Record).Elem().Set(reflect.ValueOf(codec.Clone(e.Record)).Elem())
		c.previous, c.State = codec.Clone(e.Record), append(c.State[:0], e.State...)
	}
	return e.Record, nil
}

// inStoreOfElements runs a function in a transaction of the store that has the records of a body: the call's, or one that
// joins it if the call is on another resource.
func (c *Call) inStoreOfElements(ctx context.Context, run storing) error {
	of := c.Operation.Bodies().Store
	if of == c.Operation.owner.Store && c.tx != nil {
		return run(ctx, c.tx)
	}
	return of.Transact(ctx, run)
}

// storing is a function as a transaction runs it.
type storing func(ctx context.Context, tx compiled.Tx) error

// Run runs it.
func (s storing) Run(ctx context.Context, tx compiled.Tx) error { return s(ctx, tx) }
