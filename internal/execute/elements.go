package execute

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/report"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// element is one record of a handler's body, with the call that saves it: as the Post or Patch of its
// resource would, so that no rule of these can be passed by.
type element struct {
	*Call

	of    *Call  // the handler's
	place string // in the body: "[1]", "" for all of it
	wrong report.Report
	found bool // the record of a patch
}

// receivesElements is about handlers whose bodies change records by a PatchOf, or create them of another type than
// the record: what a body that creates records has of them is decoded like any other.
func receivesElements(op *compiled.Operation) bool {
	return op.In != nil && (op.Patching != nil || op.ElementInput != nil)
}

// decodesBody is about all other bodies.
func decodesBody(op *compiled.Operation) bool { return op.TakesBody() && !receivesElements(op) }

// newElement makes the call of a record at a place of the body.
func (c *Call) newElement(ctx context.Context, i int) *element {
	e := &element{of: c}
	if c.Operation.In.Each != nil {
		e.place = "[" + strconv.Itoa(i) + "]"
	}
	request := *c.Request
	request.Kind, request.Previous, request.ExtraProperties = c.Operation.element.Kind, nil, c.Operation.element.Extra
	e.Call = &Call{
		Operation: c.Operation.element, Values: c.Values, Request: &request,
		Principal: c.Principal, Scopes: c.Scopes, authorized: true, element: true,
	}
	e.meet(ctx)
	return e
}

// split returns the elements of a body that is a list, else all of it.
func (c *Call) split() ([]jsontext.Value, error) {
	if c.Operation.In.Each == nil {
		return []jsontext.Value{c.Body}, nil
	}
	return codec.Elements(c.Body)
}

