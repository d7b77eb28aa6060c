package resource

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
)

// input gives an operation that takes a record the type of its body: its own, else the resource's.
func (c *compiler) input(where string, d *definition, m *operation.Metadata, op *draft) {
	takes := !op.Custom && op.Kind.TakesBody()
	declared := m.Input
	switch {
	case !isNil(m.Input) && !takes:
		c.fail(where, "Input is set; it is for a Post, Put or Patch without a Handler")
		return
	case isNil(m.Input):
		declared = d.defaults.Input
	}
	if isNil(declared) || !takes {
		return
	}
	at := where
	if isNil(m.Input) {
		at = "resource " + op.Resource.ShortName
	}
	updates := op.Kind == operation.KindPatch || op.Kind == operation.KindPut && !op.Replace
	applied, _ := declared.(compiled.Input)
	source, in := c.shape(at, "Input", applied, op.Operation)
	switch {
	case source == nil:
	case updates && !applied.Fills():
		c.fail(where, "Input has no fill, so that what a body leaves out would be lost; make it by operation.InputOf")
	case c.check(at+fmt.Sprintf(": Input (%s)", in), source):
		op.Input, op.HasInput, op.In = applied, true, source.Value(source.Views.Create())
		if op.Missing != nil {
			op.Missing = op.In
		}
		if updates {
			op.In = source.Value(source.Views.Merge())
		}
	}
}

// output gives an operation that shows records the type of its answer: its own, else the
// resource's.
func (c *compiler) output(where string, d *definition, m *operation.Metadata, op *draft) {
	declared, at := m.Output, where
	shows := op.Out != nil && op.Out.Codec == op.Resource.Codec
	switch {
	case !isNil(m.Output) && (op.Custom && !op.Pages || !shows):
		c.fail(where, "Output is set; it is for operations without a Handler that show records")
		return
	case isNil(m.Output):
		declared, at = d.defaults.Output, "resource "+op.Resource.ShortName
	}
	if isNil(declared) || !shows {
		return
	}
	if m.View != nil || d.defaults.View != nil {
		if m.View != nil || !isNil(m.Output) {
			at = where
		}
		c.note(at, errViewAndOutput)
		return
	}
	made, _ := declared.(compiled.Output)
	if source, _ := c.shape(at, "Output", made, op.Operation); source != nil {
		op.Output, op.HasOutput, op.Out = made, true, source.Answer
	}
}

var errViewAndOutput = errors.New("View and Output are set, of which one answer can have one; " +
	"leave one out, or name it in Unset of the operation that has the other")

// shaped is an compiled.Input or an compiled.Output.
type shaped interface {
	Types() (record, other reflect.Type)
	Defined() bool
}

// shape compiles the type that bodies or responses have in place of a record, and returns it; nil if it is invalid.
func (c *compiler) shape(where, name string, declared shaped, op *compiled.Operation) (*compiled.Source, reflect.Type) {
	if isNil(declared) || !declared.Defined() {
		c.note(where, fmt.Errorf("%s is made of a nil function", name))
		return nil, nil
	}
	record, other := declared.Types()
	if record != op.Resource.Struct.Go {
		c.note(where, fmt.Errorf("%s is for %s; this resource's records are %s", name, record, op.Resource.Struct.Go))
		return nil, nil
	}
	where += fmt.Sprintf(": %s (%s)", name, other)
	source, ok := c.sourceOf(where, other)
	switch {
	case !ok:
		return nil, nil
	case source.Type.Kind != model.Object, source.Type.Nullable:
		c.note(where, errors.New("is not a JSON object; allowed: a struct"))
		return nil, nil
	}
	return source, other
}

// sparse returns the view of the answers of an operation whose members clients choose.
func (c *compiler) sparse(op *compiled.Operation) *model.View {
	switch {
	case op.HasOutput:
		return c.sources[op.Out.Type.Go].Views.Sparse()
	case op.Out.View.Sparse != nil:
		return op.Out.View.Sparse
	}
	return op.Resource.Source.Views.Sparse()
}
