package execute

import (
	"context"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// find returns the records of a resource that have one of the keys and that the caller may see,
// by their keys. One that is missing and one that is hidden are alike: they are not in it.
func (c *Call) find(ctx context.Context, of *compiled.Resource, keys []any) (map[any]any, error) {
	records, err := c.look(ctx, of, keys, nil)
	if err != nil {
		return nil, err
	}
	found := make(map[any]any, len(keys))
	for i, key := range keys {
		if records[i] != nil {
			found[key] = records[i]
		}
	}
	return found, nil
}

// look returns the record with each of the keys, nil for one that is missing or hidden: asked for at
// once where the store can. The list is made in room, if that is not nil. In one function, so that no road to other records can forget to ask
// whether they may be seen.
func (c *Call) look(ctx context.Context, of *compiled.Resource, keys, room []any) ([]any, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	records, err := of.Store.GetMany(ctx, keys, room)
	if err != nil {
		return nil, err
	}
	for i, record := range records {
		if record == nil {
			continue
		}
		seen, err := c.maySee(ctx, of, record)
		if err != nil {
			return nil, err
		}
		if !seen {
			records[i] = nil
		}
	}
	return records, nil
}

// maySee reports whether the caller may see a record of another resource than the operation's:
// the one place where references, parents and what is embedded ask so.
func (c *Call) maySee(ctx context.Context, of *compiled.Resource, record any) (bool, error) {
	if of.Read == nil {
		return true, nil
	}
	c.meet(ctx)
	return of.Read.Holds(ctx, &c.caller, record)
}

// meet finds who asks, where rules of other resources want to know and those of the operation
// have not asked.
// Only where somebody asks: to look into the context for a principal costs every request of a
// service without rules.
func (c *Call) meet(ctx context.Context) {
	if c.met {
		return
	}
	if c.met = true; c.Principal == nil {
		c.Principal = operation.PrincipalFrom(ctx)
	}
	c.caller.Set(c.Principal, c.Scopes)
}
