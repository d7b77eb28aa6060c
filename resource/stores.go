package resource

import (
	"context"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
)

// writes is the phase after elements: it asks each store what matters only to operations that write.
func (c *compiler) writes(d *declared) bool {
	checker := d.store.WriteChecker
	if checker == nil {
		return true
	}
	r := d.resource
	if ping := r.Ping; ping != nil && slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool { return !op.Reads }) {
		r.Ping = func(ctx context.Context) error {
			if err := ping(ctx); err != nil {
				return err
			}
			return checker.PingWrites(ctx)
		}
	}
	if c.inserts(r) {
		c.noteStore(d.where, &d.definition, checker.CheckInserts(context.Background()))
	}
	return true
}

// inserts reports whether an operation creates records of a resource. It may be one of another resource.
func (c *compiler) inserts(r *compiled.Resource) bool {
	return slices.ContainsFunc(c.model.Resources, func(of *compiled.Resource) bool {
		return slices.ContainsFunc(of.Operations, func(op *compiled.Operation) bool {
			return op.Creating == r || of == r && (op.Creates || op.AllowCreate)
		})
	})
}

// advise logs what stores advise.
func (c *compiler) advise() {
	for _, d := range c.declared {
		if d.store.Adviser == nil {
			continue
		}
		advice, err := d.store.Adviser.Advise(context.Background())
		if err != nil {
			c.model.Logger.Warn("store cannot be checked", "resource", d.resource.ShortName, "error", err.Error())
		}
		for _, line := range advice {
			c.model.Logger.Warn("store", "resource", d.resource.ShortName, "advice", line)
		}
	}
}
