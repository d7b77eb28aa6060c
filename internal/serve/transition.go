package serve

import (
	"context"
	"log/slog"
	"reflect"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/problem"
)

// meets returns an error if the operation's When does not hold for the record at a place of the body, "" for the record of
// the path, before the conditions and the body of the call. A new record had no state before.
func (c *call) meets(ctx context.Context, place string) error {
	if c.created {
		return nil
	}
	c.identify(ctx)
	when := c.op.When
	holds, err := when.Rule.Holds(ctx, &c.caller, c.record)
	if holds || err != nil {
		return err
	}
	why := when.Rule.Denial(ctx, &c.caller, c.record)
	c.op.logAt(c.r, slog.LevelInfo, "condition not met", "", slog.String("rule", why.Rule), slog.String("because", why.Because))
	return problem.New(problem.Unmet.Status(), c.op.Unmet(place, &c.caller))
}

// Meets reports whether the When of the operation holds for a record, which record points to, without a caller. It returns
// false if the rule calls functions of the user. Tests choose records by it.
func (o *Operation) Meets(ctx context.Context, record any) bool {
	if o.When == nil || o.When.Rule.Runs() {
		return o.When == nil
	}
	c := &call{arrival: arrival{op: o}, attempt: attempt{record: record}}
	c.identify(ctx)
	holds, err := o.When.Rule.Holds(ctx, &c.caller, record)
	return holds && err == nil
}

// meetElements returns an error if the When of the records that a body names does not hold for one of them.
func (c *call) meetElements(ctx context.Context) error {
	for _, e := range c.elements {
		if e.named && e.found && e.op.When != nil {
			if err := e.meets(ctx, e.place); err != nil {
				return err
			}
		}
	}
	return nil
}

// newSet sets fields of the record that the path names, and saves it if that changes it.
func newSet(op *compiled.Operation) *Operation {
	o := begin(op)
	o.compares = true
	o.savesBy(putRecord)
	return o.writes(nil, []step{{"write", setFields}})
}

// setFields sets the fields of an operation.Set. Their own rules were checked before, so that a broken rule is about several
// fields, or about what was stored before.
func setFields(ctx context.Context, c *call) error {
	c.op.SetFields(c.record)
	c.out = c.record
	if reflect.DeepEqual(c.previous, c.record) {
		return nil
	}
	locked, err := c.lockedFields(ctx)
	if err != nil {
		return err
	}
	return c.saveValid(ctx, func(v *model.Violation) bool { return c.isFault(v, locked) })
}
