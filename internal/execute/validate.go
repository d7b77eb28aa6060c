package execute

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// deserialize decodes the body onto the record, or onto what a handler is called with.
func deserialize(_ context.Context, c *Call) error {
	decoded, err := c.Operation.decode(c).Decode(c.Body, c.in)
	if malformed, ok := errors.AsType[*codec.SyntaxError](err); ok {
		return &RejectedError{Reason: Malformed, Detail: malformed.Detail, Pointer: malformed.Pointer}
	}
	// Wrong types are no error yet: they are reported together with broken rules, all at once.
	c.decoded = decoded
	return err
}

// apply checks a body of another type than the record, and applies it. The rules of the record
// come later, because an invalid body does not show which of them it would break.
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
	// From here on the call is about the record, as if the body had been one.
	c.in, c.decoded = c.Record, codec.Decoded{}
	return nil
}

// prepare runs the resource's Prepare hook over the record with the body applied. It runs before rules are checked, so
// that it can fill in what they ask for. With wrong types in the body it does not run, because the record is not what
// was meant.
func prepare(ctx context.Context, c *Call) error {
	if c.decoded.Mistyped {
		return nil
	}
	if err := c.Operation.Resource.Prepare(ctx, c.Request, c.Record); err != nil {
		return c.keepViolations(err)
	}
	return nil
}

// keepViolations keeps the field errors of a function of the user's, to report them together with broken rules. It
// returns all other errors.
func (c *Call) keepViolations(err error) error {
	if _, only := validation.Violations(err); !only {
		return err
	}
	c.hookErrors = append(c.hookErrors, err)
	return nil
}

// validate checks the record, and reports all that is wrong with it at once.
func validate(ctx context.Context, c *Call) error {
	o := c.Operation
	// Prepare may have set parts of the identifier that the service sets for another caller than the one who created
	// the record.
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
	if !o.HasInput && len(found.Violations) > len(c.decoded.Violations) { // else nobody knows what a body can fix
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
	if c.added != nil {
		c.placeAdded(&found)
	}
	return invalid(&found, nil)
}

// validateBody checks the body of a handler, and reports all that is wrong with it at once.
func validateBody(ctx context.Context, c *Call) error {
	in := c.Operation.In
	found, err := c.Operation.checker.Check(ctx, c.in, c.decoded)
	if s := in.Type.StructIn(); err == nil && s != nil && s.Refers {
		err = c.checkReferences(ctx, in.Type, c.in, &found)
	}
	return invalid(&found, err)
}

// invalid returns the error of a report, nil if nothing is wrong, unless there is another error. It copies the report,
// so that the report of a valid body stays on the stack.
func invalid(found *model.Report, err error) error {
	if err == nil && !found.IsEmpty() {
		kept := *found
		return InvalidError{&kept}
	}
	return err
}

// checkIdentifier rejects a body that would give the record another identifier than
// the path has.
// It is reported like a broken rule and not by itself, so that a client can fix everything at once.
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

// checkKey reports a part of the identifier that the service sets and has not set. It runs as late as the
// insertion, because a Processor may set the part, and then no client can correct it.
func (c *Call) checkKey() error {
	for _, f := range c.Operation.fromService {
		v := f.Value(reflect.ValueOf(c.Record).Elem())
		if v.IsZero() || v.Kind() == reflect.String && strings.TrimSpace(v.String()) == "" {
			return fmt.Errorf("the field %s is a readonly part of the identifier, and the service has not set it; set it in Prepare", f.Name)
		}
	}
	return nil
}

// validateChange checks the record that a handler changed. If the client has sent
// nothing, a broken rule is the handler's fault.
func (c *Call) validateChange(ctx context.Context) error {
	found, err := c.Operation.Resource.Checker.Check(ctx, c.Record, codec.Decoded{})
	if err == nil && !found.IsEmpty() && c.Operation.In == nil && c.Request.Parameters == nil {
		return faultError{found.Violations}
	}
	return invalid(&found, err)
}
