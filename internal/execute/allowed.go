package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
)

// Allowed returns the ids of the operations on a record that the caller may run, in the order of declaration, as far as
// rules decide before a body is known. The call has loaded the record whole, and may show it to the caller.
func (c *Call) Allowed(ctx context.Context, record any) (ids []string, err error) {
	for _, op := range c.Operation.Resource.Operations {
		if !op.Item || op.Hidden {
			continue
		}
		holds, err := c.mayRun(ctx, op, record)
		if err != nil {
			return nil, err
		}
		if holds {
			ids = append(ids, op.ID)
		}
	}
	return ids, nil
}

// mayRun reports whether the caller may run an operation on a record.
func (c *Call) mayRun(ctx context.Context, op *compiled.Operation, record any) (bool, error) {
	if op.Gate == nil {
		return true, nil
	}
	holds, err := op.Gate.Read.Holds(ctx, &c.caller, record)
	if err == nil && holds {
		holds, err = op.Gate.Act.Holds(ctx, &c.caller, record)
	}
	return holds, err
}

// Locked returns the fields of a record that the caller may not set, by their rules, in the order of the struct.
func (c *Call) Locked(ctx context.Context, record any) (names []string, err error) {
	members := c.Operation.Resource.Gate
	if members == nil {
		return nil, nil
	}
	for i := range members.List {
		m := &members.List[i]
		holds, err := m.Write.Holds(ctx, &c.caller, record)
		if err != nil {
			return nil, err
		}
		if !holds {
			names = append(names, m.Field.Name)
		}
	}
	return names, nil
}

// Sees reports whether the caller may see what a path of fields names in some record: see [compiled.API.Shows].
func (c *Call) Sees(ctx context.Context, path string) bool {
	o := c.Operation
	if !o.API.Ruled {
		return true
	}
	if !c.authorized { // an operation without rules, whose records may refer to some with rules
		c.identify(ctx)
	}
	return o.API.Shows(&c.caller, o.Resource, path)
}

// ReadsDocs reports whether the caller may read the documentation.
func (c *Call) ReadsDocs(ctx context.Context) bool {
	if !c.authorized {
		c.identify(ctx)
	}
	return c.Operation.API.ShowsDocs(&c.caller)
}
