package execute

import (
	"context"
	"reflect"
	"strconv"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
)

// guardsCreating is about handlers that make records of a resource whose members have rules:
// without it, a bulk operation would be the way around them.
func guardsCreating(op *compiled.Operation) bool {
	return op.Creating != nil && op.Creating.Gate != nil && !receivesElements(op)
}

// guardCreating refuses a handler's body that sets a member of a new record which the caller may
// not write at all.
func guardCreating(ctx context.Context, c *Call) error { return c.checkCreating(ctx, gate.Refused) }

// guardCreated refuses one whose records, which are whole by now, do not fulfil the rules of members
// that it sets.
func guardCreated(ctx context.Context, c *Call) error { return c.checkCreating(ctx, gate.Depends) }

// checkCreating asks the rules of members that say so of the caller, of each record that a body
// creates. A member that the body lacks, or has as a new record has it anyway, passes.
func (c *Call) checkCreating(ctx context.Context, when gate.Verdict) error {
	c.meet(ctx)
	r := c.Operation.Creating
	for i := range r.Gate.List {
		m := &r.Gate.List[i]
		if m.Write.Ask(&c.caller) != when {
			continue
		}
		err := c.eachIn(func(above string, record reflect.Value) error {
			if isSameIn(r, m.Field, record.Addr().Interface(), r.Codec.New()) {
				return nil
			}
			holds, err := m.Write.Holds(ctx, &c.caller, record.Addr().Interface())
			if err == nil && !holds {
				err = &ForbiddenError{Refusal: m.Write.Refusal(ctx, &c.caller, record.Addr().Interface()), Member: above + m.Field.Name}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachIn visits the structs that a handler's body is or lists, with the path that their members
// begin with, until there is an error.
// The path is that of the body, which the client knows, and not of the records that come of it.
func (c *Call) eachIn(visit func(above string, record reflect.Value) error) error {
	v := reflect.ValueOf(c.in).Elem()
	if c.Operation.In.Type.Kind != model.List {
		return visit("", v)
	}
	for i := range v.Len() {
		if err := visit("["+strconv.Itoa(i)+"].", v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}
