package pipeline

import (
	"context"

	"github.com/trove-api/trove/validation"
)

// prepare runs the resource's Prepare hook over the record with the body applied. With
// wrong types in the body it does not run, for the record is not what was meant. Its
// field errors are kept, to be told together with broken rules.
func prepare(ctx context.Context, x *exchange) error {
	if x.decoded.Mistyped {
		return nil
	}
	err := x.op.Resource.Prepare(ctx, x.request, x.record)
	if _, only := validation.Violations(err); !only {
		return err
	}
	if err != nil {
		x.refusals = append(x.refusals, err)
	}
	return nil
}