// takeElements finds the records that a body changes, and applies it to copies of them. All are found, and the
// rights to them asked, before the first body is decoded: a mistake in one must not tell of another.
func takeElements(ctx context.Context, c *Call) error {
	texts, err := c.split()
	if err != nil {
		return malformed(err, "")
	}
	for i, text := range texts {
		e := c.newElement(ctx, i)
		e.Body = text
		c.elements = append(c.elements, e)
	}
	return c.inStoreOfElements(ctx, func(ctx context.Context, tx compiled.Tx) error {
		met := map[any]bool{}
		for _, e := range c.elements {
			e.tx = tx
			if err := e.locate(ctx, met); err != nil {
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

// malformed returns what is told of a body that cannot be read.
func malformed(err error, place string) error {
	found, ok := errors.AsType[*codec.SyntaxError](err)
	if !ok {
		return err
	}
	pointer := found.Pointer
	if place != "" {
		pointer = "/" + strings.Trim(place, "[]") + pointer
	}
	return &RefusedError{Reason: Malformed, Detail: found.Detail, Pointer: pointer}
}

// locate loads the record that an element is about, if the caller may see it, and asks whether he may
// change it. One that is hidden is missing.
func (e *element) locate(ctx context.Context, met map[any]bool) error {
	c := e.of
	switch {
	case e.place != "" && jsontext.Value(e.Body).Kind() != jsontext.KindBeginObject:
		e.wrong.Add(validation.Violation{Code: "type", Message: e.place + " must be an object"})
		return nil
	case c.Operation.Creating != nil:
		e.found, e.Created = true, true
		return nil
	case c.changesItsRecord(): // which it has been asked about
		e.found, e.ID, e.previous = true, c.ID, c.previous
		e.Record, e.Request.Previous = e.Operation.Resource.Codec.Clone(c.previous), c.previous
		return nil
	}
	if err := e.authorizeAlone(ctx); err != nil {
		return placed(err, e.place)
	}
	known, err := e.identify()
	if err != nil || !known {
		return err
	}
	switch err := e.readItem(ctx); {
	case errors.Is(err, store.ErrNotFound):
		e.tell(validation.Violation{Code: codec.CodeReference, Message: "must be the identifier of an existing " + e.Operation.Resource.ShortName})
		return nil
	case err != nil:
		return placed(err, e.place)
	case met[e.ID]:
		e.tell(validation.Violation{Code: "unique", Message: "is in the list already"})
		return nil
	}
	e.found, met[e.ID] = true, true
	if actsOnRecord(e.Operation.Operation) {
		return placed(authorizeRecord(ctx, e.Call), e.place)
	}
	return nil
}

// changesItsRecord reports whether a body changes the record that the path names.
func (c *Call) changesItsRecord() bool {
	return c.Operation.Item && c.Operation.In.Each == nil && c.Operation.Patching == c.Operation.Resource
}

// tell notes what is wrong with an identifier, which the message goes on about.
func (e *element) tell(v validation.Violation) {
	names := e.Operation.Resource.ID.Names()
	v.Field, v.Message = names[0], strings.Join(names, " with ")+" "+v.Message
	e.wrong.Add(v)
}

// identify reads which record an element is about, and reports whether it says so.
func (e *element) identify() (bool, error) {
	id, blank := e.Operation.Resource.ID, e.Operation.Resource.Codec.New()
	decoded, err := e.Operation.In.Decoder.Decode(e.Body, blank)
	if err != nil {
		return false, malformed(err, e.place)
	}
	if slices.ContainsFunc(decoded.Violations, func(v report.Violation) bool { return id.Has(v.Field) }) {
		e.wrong.AddAll(decoded.Violations)
		return false, nil
	}
	e.ID = id.Of(blank)
	return true, nil
}

// receive applies the body of an element, and keeps what it may not change. What is wrong with a body of another type
// than the record is told before anything is known of the record.
func (e *element) receive(ctx context.Context) error {
	if !e.found {
		return nil
	}
	err := e.apply(ctx)
	if broken, ok := errors.AsType[InvalidError](err); ok {
		e.found, e.wrong = false, *broken.Found
		return nil
	}
	return err
}

func (e *element) apply(ctx context.Context) error {
	op := e.Operation.Operation
	if op.Resource.Struct.Refers {
		if err := noteReferences(ctx, e.Call); err != nil {
			return err
		}
	}
	if err := deserialize(ctx, e.Call); err != nil {
		return err
	}
	if appliesInput(op) {
		if err := apply(ctx, e.Call); err != nil {
			return err
		}
	}
	if e.Operation.keepsCreated {
		if err := keepCreateOnly(ctx, e.Call); err != nil {
			return err
		}
	}
	if guardsMembers(op) {
		return guardMembers(ctx, e.Call)
	}
	return nil
}

// judgeElements tells all that is wrong with the records that a body makes of those that are there.
func judgeElements(ctx context.Context, c *Call) error {
	var all report.Report
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
	return refuseIf(all, nil)
}

// elementsIn returns the records of the body as the handler is handed them.
func (c *Call) elementsIn(ctx context.Context) ([]operation.Element, error) {
	if !receivesElements(c.Operation.Operation) {
		if err := c.takeCreated(ctx); err != nil {
			return nil, err
		}
	}
	list := make([]operation.Element, len(c.elements))
	for i, e := range c.elements {
		list[i] = operation.Element{Record: e.Record, Previous: e.previous, Save: e.save}
		if c.Operation.Patching != nil {
			list[i].Members = membersOf(e.Body)
		}
	}
	return list, nil
}

// takeCreated makes the calls of the records that a body creates. What it has of each only rules of
// members want to know.
func (c *Call) takeCreated(ctx context.Context) error {
	var texts []jsontext.Value
	if guardsCreating(c.Operation.Operation) {
		var err error
		if texts, err = c.split(); err != nil {
			return malformed(err, "")
		}
	}
	return c.eachIn(func(_ string, record reflect.Value) error {
		e := c.newElement(ctx, len(c.elements))
		if e.Record, e.Created = record.Addr().Interface(), true; texts != nil {
			e.Body = texts[len(c.elements)]
		}
		c.elements = append(c.elements, e)
		return nil
	})
}

// errUnruled is of a resource whose records nobody is said to create.
var errUnruled = errors.New("nothing says who may create the record that CreateOf.Save is to save; set Rules.Create of its resource")

// save is handed to the user, as Save of a CreateOf or PatchOf. What it refuses is told at the place
// of the element.
func (e *element) save(ctx context.Context) (any, error) {
	c := e.of
	if c.tx == nil {
		return nil, errEnded
	}
	if e.Operation.Unruled {
		return nil, errUnruled
	}
	err := c.inStoreOfElements(ctx, func(ctx context.Context, tx compiled.Tx) error {
		e.tx = tx
		return e.finish(ctx)
	})
	e.tx = nil
	if c.Request.Answer == nil {
		c.Request.Answer = e.Request.Answer
	}
	if err != nil {
		return nil, placed(e.ofIntegrity(err), e.place)
	}
	if c.Operation.Patching != nil && c.changesItsRecord() {
		codec := e.Operation.Resource.Codec
		reflect.ValueOf(c.Record).Elem().Set(reflect.ValueOf(codec.Clone(e.Record)).Elem())
		c.previous, c.State = codec.Clone(e.Record), append(c.State[:0], e.State...)
	}
	return e.Record, nil
}

// finish runs what is left of the steps of a Post or Patch once its body is applied.
// The rules are asked once more, for the function and Prepare may have changed the record since.
func (e *element) finish(ctx context.Context) error {
	op := e.Operation.Operation
	e.in, e.refusals, e.decoded = e.Record, nil, codec.Decoded{View: op.In.View}
	if op.Prepares() {
		if err := prepare(ctx, e.Call); err != nil {
			return err
		}
	}
	if err := validate(ctx, e.Call); err != nil {
		return err
	}
	if authorizesChanges(op) {
		if err := authorizeChange(ctx, e.Call); err != nil {
			return err
		}
	}
	return e.process(ctx)
}

// inStoreOfElements runs a function in the transaction of the store that has the records of a body: that of the call,
// or one that joins it where the call is about another resource.
func (c *Call) inStoreOfElements(ctx context.Context, run storing) error {
	of := c.Operation.Bodies().Store
	if of == c.Operation.Writes() && c.tx != nil {
		return run(ctx, c.tx)
	}
	return of.Transact(ctx, run)
}

// storing is a function as a transaction runs it.
type storing func(ctx context.Context, tx compiled.Tx) error

// Run runs it.
func (s storing) Run(ctx context.Context, tx compiled.Tx) error { return s(ctx, tx) }

// PlacedError is an error of one element of a body that is a list.
type PlacedError struct {
	Place string // "[1]"

	err error
}

func (e *PlacedError) Error() string { return e.Place + ": " + e.err.Error() }

// Unwrap returns the error without its place.
func (e *PlacedError) Unwrap() error { return e.err }

// placed returns the error of an element with its place in the body, where it has one.
func placed(err error, place string) error {
	if err == nil || place == "" {
		return err
	}
	if broken, ok := errors.AsType[InvalidError](err); ok {
		var all report.Report
		addBelow(&all, broken.Found, place)
		return refuseIf(all, nil)
	}
	if told, only := validation.Violations(err); only && len(told) > 0 {
		var own, all report.Report
		own.AddOwn(told)
		addBelow(&all, &own, place)
		return refuseIf(all, nil)
	}
	if forbidden, ok := errors.AsType[*ForbiddenError](err); ok {
		at := *forbidden
		at.Place = place
		return &at
	}
	return &PlacedError{place, err}
}

// addBelow adds what is wrong with an element to what is wrong with the whole body.
func addBelow(all, of *report.Report, place string) {
	for i := range of.Violations {
		v := of.Violations[i].Violation
		switch {
		case place == "":
		case v.Field == "":
			v.Field = place
		case strings.HasPrefix(v.Field, "["):
			v.Field = place + v.Field
		default:
			v.Field = place + "." + v.Field
		}
		all.Add(v)
	}
	all.More += of.More
}
