package resource

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/view"
	"github.com/trove-api/trove/operation"
)

// in compiles the body of a handler: a struct, what creates or changes a record of a resource, or
// a list of any of these.
func (c *compiler) in(where string, op *compiled.Operation, in reflect.Type) {
	where += fmt.Sprintf(": Handler: In (%s)", in)
	if !op.Kind.TakesBody() {
		c.fail(where, "%s has no body; write struct{}, or declare the operation as a Post", op.Kind)
		return
	}
	op.In = &compiled.Value{} // of a mistaken one: the operation takes a body all the same
	one := in
	if in.Kind() == reflect.Slice && in.Name() == "" {
		one = in.Elem()
	}
	source, ok := c.bodyOf(where, op, one)
	if !ok {
		return
	}
	op.In = source.Value(viewOfBody(op, source, one != in))
	op.Together = one != in || op.Bodies() != nil
	if one != in {
		each := op.In
		op.In = c.listOf(source).Value(each.View)
		op.In.Each = each
	}
}

// viewOfBody returns what a handler's body has of a struct, or each element of one that is a list.
func viewOfBody(op *compiled.Operation, source *compiled.Source, many bool) *view.View {
	switch {
	case op.Patching == nil:
		return source.Views.Create()
	case op.Item && !many && op.Patching == op.Resource:
		return source.Views.Merge()
	}
	return source.Views.MergeNaming()
}

// bodyOf compiles the struct that a handler's body is, or each element of it.
func (c *compiler) bodyOf(where string, op *compiled.Operation, in reflect.Type) (*compiled.Source, bool) {
	if record := op.Handler.Creates(); record != nil {
		op.Creating = c.resourceOf(where, "creates", op, record)
		return sourceFor(op.Creating)
	}
	if record := op.Handler.Patches(); record != nil {
		op.Patching = c.resourceOf(where, "changes", op, record)
		return sourceFor(op.Patching)
	}
	if in == op.Resource.Struct.Go { // whose identifier is what it is in the resource
		return op.Resource.Source, true
	}
	source, ok := c.sourceOf(where, in)
	switch {
	case !ok:
		return nil, false
	case source.Type.Kind != model.Object || source.Type.Nullable:
		c.fail(where, "a body is a JSON object, or an array of them; allowed: a struct, or a slice of one without a name of its own")
		return nil, false
	case holdsBodyOf(source.Type, map[*model.Type]bool{}):
		c.fail(where, "has operation.CreateOf or PatchOf within another type; allowed: it alone as In, or a slice of it")
		return nil, false
	}
	return source, c.check(where, source)
}

func sourceFor(r *compiled.Resource) (*compiled.Source, bool) {
	if r == nil || r.Source == nil {
		return nil, false
	}
	return r.Source, true
}

// holdsBodyOf reports whether a type has a member that is a CreateOf or PatchOf, which it cannot be.
func holdsBodyOf(t *model.Type, met map[*model.Type]bool) bool {
	if t == nil || met[t] {
		return false
	}
	met[t] = true
	if operation.IsBodyOf(t.Base()) || holdsBodyOf(t.Elem, met) {
		return true
	}
	return t.Struct != nil && slices.ContainsFunc(t.Struct.Fields, func(f *model.Field) bool { return holdsBodyOf(f.Type, met) })
}

// resourceOf finds the resource whose records a handler's bodies create or change: its own, if it
// is of the type, else the only one that is.
func (c *compiler) resourceOf(where, does string, op *compiled.Operation, record reflect.Type) *compiled.Resource {
	if op.Resource.Struct.Go == record {
		return op.Resource
	}
	var names []string
	var of []*declared
	for _, d := range c.declared {
		if names = append(names, naming.TypeName(d.record)); d.record == record {
			of = append(of, d)
		}
	}
	switch {
	case len(of) == 1:
		return of[0].resource
	case len(of) > 1:
		c.fail(where, "is what "+does+" a record of several resources: %s; declare the operation on the one that is meant", strings.Join(namesOf(of), ", "))
	case !c.isMistaken(naming.TypeName(record)):
		c.fail(where, "is what "+does+" a record of %s, which no resource is of; allowed: %s%s", record, strings.Join(names, ", "),
			naming.DidYouMean(naming.TypeName(record), names))
	}
	return nil
}

// listOf makes the source of lists of a type, once for an API. Their elements are checked and
// shown as the type is by itself.
func (c *compiler) listOf(of *compiled.Source) *compiled.Source {
	if known := c.lists[of]; known != nil {
		return known
	}
	t := &model.Type{Go: reflect.SliceOf(of.Type.Go), Kind: model.List, Elem: of.Type}
	records, err := codec.Compile(t)
	if err != nil { // which the codec of the type has told
		records = of.Codec
	}
	made := &compiled.Source{Type: t, Codec: records, Views: of.Views}
	if of.Checker != nil {
		made.Checker = of.Checker.Each()
	}
	made.Answer = made.Value(of.Answer.View)
	c.lists[of] = made
	return made
}
