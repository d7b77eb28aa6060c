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
	"github.com/trove-api/trove/operation"
)

// in compiles the body of a handler: a struct, what creates or changes a record of a resource, or
// a list of any of these.
func (c *compiler) in(where string, op *draft, in reflect.Type) {
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
	source, ok := c.bodyOf(where, op, one, one != in)
	if !ok {
		return
	}
	op.In = source.Value(viewOfBody(op.Operation, source, one != in))
	op.together = one != in || op.Bodies() != nil
	if one != in {
		each := op.In
		op.In = c.listOf(source).Value(each.View)
		op.In.Each = each
	}
}

// viewOfBody returns what a handler's body has of a struct, or each element of one that is a list.
func viewOfBody(op *compiled.Operation, source *compiled.Source, many bool) *model.View {
	switch {
	case op.Patching == nil:
		return source.Views.Create()
	case changesItsRecord(op, many):
		return source.Views.Merge()
	}
	return source.Views.MergeNaming()
}

// changesItsRecord reports whether a PatchOf is of the record that the path names.
func changesItsRecord(op *compiled.Operation, many bool) bool {
	return op.Item && !many && op.Patching == op.Resource
}

// bodyOf compiles the struct that a handler's body is, or each element of it.
func (c *compiler) bodyOf(where string, op *draft, in reflect.Type, many bool) (*compiled.Source, bool) {
	if record := op.Handler.Creates(); record != nil {
		op.Creating = c.resourceOf(where, "creates", op.Operation, record)
		return c.bodyOfResource(where, op, many)
	}
	if record := op.Handler.Patches(); record != nil {
		op.Patching = c.resourceOf(where, "changes", op.Operation, record)
		return c.bodyOfResource(where, op, many)
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
	}
	if within := bodyWithin(source.Type, map[*model.Type]bool{}); within != nil {
		name, _, _ := strings.Cut(within.Name(), "[")
		c.fail(where, "has operation.%s within another type; allowed: it alone as In, or a slice of it", name)
		return nil, false
	}
	return source, c.check(where, source)
}

// bodyOfResource returns what a Post or Patch of the resource takes whose records a body creates or changes: the
// record, or the resource's Input.
func (c *compiler) bodyOfResource(where string, op *draft, many bool) (*compiled.Source, bool) {
	of := op.Bodies()
	if of == nil || of.Source == nil {
		return nil, false
	}
	at := slices.IndexFunc(c.declared, func(d *declared) bool { return d.resource == of })
	if at < 0 || isNil(c.declared[at].defaults.Input) {
		return of.Source, true
	}
	input, _ := c.declared[at].defaults.Input.(compiled.Input)
	if op.Patching != nil && !changesItsRecord(op.Operation, many) {
		c.fail(where, "is of %s, whose Input says nothing of which record is meant; allowed: a PatchOf in an operation on one record of it", of.ShortName)
		return nil, false
	}
	source, in := c.shape("resource "+of.ShortName, "Input", input, &compiled.Operation{Resource: of})
	if source == nil || !c.check("resource "+of.ShortName+fmt.Sprintf(": Input (%s)", in), source) {
		return source, false
	}
	op.elementInput = input
	return source, true
}

// bodyWithin returns the CreateOf or PatchOf that a type is or has a member of, which it cannot have; nil
// for none.
func bodyWithin(t *model.Type, met map[*model.Type]bool) reflect.Type {
	if t == nil || met[t] {
		return nil
	}
	met[t] = true
	if isBodyOf(t.Base()) {
		return t.Base()
	}
	if found := bodyWithin(t.Elem, met); found != nil || t.Struct == nil {
		return found
	}
	for _, f := range t.Struct.Fields {
		if found := bodyWithin(f.Type, met); found != nil {
			return found
		}
	}
	return nil
}

// isBodyOf reports whether a type is an operation.CreateOf or PatchOf of any record.
func isBodyOf(t reflect.Type) bool {
	name, _, _ := strings.Cut(t.Name(), "[")
	return (name == "CreateOf" || name == "PatchOf") && t.PkgPath() == reflect.TypeFor[operation.Metadata]().PkgPath()
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
	made.Response = made.Value(of.Response.View)
	c.lists[of] = made
	return made
}
