package serve

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

// confineTrash is confine for a collection with a trash, of which the caller may see some records.
func (c *call) confineTrash(ctx context.Context, query store.Query) (store.Query, error) {
	query, err := c.confine(ctx, query)
	if query.Deleted == "" || err != nil {
		return query, err
	}
	conditions, err := c.trash(ctx)
	if query.Deleted == store.WithDeleted && conditions != nil {
		conditions = []store.Condition{{Any: [][]store.Condition{c.op.Resource.Struct.Living(), conditions}}}
	}
	query.Where = slices.Concat(query.Where, conditions)
	return query, err
}

// trash returns the conditions that records in the trash fulfill if the caller may see them, or an error if there can be none.
func (c *call) trash(ctx context.Context) ([]store.Condition, error) {
	c.identify(ctx)
	rule := c.op.Resource.Deleted
	conditions, verdict, err := rule.Conditions(ctx, &c.caller)
	if err == nil && verdict == authz.Denied {
		err = c.forbid(ctx, rule, nil)
	}
	return conditions, err
}

// readerOf returns the step that reads the record which the path of an operation names.
func readerOf(op *compiled.Operation) func(context.Context, *call) error {
	switch {
	case op.OfTrash():
		return func(ctx context.Context, c *call) error { return c.readDeleted(ctx, store.OnlyDeleted) }
	case op.TakesDeleted():
		return func(ctx context.Context, c *call) error {
			which := c.values.Query.Deleted
			if which == "" {
				return readItem(ctx, c)
			}
			if _, err := c.trash(ctx); err != nil {
				return err
			}
			return c.readDeleted(ctx, which)
		}
	}
	return readItem
}

// readDeleted reads a record that may be in the trash. If the caller may not see it there, it does not exist for them.
func (c *call) readDeleted(ctx context.Context, which store.Deleted) error {
	r, reading := c.op.Resource, ctx
	if !c.op.Reads {
		reading = txn.WithLock(ctx, txn.Exclusive)
	}
	page, err := r.Store.List(reading, r.Struct.ByID(c.id, which))
	switch {
	case err != nil || page.Broken != nil:
		return cmp.Or(err, errors.Join(page.Broken...))
	case page.Items.Len() == 0:
		return store.ErrNotFound
	}
	record := page.Items.At(0)
	if r.Struct.IsDeleted(reflect.ValueOf(record).Elem()) {
		c.identify(ctx)
		holds, err := r.Deleted.Holds(ctx, &c.caller, record)
		if err != nil {
			return err
		}
		if !holds {
			return &hiddenError{r.Deleted.Denial(ctx, &c.caller, record)}
		}
	}
	return c.reveal(ctx, record)
}

// newOfTrash restores or purges the record in the trash that the path names.
func newOfTrash(op *compiled.Operation) *Operation {
	o := begin(op)
	o.compares = op.Hooked
	if op.Purges {
		o.savesBy(func(ctx context.Context, c *call) error { return c.tx.Purge(ctx, c.id) })
	} else {
		o.savesBy(func(ctx context.Context, c *call) (err error) {
			if err = c.tx.Restore(ctx, c.id); err == nil {
				c.record, err = c.tx.Get(ctx, c.id) // as it is now
			}
			return err
		})
	}
	return o.writes(nil, []step{{"write", func(ctx context.Context, c *call) error {
		err := o.write(ctx, c)
		c.out = c.record
		return err
	}}})
}
