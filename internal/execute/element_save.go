package execute

import (
	"context"
	"errors"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

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
var errUnruled = errors.New("nothing says who may create the record that CreateOf.Save is to save; set Access.Create of its resource")

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
	// In the transaction, because only here it is known what the function saves: nothing is saved without it.
	if op.RunsBefore() {
		if err := op.Resource.Before(ctx, e.Request, e.Record); err != nil {
			return err
		}
		if err := e.authorizeAgain(ctx); err != nil {
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
