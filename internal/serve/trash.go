package serve

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/store"
)

// confineDeleted limits a request for records in the trash to those that the caller may see.
func confineDeleted(ctx context.Context, c *call) error {
	query := &c.values.Query
	if query.Deleted == "" {
		return nil
	}
	c.identify(ctx)
	r := c.op.Resource
	conditions, verdict, err := r.Deleted.Conditions(ctx, &c.caller)
	switch {
	case err != nil:
		return err
	case verdict == authz.Denied:
		return c.forbid(ctx, r.Deleted, nil)
	case c.op.Item, conditions == nil:
		return nil // the record is checked when it is read
	case query.Deleted == store.WithDeleted:
		conditions = []store.Condition{{Any: [][]store.Condition{r.Struct.Living(), conditions}}}
	}
	values := *c.values // which other calls share
	c.values = &values
	values.Query.Where = slices.Concat(query.Where, conditions)
	return nil
}

// readerOf returns the step that reads the record which the path of an operation names.
func readerOf(op *compiled.Operation) func(context.Context, *call) error {
	switch {
	case op.OfTrash():
		return func(ctx context.Context, c *call) error { return c.readDeleted(ctx, store.OnlyDeleted) }
	case op.TakesDeleted():
		return func(ctx context.Context, c *call) error {
			if which := c.values.Query.Deleted; which != "" {
				return c.readDeleted(ctx, which)
			}
			return readItem(ctx, c)
		}
	}
	return readItem
}

// readDeleted reads a record that may be in the trash. If the caller may not see it there, it does not exist for them.
func (c *call) readDeleted(ctx context.Context, which store.Deleted) error {
	r := c.op.Resource
	page, err := r.Store.List(ctx, r.Struct.ByID(c.id, which))
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
		return o.writes(nil, []step{{"write", o.write}})
	}
	o.savesBy(restore)
	return o.writes(nil, []step{{"write", func(ctx context.Context, c *call) error {
		err := o.write(ctx, c)
		c.out = c.record
		return err
	}}})
}

// restore restores the record, and loads it as it is now.
func restore(ctx context.Context, c *call) (err error) {
	if err = c.tx.Restore(ctx, c.id); err == nil {
		c.record, err = c.tx.Get(ctx, c.id)
	}
	return err
}
