package execute

import (
	"context"

	"github.com/trove-api/trove/validation"
)

// prepare runs the resource's Prepare hook over the record with the body applied. With
// wrong types in the body it does not run, for the record is not what was meant. Its
// field errors are kept, to be told together with broken rules.
// It runs before rules are checked, so that it can fill in what they ask for.
func prepare(ctx context.Context, c *Call) error {
	if c.decoded.Mistyped {
		return nil
	}
	err := c.Operation.Resource.Prepare(ctx, c.Request, c.Record)
	if _, only := validation.Violations(err); !only {
		return err
	}
	if err != nil {
		c.refusals = append(c.refusals, err)
	}
	return nil
}
