package execute

import (
	"errors"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/report"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// ofIntegrity says what the error of a store means to clients that keeps references from being
// left without their records. References are checked before they are saved; here another
// transaction was quicker than this one, or the store knows more.
// Which record refers is not said, since the caller may not be allowed to see it.
func (c *Call) ofIntegrity(err error) error {
	if err == nil || !errors.Is(err, store.ErrConflict) {
		return err
	}
	broken, ok := errors.AsType[store.ReferenceError](err)
	if !ok {
		return err
	}
	if !broken.Referred {
		return c.ofDangling(err, broken)
	}
	for _, r := range c.Operation.API.Resources {
		if r.Struct.Go == broken.Record {
			return c.stillReferred(r, broken.Field)
		}
	}
	return err // a store's own table has no name that means anything to clients
}

// stillReferred is the error of a record that is referred to by a field of others, itself or by what would go with it.
func (c *Call) stillReferred(by *compiled.Resource, field string) error {
	to := " refers to it."
	if f := by.Struct.Field(field); f != nil && f.Reference != nil && f.Reference.Target != c.Operation.Resource.Struct {
		to = " refers to a record that would be deleted with it."
	}
	return &RefusedError{Reason: Referred, Detail: "The record cannot be deleted: " + by.ShortName + "." + field + to}
}

// ofDangling is the error that a missing record gives before it is saved, too, if it is of a
// member that the body may set, or of the one that a membership adds to. A hook may have written what is
// at fault: that stays a conflict.
func (c *Call) ofDangling(err error, dangling store.ReferenceError) error {
	of := c.Operation.Resource.Struct
	if m := c.Operation.Membership; m != nil && dangling.Record == of.Go && dangling.Field == m.Field.Name {
		return noParent(m)
	}
	if dangling.Record != of.Go || c.Operation.Custom || !c.Operation.TakesBody() {
		return err
	}
	for _, f := range of.Fields {
		if f.Name == dangling.Field && f.Reference != nil && !f.ReadOnly {
			found := new(report.Report)
			found.Add(validation.Violation{Field: f.Name, Code: codec.CodeReference, Message: f.Name + " must be " + meaning(f)})
			return InvalidError{found}
		}
	}
	return err
}
