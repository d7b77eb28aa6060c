package execute

import (
	"bytes"
	"context"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// keepsCreateOnly is about operations on what is there already: a Post sets such members.
func keepsCreateOnly(op *compiled.Operation) bool {
	return op.Item && slices.ContainsFunc(op.Resource.Struct.Fields, isCreateOnly)
}

func isCreateOnly(f *model.Field) bool { return f.CreateOnly }

// keepCreateOnly refuses a body that changes a member which a record has from its creation. The
// value that is there passes, for whoever reads a record sends it back; but where the caller
// cannot see it, none does, or he could try which one it is.
func keepCreateOnly(ctx context.Context, c *Call) error {
	if c.previous == nil {
		return nil
	}
	r, hidden := c.Operation.Resource, gate.Set(0)
	if r.Gate.Hides() {
		var err error
		if hidden, err = r.Gate.Hidden(ctx, &c.caller, c.previous); err != nil {
			return err
		}
	}
	for _, f := range r.Struct.Fields {
		if !f.CreateOnly {
			continue
		}
		same, err := c.hasStill(f)
		if err != nil {
			return err
		}
		isSeen := f.Readable() && (hidden == 0 || !r.Gate.IsHidden(hidden, f.Name))
		if same && (isSeen || c.Operation.HasInput || !slices.Contains(c.sent(), f.Name)) {
			continue
		}
		kept := r.Codec.Clone(c.previous)
		f.Value(reflect.ValueOf(c.Record).Elem()).Set(f.Value(reflect.ValueOf(kept).Elem()))
		c.decoded.Add(validation.Violation{
			Field: f.Name, Code: "createonly", Message: f.Name + " cannot be changed once it is created",
		})
	}
	return nil
}

// hasStill reports whether the record has in a field what it had before, as JSON tells values
// apart.
func (c *Call) hasStill(f *model.Field) (bool, error) {
	source := c.Operation.Resource.Source
	whole := source.Views.Whole()
	member := source.Codec.Encoder(whole).Narrow(whole.Only([]string{f.Name}))
	now, err := member.Append(nil, c.Record)
	if err != nil {
		return false, err
	}
	then, err := member.Append(nil, c.previous)
	return bytes.Equal(now, then), err
}
