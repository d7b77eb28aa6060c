package openapitest

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
)

const (
	mostSteps  = 5   // operations that bring a record into a state
	mostStates = 100 // states that are tried
)

// inState returns a record for which the condition of an operation holds, or that is in the trash if it has to be: the given
// one, after other operations have brought it into that state, else another one of Conform's. If there is none, it returns the
// given one.
func (c *conformity) inState(op *compiled.Operation, record *storedRecord) *storedRecord {
	if op.OfTrash() && record != nil {
		for _, step := range record.of.Operations {
			if step.Deletes() && c.perform(step, record) {
				break
			}
		}
		return record
	}
	if op.When == nil || record == nil {
		return record
	}
	now := c.stored(record)
	for _, step := range c.wayTo(op, now) {
		if !c.perform(step, record) {
			break
		}
	}
	meets := func(one *storedRecord) bool { return c.meets(op, c.stored(one)) }
	if meets(record) {
		return record
	}
	others := c.known(op.Resource)
	if i := slices.IndexFunc(others, meets); i >= 0 {
		return others[i]
	}
	return record
}

// stored returns the record as the store has it, nil if it does not exist.
func (c *conformity) stored(record *storedRecord) any {
	id, ok := record.of.ID.ParseVariables(record.variable)
	if !ok {
		return nil
	}
	found, err := record.of.Store.Get(c.t.Context(), id)
	if err != nil {
		return nil
	}
	return found
}

// meets reports whether the condition of an operation holds for a record, nil for none.
func (c *conformity) meets(op *compiled.Operation, record any) bool {
	server, ok := op.Server.(interface {
		Meets(ctx context.Context, record any) bool
	})
	return ok && record != nil && server.Meets(c.t.Context(), record)
}

// state is a state of a record that operations can reach.
type state struct {
	record any
	way    []*compiled.Operation
}

// wayTo returns the operations that set fields of a record until the condition of an operation holds, the fewest that do. It
// returns nil if there are none, or if the condition holds already.
func (c *conformity) wayTo(op *compiled.Operation, from any) []*compiled.Operation {
	if from == nil {
		return nil
	}
	reached := []state{{record: from}}
	for i := 0; i < len(reached) && len(reached) <= mostStates && len(reached[i].way) <= mostSteps; i++ {
		at := reached[i]
		if c.meets(op, at.record) {
			return at.way
		}
		for _, step := range op.Resource.Operations {
			if step.Sets == nil || !c.meets(step, at.record) {
				continue
			}
			next := state{op.Resource.Codec.Clone(at.record), append(slices.Clip(at.way), step)}
			step.SetFields(next.record)
			if !slices.ContainsFunc(reached, func(s state) bool { return reflect.DeepEqual(s.record, next.record) }) {
				reached = append(reached, next)
			}
		}
	}
	return nil
}

// perform runs an operation on a record, as the first caller who may. It reports whether one succeeded.
func (c *conformity) perform(op *compiled.Operation, record *storedRecord) bool {
	i := slices.IndexFunc(c.document.operations, func(o *operation) bool { return o.declared == op })
	if i < 0 { // not documented
		return false
	}
	documented := c.document.operations[i]
	path, ok := c.pathOf(documented, record)
	if !ok {
		return false
	}
	r := c.plainRequest(documented)
	r.path = path
	return slices.ContainsFunc(c.everyCaller(), func(as caller) bool { return c.serve(r.as(as)).Code < http.StatusBadRequest })
}
