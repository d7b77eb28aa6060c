package execute

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/report"
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

	named   bool // the body says which record it is about, and the path does not
	missing bool // that record, or the caller may not see it
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
		for _, e := range c.elements {
			e.tx = tx
			if err := e.name(ctx); err != nil {
				return err
			}
		}
		if err := readInOrder(ctx, c.elements); err != nil {
			return err
		}
		met := map[any]bool{}
		for _, e := range c.elements {
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

// name finds out which record an element is about, and whether the caller may change such records at all.
func (e *element) name(ctx context.Context) error {
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
	var err error
	e.named, err = e.identify()
	return err
}

// locate checks whether a named record is there, and whether the caller may change it.
func (e *element) locate(ctx context.Context, met map[any]bool) error {
	if !e.named {
		return nil
	}
	switch {
	case e.missing:
		e.tell(validation.Violation{Code: codec.CodeReference, Message: "must be the identifier of an existing " + e.Operation.Resource.ShortName})
		return nil
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
