package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
)

// find returns the records of a resource that have one of the keys and that the caller may see,
// by their keys: asked for at once where the store can. One that is missing and one that is
// hidden are alike: they are not in it.
func (c *Call) find(ctx context.Context, of *compiled.Resource, keys []any) (map[any]any, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	records, err := of.Store.GetMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	found := make(map[any]any, len(keys))
	for i, record := range records {
		if record == nil {
			continue
		}
		seen, err := c.maySee(ctx, of, record)
		if err != nil {
			return nil, err
		}
		if seen {
			found[keys[i]] = record
		}
	}
	return found, nil
}

// maySee reports whether the caller may see a record of another resource than the operation's,
// as its own Get would show it: the one place where references, parents and what is embedded
// ask so.
func (c *Call) maySee(ctx context.Context, of *compiled.Resource, record any) (bool, error) {
	shows := of.Item
	if shows == nil {
		shows = of.Collection
	}
	if shows == nil || shows.Gate == nil {
		return true, nil
	}
	return shows.Gate.Read.Holds(ctx, &c.caller, record)
}

// looksBeyond reports whether a call may look at records of other resources than its own, whose
// rules want to know the caller.
func looksBeyond(op *compiled.Operation) bool {
	return op.Expansions != nil || op.HasParents() || refers(op)
}
