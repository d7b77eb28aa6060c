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

// in compiles the body of a handler: a struct, a CreateOf, a PatchOf, or a list of one of these.
func (c *compiler) in(where string, op *compiled.Operation, in reflect.Type) {
	where += fmt.Sprintf(": In (%s)", in)
	if !op.Kind.TakesBody() {
		c.fail(where, "a %s has no body; use struct{}, or declare the operation as a Post", op.Kind)
		return
	}
	op.In = &compiled.Value{} // even if In is invalid, the operation takes a body
	one := in
	if in.Kind() == reflect.Slice && in.Name() == "" {
		one = in.Elem()
	}
	source, ok := c.bodyOf(where, op, one, one != in)
	if !ok {
		return
	}
	op.In = source.Value(viewOfBody(op, source, one != in))
	if one != in {
		each := op.In
		op.In = c.listOf(source).Value(each.View)
		op.In.Each = each
	}
}

// viewOfBody returns the view of a handler's body, or of each element of a list.
func viewOfBody(op *compiled.Operation, source *compiled.Source, many bool) *model.View {
	switch {
	case op.Patching == nil:
		return source.Views.Create()
	case changesItsRecord(op, many):
		return source.Views.Merge()
	}
	return source.Views.MergeNaming()
}

// changesItsRecord reports whether a PatchOf changes the record that the path names.
func changesItsRecord(op *compiled.Operation, many bool) bool {
	return op.Item && !many && op.Patching == op.Resource
}

// bodyOf compiles the struct of a handler's body, or of each element.
func (c *compiler) bodyOf(where string, op *compiled.Operation, in reflect.Type, many bool) (*compiled.Source, bool) {
	if record := op.Handler.Creates(); record != nil {
		op.Creating = c.resourceOf(where, "creates", op, record)
		return c.bodyOfResource(where, op, many)
	}
	if record := op.Handler.Patches(); record != nil {
		op.Patching = c.resourceOf(where, "changes", op, record)
		return c.bodyOfResource(where, op, many)
	}
	if in == op.Resource.Struct.Go { // with the identifier as in the resource
		return op.Resource.Source, true
	}
	source, ok := c.sourceOf(where, in)
	switch {
	case !ok:
		return nil, false
	case source.Type.Kind != model.Object || source.Type.Nullable:
		c.fail(where, "a body must be a struct, or an unnamed slice of structs")
		return nil, false
	}
	if within := bodyWithin(source.Type, map[*model.Type]bool{}); within != nil {
		name, _, _ := strings.Cut(within.Name(), "[")
		c.fail(where, "operation.%s cannot be nested in another type; use it as In, or a slice of it", name)
		return nil, false
	}
	return source, c.check(where, source)
}

// bodyOfResource returns the body of the resource whose records are created or changed: the record, or the resource's
// Input.
func (c *compiler) bodyOfResource(where string, op *compiled.Operation, many bool) (*compiled.Source, bool) {
	of := op.Bodies()
	if of == nil || of.Source == nil {
		return nil, false
	}
	at := slices.IndexFunc(c.declared, func(d *declared) bool { return d.resource == of })
	if at < 0 || isNil(c.declared[at].defaults.Input) {
		return of.Source, true
	}
	input, _ := c.declared[at].defaults.Input.(compiled.Input)
	if op.Patching != nil && !changesItsRecord(op, many) {
		c.fail(where, "the Input of %s does not identify a record; use the PatchOf in an operation whose path names the record", of.ShortName)
		return nil, false
	}
	source, in := c.shape(of.ShortName, "Input", input, &compiled.Operation{Resource: of})
	if source == nil || !c.check("resource "+of.ShortName+fmt.Sprintf(": Input (%s)", in), source) {
		return source, false
	}
	return source, true
}

// bodyWithin returns the CreateOf or PatchOf that a type is or contains; nil for none.
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

// resourceOf returns the resource of a CreateOf or PatchOf: the operation's own if the type matches, else the only one
// of that type. Without exactly one, it reports an error and returns nil.
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
		c.fail(where, "%s records of several resources: %s; declare the operation on one of them", does, strings.Join(namesOf(of), ", "))
	case !c.isMistaken(naming.TypeName(record)):
		c.fail(where, "%s records of %s, which is not a resource%s", does, record, naming.Allowed(naming.TypeName(record), names))
	}
	return nil
}

// listOf makes the source of lists of a type, once for an API.
func (c *compiler) listOf(of *compiled.Source) *compiled.Source {
	if known := c.lists[of]; known != nil {
		return known
	}
	t := &model.Type{Go: reflect.SliceOf(of.Type.Go), Kind: model.List, Elem: of.Type}
	records, err := codec.Compile(t)
	if err != nil { // already reported for the type itself
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
