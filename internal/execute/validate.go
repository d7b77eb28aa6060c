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
		return &RefusedError{Reason: Malformed, Detail: malformed.Detail, Pointer: malformed.Pointer}
	}
	// Wrong types are no error yet: they are reported together with broken rules, all at once.
	c.decoded = decoded
	return err
}

// apply checks a body of another type than the record, and applies it. The rules of the record
// come later, because an invalid body does not show which of them it would break.
func apply(ctx context.Context, c *Call) error {
	found, err := c.Operation.In.Checker.Check(ctx, c.in, c.decoded)
	if err := refuseIf(found, err); err != nil {
		return err
	}
	if err := c.keepViolations(c.Operation.Input.Apply(ctx, c.in, c.Record)); err != nil {
		return err
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
	return c.keepViolations(c.Operation.Resource.Prepare(ctx, c.Request, c.Record))
}

// keepViolations keeps the field errors of a function of the user's, to report them together with broken rules. It
// returns all other errors.
func (c *Call) keepViolations(err error) error {
	if err == nil {
		return nil
	}
	if _, only := validation.Violations(err); !only {
		return err
	}
	c.refusals = append(c.refusals, err)
	return nil
}

// validate checks the record, or the body of a handler, and tells all that is wrong
// with it at once.
func validate(ctx context.Context, c *Call) error {
	if c.in == c.Record && c.Operation.fromService != nil {
		c.keepParts()
	}
	found, err := c.Operation.checker.Check(ctx, c.in, c.decoded)
	if err == nil && c.in != c.Record {
		err = c.checkReferences(ctx, c.Operation.In.Type, c.in, &found)
	}
	if err != nil || c.in != c.Record {
		return refuseIf(found, err)
	}
	var faults error
	if !c.Operation.HasInput && len(found.Violations) > len(c.decoded.Violations) { // else nobody knows what a body can mend
		if faults, err = c.blame(ctx, &found); err != nil {
			return err
		}
	}
	if c.refusals != nil {
		refused, _ := validation.Violations(errors.Join(c.refusals...))
		found.AddOwn(refused)
	}
	if c.ID != nil {
		c.checkIdentifier(&found)
	}
	if c.Operation.Resource.Struct.Refers {
		if err := c.checkReferences(ctx, c.Operation.Resource.Source.Type, c.Record, &found); err != nil {
			return err
		}
	}
	if found.IsEmpty() && faults != nil {
		return faults
	}
	if c.added != nil {
		c.placeAdded(&found)
	}
	return refuseIf(found, nil)
}

// The copy is what escapes; the report of a valid body stays on the stack.
func refuseIf(found model.Report, err error) error {
	if err == nil && !found.IsEmpty() {
		kept := found // in memory that a valid body does not take
		return InvalidError{&kept}
	}
	return err
}

// checkIdentifier refuses a body that would give the record another identifier than
// the path has.
// It is told like a broken rule and not by itself, so that a client mends everything in one go.
func (c *Call) checkIdentifier(found *model.Report) {
	id := c.Operation.Resource.ID
	if id.Is(c.Record, c.ID) || id.Generated() {
		return
	}
	for _, f := range id.Differ(c.Record, c.ID) {
		if told := slices.ContainsFunc(found.Violations, func(v model.Violation) bool { return v.Field == f.Name }); !told {
			found.Add(validation.Violation{Field: f.Name, Code: "identifier", Message: f.Name + " must be the one in the path"})
		}
	}
}

// keepParts sets the parts of the identifier that the service sets to their values in the path. Prepare may
// have set them for another caller than the one who created the record.
func (c *Call) keepParts() {
	for _, f := range c.Operation.fromService {
		if c.ID != nil {
			c.Operation.Resource.ID.SetField(c.Record, c.ID, f)
		}
	}
}

// checkKey reports a part of the identifier that the service sets and has not set. It runs as late as the
// insertion, because a Processor may set the part, and then no client can correct it.
func (c *Call) checkKey(record any) error {
	for _, f := range c.Operation.fromService {
		v := f.Value(reflect.ValueOf(record).Elem())
		if v.IsZero() || v.Kind() == reflect.String && strings.TrimSpace(v.String()) == "" {
			return fmt.Errorf("the field %s is a readonly part of the identifier, and the service has not set it; set it in Prepare", f.Name)
		}
	}
	return nil
}

// validateChange checks the record that a handler changed. Where the client has sent
// nothing that the handler could have made a mistake of, it is the handler's own.
func (c *Call) validateChange(ctx context.Context) error {
	found, err := c.Operation.Resource.Checker.Check(ctx, c.Record, codec.Decoded{})
	if err == nil && !found.IsEmpty() && c.Operation.In == nil && c.Request.Parameters == nil {
		return unmendable{found.Violations}
	}
	return refuseIf(found, err)
}
