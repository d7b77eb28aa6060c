package execute

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/report"
	"github.com/trove-api/trove/validation"
)

// validate checks the record, or the body of a handler, and tells all that is wrong
// with it at once.
func validate(ctx context.Context, c *Call) error {
	checker := c.Operation.In.Checker
	if c.Operation.Input != nil {
		checker = c.Operation.Resource.Checker
	}
	if c.in == c.Record {
		c.keepParts()
	}
	found, err := checker.Check(ctx, c.in, c.decoded)
	if err == nil && c.in != c.Record {
		err = c.checkReferences(ctx, c.Operation.In.Type, c.in, &found)
	}
	if err != nil || c.in != c.Record {
		return refuseIf(found, err)
	}
	var faults error
	if c.Operation.Input == nil { // else nobody knows what a body can mend
		if faults, err = c.blame(ctx, &found); err != nil {
			return err
		}
	}
	if c.refusals != nil {
		refused, _ := validation.Violations(errors.Join(c.refusals...))
		found.AddOwn(refused)
	}
	c.checkIdentifier(&found)
	if err := c.checkReferences(ctx, c.Operation.Resource.Source.Type, c.Record, &found); err != nil {
		return err
	}
	if found.IsEmpty() && faults != nil {
		return faults
	}
	c.placeAdded(&found)
	return refuseIf(found, nil)
}

// The copy is what escapes; the report of a valid body stays on the stack.
func refuseIf(found report.Report, err error) error {
	if err == nil && !found.IsEmpty() {
		kept := found // in memory that a valid body does not take
		return InvalidError{&kept}
	}
	return err
}

// checkIdentifier refuses a body that would give the record another identifier than
// the path has.
// It is told like a broken rule and not by itself, so that a client mends everything in one go.
func (c *Call) checkIdentifier(found *report.Report) {
	id := c.Operation.Resource.ID
	if c.ID == nil || id.Is(c.Record, c.ID) || id.Generated() {
		return
	}
	for _, f := range id.Differ(c.Record, c.ID) {
		if told := slices.ContainsFunc(found.Violations, func(v report.Violation) bool { return v.Field == f.Name }); !told {
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
