package pipeline

import (
	"context"
	"errors"
	"slices"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/validation"
)

// invalid is the error of a body that is not valid.
type invalid []validation.Violation

func (i invalid) Error() string { return "the body is not valid" }

// validate checks the record, or the body of a handler, and tells all that is wrong
// with it at once.
func validate(ctx context.Context, x *exchange) error {
	if x.op.Handler != nil {
		found, err := x.op.In.Checker.Check(ctx, x.in, x.decoded)
		return refuseIf(found, err)
	}
	found, err := x.op.Resource.Checker.Check(ctx, x.record, x.decoded)
	if err != nil {
		return err
	}
	found, faults := x.blame(found)
	if x.refusals != nil {
		refused, _ := validation.Violations(errors.Join(x.refusals...))
		found = append(found, refused...)
	}
	found = x.checkIdentifier(found)
	if len(found) == 0 && faults != nil {
		return faults
	}
	return refuseIf(found, nil)
}

func refuseIf(found []validation.Violation, err error) error {
	if err == nil && len(found) > 0 {
		return invalid(found)
	}
	return err
}

// checkIdentifier refuses a body that would give the record another identifier than
// the path has.
func (x *exchange) checkIdentifier(found []validation.Violation) []validation.Violation {
	id := x.op.Resource.ID
	if x.id == nil || id.Is(x.record, x.id) {
		return found
	}
	told := slices.ContainsFunc(found, func(v validation.Violation) bool { return v.Field == id.Name() })
	if told || id.Generated() {
		return found
	}
	return append(found, validation.Violation{
		Field: id.Name(), Code: "identifier", Message: id.Name() + " must be the one in the path",
	})
}

// validateChange checks the record that a handler changed. Where the client has sent
// nothing that the handler could have made a mistake of, it is the handler's own.
func (x *exchange) validateChange(ctx context.Context) error {
	found, err := x.op.Resource.Checker.Check(ctx, x.record, codec.Decoded{})
	if err == nil && len(found) > 0 && x.op.In == nil && x.request.Parameters == nil {
		return unmendable(found)
	}
	return refuseIf(found, err)
}
