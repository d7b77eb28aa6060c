package execute

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/validation"
)

// deserialize decodes the body onto the record, or onto the input of a handler.
func deserialize(_ context.Context, c *Call) error {
	decoded, err := c.Operation.decode(c).Decode(c.Body, c.in)
	if malformed, ok := errors.AsType[*codec.SyntaxError](err); ok {
		return &RejectedError{Reason: Malformed, Detail: naming.Sentence(malformed.Detail), Pointer: malformed.Pointer}
	}
	// Wrong types are reported later, together with broken rules.
	c.decoded = decoded
	return err
}

// apply validates an Input, and applies it to the record. The rules of the record are checked later, if the Input is valid.
func apply(ctx context.Context, c *Call) error {
	found, err := c.Operation.In.Checker.Check(ctx, c.in, c.decoded)
	if err := invalid(&found, err); err != nil {
		return err
	}
	if err := c.Operation.Input.Apply(ctx, c.in, c.Record); err != nil {
		if err := c.keepViolations(err); err != nil {
			return err
		}
	}
	// The later steps treat the record as if it had been the body.
	c.in, c.decoded = c.Record, codec.Decoded{}
	return nil
}

// prepare runs the resource's Prepare hook on the record with the body applied, before validation, so that it can set
// required fields. It does not run if the body has wrong types.
func prepare(ctx context.Context, c *Call) error {
	if c.decoded.Mistyped {
		return nil
	}
	if err := c.Operation.Resource.Prepare(ctx, c.Request, c.Record); err != nil {
		return c.keepViolations(err)
	}
	return nil
}

// keepViolations keeps the field errors of a user function, to report them together with broken rules. It returns other
// errors.
func (c *Call) keepViolations(err error) error {
	if _, only := validation.Violations(err); !only {
		return err
	}
	c.hookErrors = append(c.hookErrors, err)
	return nil
}

// validate checks the record, and reports all violations.
func validate(ctx context.Context, c *Call) error {
	o := c.Operation
	// Prepare may have changed parts of the identifier, for instance to those of another caller. Those of the path hold.
	for _, f := range o.fromService {
		if c.ID != nil {
			o.Resource.ID.SetField(c.Record, c.ID, f)
		}
	}
	found, err := o.checker.Check(ctx, c.Record, c.decoded)
	if err != nil {
		return err
	}
	var faults error
	if !o.HasInput && len(found.Violations) > len(c.decoded.Violations) { // with an Input, nothing shows what the body can fix
		if faults, err = c.takeFaults(ctx, &found); err != nil {
			return err
		}
	}
	if c.hookErrors != nil {
		refused, _ := validation.Violations(errors.Join(c.hookErrors...))
		found.AddOwn(refused)
	}
	if c.ID != nil && !o.Resource.ID.Generated() {
		c.checkIdentifier(&found)
	}
	if o.Resource.Struct.Refers {
		if err := c.checkReferences(ctx, o.Resource.Source.Type, c.Record, &found); err != nil {
			return err
		}
	}
	if found.IsEmpty() {
		return faults
	}
	return invalid(&found, nil)
}

// validateBody checks the body of a handler, and reports all violations.
func validateBody(ctx context.Context, c *Call) error {
	in := c.Operation.In
	found, err := c.Operation.checker.Check(ctx, c.in, c.decoded)
	if s := in.Type.StructIn(); err == nil && s != nil && s.Refers {
		err = c.checkReferences(ctx, in.Type, c.in, &found)
	}
	return invalid(&found, err)
}

// invalid returns err, else the error of a report, nil if it is empty. It copies the report, so that the report of a valid
// body stays on the stack.
func invalid(found *model.Report, err error) error {
	if err == nil && !found.IsEmpty() {
		kept := *found
		return InvalidError{&kept}
	}
	return err
}

// checkIdentifier reports a body with another identifier than the path. It is a violation, so that it is reported together
// with the others.
func (c *Call) checkIdentifier(found *model.Report) {
	id := c.Operation.Resource.ID
	if id.Is(c.Record, c.ID) {
		return
	}
	for _, f := range id.Differ(c.Record, c.ID) {
		if reported := slices.ContainsFunc(found.Violations, func(v model.Violation) bool { return v.Field == f.Name }); !reported {
			found.Add(validation.Violation{Field: f.Name, Code: "identifier", Message: f.Name + " must be the one in the path"})
		}
	}
}

// checkKey reports a part of the identifier that the service must set and has not set. It runs before the insertion,
// because a Processor may set the part.
func (c *Call) checkKey() error {
	for _, f := range c.Operation.fromService {
		v := f.Value(reflect.ValueOf(c.Record).Elem())
		if v.IsZero() || v.Kind() == reflect.String && !check.IsNotBlank(v.String()) {
			return fmt.Errorf("the field %s is a readonly part of the identifier, but is not set; set it in Prepare", f.Name)
		}
	}
	return nil
}

// validateChange checks the record that a handler changed. If the client sent no input, a broken rule is a failure of the
// handler.
func (c *Call) validateChange(ctx context.Context) error {
	found, err := c.Operation.Resource.Checker.Check(ctx, c.Record, codec.Decoded{})
	if err == nil && !found.IsEmpty() && c.Operation.In == nil && c.Request.Parameters == nil {
		return faultError{found.Violations}
	}
	return invalid(&found, err)
}
