package serve

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// deserialize decodes the body onto the record, or onto the input of a handler.
func deserialize(_ context.Context, c *call) error {
	decoded, err := c.op.decode(c).Decode(c.body, c.in)
	if err != nil {
		return malformed(err, "")
	}
	c.decoded = decoded // wrong types are reported later, together with broken rules
	return nil
}

// apply validates an Input, and applies it to the record. The rules of the record are checked later, if the Input is valid.
func apply(ctx context.Context, c *call) error {
	found, err := c.op.In.Checker.Check(ctx, c.in, c.decoded)
	if err := invalid(&found, err); err != nil {
		return err
	}
	if err := c.op.Input.Apply(ctx, c.in, c.record); err != nil {
		if err := c.keepViolations(err); err != nil {
			return err
		}
	}
	// The later steps treat the record as if it had been the body.
	c.in, c.decoded = c.record, codec.Decoded{}
	return nil
}

// prepare runs the resource's Prepare hook on the record with the body applied, before validation, so that it can set
// required fields. It does not run if the body has wrong types.
func prepare(ctx context.Context, c *call) error {
	if c.decoded.Mistyped {
		return nil
	}
	if err := c.op.Resource.Prepare(ctx, c.request, c.record); err != nil {
		return c.keepViolations(err)
	}
	return nil
}

// keepViolations keeps the field errors of a user function, to report them together with broken rules. It returns other
// errors.
func (c *call) keepViolations(err error) error {
	if _, only := validation.Violations(err); !only {
		return err
	}
	c.hookErrors = append(c.hookErrors, err)
	return nil
}

// validate checks the record, and reports all violations.
func validate(ctx context.Context, c *call) error {
	o := c.op
	// Prepare may have changed parts of the identifier, for instance to those of another caller. Those of the path hold.
	for _, f := range o.fromService {
		if c.id != nil {
			o.Resource.ID.SetField(c.record, c.id, f)
		}
	}
	found, err := o.checker.Check(ctx, c.record, c.decoded)
	if err != nil {
		return err
	}
	var faults error
	if o.Input == nil && len(found.Violations) > len(c.decoded.Violations) { // with an Input, nothing shows what the body can fix
		if faults, err = c.separateFaults(ctx, &found); err != nil {
			return err
		}
	}
	if c.hookErrors != nil {
		refused, _ := validation.Violations(errors.Join(c.hookErrors...))
		found.AddOwn(refused)
	}
	if c.id != nil && !o.Resource.ID.Generated() {
		c.checkIdentifier(&found)
	}
	if o.Resource.Struct.Refers {
		if err := c.checkReferences(ctx, o.Resource.Source.Type, c.record, &found); err != nil {
			return err
		}
	}
	if found.IsEmpty() {
		return faults
	}
	return invalid(&found, nil)
}

// validateBody checks the body of a handler, and reports all violations.
func validateBody(ctx context.Context, c *call) error {
	in := c.op.In
	found, err := c.op.checker.Check(ctx, c.in, c.decoded)
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
		return invalidError{&kept}
	}
	return err
}

// checkIdentifier reports a body with another identifier than the path. It is a violation, so that it is reported together
// with the others.
func (c *call) checkIdentifier(found *model.Report) {
	id := c.op.Resource.ID
	if id.Is(c.record, c.id) {
		return
	}
	for _, f := range id.Differ(c.record, c.id) {
		if reported := slices.ContainsFunc(found.Violations, func(v model.Violation) bool { return v.Field == f.Name }); !reported {
			found.Add(validation.Violation{Field: f.Name, Code: "identifier", Message: f.Name + " must be the one in the path"})
		}
	}
}

// checkKey reports a part of the identifier that the service must set and has not set. It runs before the insertion,
// because a Processor may set the part.
func (c *call) checkKey() error {
	for _, f := range c.op.fromService {
		v := f.Value(reflect.ValueOf(c.record).Elem())
		if v.IsZero() || v.Kind() == reflect.String && !check.IsNotBlank(v.String()) {
			return fmt.Errorf("the field %s is a readonly part of the identifier, but is not set; set it in Prepare", f.Name)
		}
	}
	return nil
}

// validateChange checks the record that a handler changed. If the client sent no input, a broken rule is a failure of the
// handler.
func (c *call) validateChange(ctx context.Context) error {
	found, err := c.op.Resource.Checker.Check(ctx, c.record, codec.Decoded{})
	if err == nil && !found.IsEmpty() && c.op.In == nil && c.request.Parameters == nil {
		return faultError{found.Violations}
	}
	return invalid(&found, err)
}
