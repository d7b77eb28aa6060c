package resource

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// handler compiles the body and the response of an operation. Without a handler they are views of the record.
func (c *compiler) handler(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	if !op.Custom {
		c.standard(op)
		return
	}
	if op.Handler, _ = m.Handler.(compiled.Handler); op.Handler == nil || !op.Handler.Defined() {
		c.fail(where, "the function of Handler is nil")
		return
	}
	switch {
	case op.Handler.Before() == nil:
	case op.Reads:
		c.fail(where, "operation.HandleAfter needs a transaction, which a %s does not have; use operation.Handle", op.Kind)
	case op.Handler.Creates() != nil, op.Handler.Patches() != nil:
		c.fail(where, "operation.HandleAfter does not support a CreateOf or PatchOf; use operation.Handle")
	}
	record, in, out := op.Handler.Types()
	if record != op.Resource.Struct.Go {
		c.fail(where, "the function of Handler takes %s, but records are %s", record, op.Resource.Struct.Go)
	}
	takesQuery := in == reflect.TypeFor[store.Query]()
	if !takesQuery && !isEmpty(in) {
		c.in(where, op, in)
	}
	if !isEmpty(out) {
		c.out(where, d, op, out)
	}
	if takesQuery && !op.Pages {
		c.fail(where, "In is store.Query, which only a handler that returns a page gets; return a store.Page[%s]", record.Name())
	}
}

// isEmpty reports whether t is struct{}, which means no body and no response.
func isEmpty(t reflect.Type) bool { return t == reflect.TypeFor[struct{}]() }

func (c *compiler) out(where string, d *definition, op *compiled.Operation, out reflect.Type) {
	where += fmt.Sprintf(": Out (%s)", out)
	if many := c.records(where, d, op, out); many {
		op.Out = op.Resource.Shown
		return
	}
	if record := op.Resource.Shown; out == record.Type.Go || out == reflect.PointerTo(record.Type.Go) {
		op.Out = new(*record)
		op.Out.Type = &model.Type{Go: out, Kind: model.Object, Struct: record.Type.Struct, Nullable: out.Kind() == reflect.Pointer}
		return
	}
	if source, ok := c.sourceOf(where, out); ok {
		op.Out = source.Response
	}
}

// records reports whether a handler returns several records of its resource: a slice or a page.
func (c *compiler) records(where string, d *definition, op *compiled.Operation, out reflect.Type) bool {
	record := op.Resource.Struct.Go
	op.Pages = out == d.page
	op.Lists = op.Pages || out == reflect.SliceOf(record) || out == reflect.SliceOf(reflect.PointerTo(record))
	if op.Pages && (op.Kind != operation.KindGetCollection || op.Item) {
		c.fail(where, "only a GetCollection returns a page; declare the operation as one, or return []%s", record.Name())
	}
	return op.Lists
}

// processor sets the operation's Processor: its own, else the resource's if the operation saves.
func (c *compiler) processor(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	c.checkProcessor(where, m.Processor, d.record)
	switch {
	case !isNil(m.Processor) && !op.Saves:
		c.fail(where, "Processor is only for operations that save a record")
	case !isNil(m.Processor):
		op.Processor, _ = m.Processor.(compiled.Processor)
	case !isNil(d.defaults.Processor) && op.Saves:
		op.Processor, _ = d.defaults.Processor.(compiled.Processor)
	}
}

func (c *compiler) checkProcessor(where string, p operation.Processor, record reflect.Type) {
	switch typed, _ := p.(compiled.Processor); {
	case isNil(p):
	case typed == nil, !typed.Defined():
		c.fail(where, "the function of Processor is nil")
	case typed.Record() != record:
		c.fail(where, "the function of Processor takes %s, but records are %s", typed.Record(), record)
	}
}

// input sets the body type of an operation that takes a record: its own Input, else the resource's.
func (c *compiler) input(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	takes := !op.Custom && op.Kind.TakesBody()
	declared := m.Input
	switch {
	case !isNil(m.Input) && !takes:
		c.fail(where, "Input is only for a Post, Put or Patch without a Handler")
		return
	case isNil(m.Input):
		declared = d.defaults.Input
	}
	if isNil(declared) || !takes {
		return
	}
	at := where
	if isNil(m.Input) {
		at = op.Resource.ShortName
	}
	updates := op.Kind == operation.KindPatch || op.Kind == operation.KindPut && !op.Replace
	applied, _ := declared.(compiled.Input)
	source, in := c.shape(at, "Input", applied, op)
	switch {
	case source == nil:
	case updates && !applied.Fills():
		c.fail(where, "Input cannot keep fields that the body omits; make it with operation.InputOf")
	case c.check(at+fmt.Sprintf(": Input (%s)", in), source):
		body, missing := source.Views.Create(), source.Views.Create()
		if updates {
			body = source.Views.Merge()
			missing = body.New
		}
		op.Input, op.In = applied, source.Value(body)
		if op.Missing != nil {
			op.Missing = source.Value(missing)
		}
	}
}

// output sets the response type of an operation that shows records: its own Output, else the resource's.
func (c *compiler) output(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	declared, at := m.Output, where
	shows := op.Out != nil && op.Out.Codec == op.Resource.Codec
	switch {
	case !isNil(m.Output) && (op.Custom && !op.Pages || !shows):
		c.fail(where, "Output is only for operations without a Handler that return records")
		return
	case isNil(m.Output):
		declared, at = d.defaults.Output, op.Resource.ShortName
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
	if source, _ := c.shape(at, "Output", made, op); source != nil {
		op.Output, op.Out = made, source.Response
	}
}

var errViewAndOutput = errors.New("View and Output exclude each other; remove one, or set each on the operations that it is for")

// shaped is a compiled.Input or compiled.Output.
type shaped interface {
	Types() (record, other reflect.Type)
	Defined() bool
}

// shape compiles the type that bodies or responses have instead of the record. It returns nil if the type is invalid.
func (c *compiler) shape(where, name string, declared shaped, op *compiled.Operation) (*compiled.Source, reflect.Type) {
	if isNil(declared) || !declared.Defined() {
		c.note(where, fmt.Errorf("the function of %s is nil", name))
		return nil, nil
	}
	record, other := declared.Types()
	if record != op.Resource.Struct.Go {
		c.note(where, fmt.Errorf("the function of %s takes %s, but records are %s", name, record, op.Resource.Struct.Go))
		return nil, nil
	}
	where += fmt.Sprintf(": %s (%s)", name, other)
	source, ok := c.sourceOf(where, other)
	switch {
	case !ok:
		return nil, nil
	case source.Type.Kind != model.Object, source.Type.Nullable:
		c.note(where, errors.New("must be a struct"))
		return nil, nil
	}
	return source, other
}

// sparse returns the view from which clients choose fields of an operation's response.
func (c *compiler) sparse(op *compiled.Operation) *model.View {
	switch {
	case op.Output != nil:
		return c.sources[op.Out.Type.Go].Views.Sparse()
	case op.Out.View.Sparse != nil:
		return op.Out.View.Sparse
	}
	return op.Resource.Source.Views.Sparse()
}

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
