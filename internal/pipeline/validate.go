package pipeline

import (
	"context"
	"errors"
	"slices"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/report"
	"github.com/trove-api/trove/validation"
)

// invalid is the error of a body that is not valid.
type invalid struct{ found *report.Report }

func (invalid) Error() string { return "the body is not valid" }

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
	faults := x.blame(&found)
	if x.refusals != nil {
		refused, _ := validation.Violations(errors.Join(x.refusals...))
		found.AddOwn(refused)
	}
	x.checkIdentifier(&found)
	if found.IsEmpty() && faults != nil {
		return faults
	}
	return refuseIf(found, nil)
}

func refuseIf(found report.Report, err error) error {
	if err == nil && !found.IsEmpty() {
		kept := found // in memory that a valid body does not take
		return invalid{&kept}
	}
	return err
}

// checkIdentifier refuses a body that would give the record another identifier than
// the path has.
func (x *exchange) checkIdentifier(found *report.Report) {
	id := x.op.Resource.ID
	if x.id == nil || id.Is(x.record, x.id) {
		return
	}
	told := slices.ContainsFunc(found.Violations, func(v report.Violation) bool { return v.Field == id.Name() })
	if told || id.Generated() {
		return
	}
	found.Add(validation.Violation{
		Field: id.Name(), Code: "identifier", Message: id.Name() + " must be the one in the path",
	})
}

// validateChange checks the record that a handler changed. Where the client has sent
// nothing that the handler could have made a mistake of, it is the handler's own.
func (x *exchange) validateChange(ctx context.Context) error {
	found, err := x.op.Resource.Checker.Check(ctx, x.record, codec.Decoded{})
	if err == nil && !found.IsEmpty() && x.op.In == nil && x.request.Parameters == nil {
		return unmendable{found.Violations}
	}
	return refuseIf(found, err)
}
