package resource

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// handler compiles the body and the response of an operation. Without a handler they are views of the record.
func (o *operationCompiler) handler() {
	if !o.Custom {
		o.standard()
		return
	}
	switch handler := o.metadata.Handler.(type) {
	case interface{ Pairs() []any }: // operation.Set
		o.sets(handler.Pairs())
		return
	case interface{ Purges() bool }: // operation.Restore and Purge
		o.ofTrash(handler.Purges())
		return
	}
	if o.Handler, _ = o.metadata.Handler.(compiled.Handler); o.Handler == nil || !o.Handler.Defined() {
		o.fail("the function of Handler is nil")
		return
	}
	switch of, _ := o.Handler.Bodies(); {
	case o.Handler.Before() == nil:
	case o.Reads:
		o.fail("operation.HandleAfter needs a transaction, which a %s does not have; use operation.Handle", o.Kind)
	case of != nil:
		o.fail("operation.HandleAfter does not support a CreateOf or PatchOf; use operation.Handle")
	}
	record, in, out := o.Handler.Types()
	if record != o.Resource.Struct.Go {
		o.fail("the function of Handler takes %s, but records are %s", record, o.Resource.Struct.Go)
	}
	takesQuery := in == reflect.TypeFor[store.Query]()
	if !takesQuery && !isEmpty(in) {
		o.in(in)
	}
	if !isEmpty(out) {
		o.out(out)
	}
	if takesQuery && !o.Pages {
		o.fail("In is store.Query, which only a handler that returns a page gets; return a store.Page[%s]", record.Name())
	}
}

// isEmpty reports whether t is struct{}, which means no body and no response.
func isEmpty(t reflect.Type) bool { return t == reflect.TypeFor[struct{}]() }

// out compiles the response of a handler.
func (o *operationCompiler) out(out reflect.Type) {
	o = o.at(o.where + fmt.Sprintf(": Out (%s)", out))
	one := o.Resource.Struct.Go
	o.Pages = out == o.definition.page
	o.Lists = o.Pages || out == reflect.SliceOf(one) || out == reflect.SliceOf(reflect.PointerTo(one))
	if o.Pages && (o.Kind != operation.KindGetCollection || o.Item) {
		o.fail("only a GetCollection returns a page; declare the operation as one, or return []%s", one.Name())
	}
	if o.Lists {
		o.Out = o.Resource.Shown
		return
	}
	if record := o.Resource.Shown; out == record.Type.Go || out == reflect.PointerTo(record.Type.Go) {
		o.Out = new(*record)
		o.Out.Type = &model.Type{Go: out, Kind: model.Object, Struct: record.Type.Struct, Nullable: out.Kind() == reflect.Pointer}
		return
	}
	if source, ok := o.c.sourceOf(o.where, out); ok {
		o.Out = source.Response
	}
}

// processor sets the operation's Processor: its own, else the resource's if the operation saves.
func (o *operationCompiler) processor() {
	checkProcessor(o.c.mistakes, o.where, o.metadata.Processor, o.definition.record)
	if o.Saves {
		o.Processor, _ = cmp.Or(o.metadata.Processor, o.definition.defaults.Processor).(compiled.Processor)
	}
}

func checkProcessor(errs *mistakes, where string, p operation.Processor, record reflect.Type) {
	switch typed, _ := p.(compiled.Processor); {
	case p == nil:
	case isNil(p), typed == nil, !typed.Defined():
		errs.fail(where, "the function of Processor is nil")
	case typed.Record() != record:
		errs.fail(where, "the function of Processor takes %s, but records are %s", typed.Record(), record)
	}
}

// input sets the body type of an operation that takes a record: its own Input, else the resource's.
func (o *operationCompiler) input() {
	takes := !o.Custom && o.Kind.TakesBody()
	declared, at := o.metadata.Input, o.where
	if isNil(declared) {
		declared, at = o.definition.defaults.Input, o.Resource.ShortName
	}
	if isNil(declared) || !takes {
		return
	}
	updates := o.Kind == operation.KindPatch || o.Kind == operation.KindPut && !o.Replace
	applied, _ := declared.(compiled.Input)
	source, in := o.c.shape(at, "Input", applied, o.Operation)
	switch {
	case source == nil:
	case updates && !applied.Fills():
		o.fail("Input cannot keep fields that the body omits; make it with operation.InputOf")
	case o.c.check(at+fmt.Sprintf(": Input (%s)", in), source):
		body, missing := source.Views.View(model.Create), source.Views.View(model.Create)
		if updates {
			body = source.Views.View(model.Merge)
			missing = body.New
		}
		o.Input, o.In = applied, source.Value(body)
		if o.Missing != nil {
			o.Missing = source.Value(missing)
		}
	}
}

// output sets the response type of an operation that shows records: its own Output, else the resource's.
func (o *operationCompiler) output() {
	if o.Aggregates {
		return
	}
	declared, at := o.metadata.Output, o.where
	shows := o.Out != nil && o.Out.Codec == o.Resource.Codec
	if isNil(declared) {
		declared, at = o.definition.defaults.Output, o.Resource.ShortName
	} else if o.Custom && !o.Pages {
		return
	}
	if isNil(declared) || !shows {
		return
	}
	if o.metadata.View != nil || o.definition.defaults.View != nil {
		if o.metadata.View != nil || !isNil(o.metadata.Output) {
			at = o.where
		}
		o.c.note(at, errViewAndOutput)
		return
	}
	made, _ := declared.(compiled.Output)
	if source, _ := o.c.shape(at, "Output", made, o.Operation); source != nil {
		o.Output, o.Out = made, source.Response
	}
}

var errViewAndOutput = errors.New("View and Output exclude each other; remove one, or set each on the operations that it is for")

// shape compiles the type that bodies or responses have instead of the record. It returns nil if the type is invalid.
func (c *compiler) shape(where, name string, declared compiled.Shape, op *compiled.Operation) (*compiled.Source, reflect.Type) {
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

// in compiles the body of a handler: a struct, a CreateOf, a PatchOf, or a list of one of these.
func (o *operationCompiler) in(in reflect.Type) {
	o = o.at(o.where + fmt.Sprintf(": In (%s)", in))
	if !o.Kind.TakesBody() {
		o.fail("a %s has no body; use struct{}, or declare the operation as a Post", o.Kind)
		return
	}
	o.In = &compiled.Value{} // even if In is invalid, the operation takes a body
	one := in
	if in.Kind() == reflect.Slice && in.Name() == "" {
		one = in.Elem()
	}
	source, ok := o.bodyOf(one, one != in)
	if !ok {
		return
	}
	view := source.Views.View(model.Create)
	switch {
	case changesItsRecord(o.Operation, one != in):
		view = source.Views.View(model.Merge)
	case o.Patching != nil:
		view = source.Views.View(model.MergeNaming)
	}
	o.In = source.Value(view)
	if one != in {
		each, list := o.In, &model.Type{Go: reflect.SliceOf(source.Type.Go), Kind: model.List, Elem: source.Type}
		all := &compiled.Source{Type: list, Codec: source.Codec, Views: source.Views}
		if records, err := codec.Compile(list); err == nil { // an error is already reported for the type itself
			all.Codec = records
		}
		if source.Checker != nil {
			all.Checker = source.Checker.Each()
		}
		o.In = all.Value(each.View)
		o.In.Each = each
	}
}

// changesItsRecord reports whether a PatchOf changes the record that the path names.
func changesItsRecord(op *compiled.Operation, many bool) bool {
	return op.Item && !many && op.Patching == op.Resource
}

// bodyOf compiles the struct of a handler's body, or of each element.
func (o *operationCompiler) bodyOf(in reflect.Type, many bool) (*compiled.Source, bool) {
	switch record, patches := o.Handler.Bodies(); {
	case patches:
		o.Patching = o.resourceOf("changes", record)
		return o.bodyOfResource(many)
	case record != nil:
		o.Creating = o.resourceOf("creates", record)
		return o.bodyOfResource(many)
	case in == o.Resource.Struct.Go: // with the identifier as in the resource
		return o.Resource.Source, true
	}
	source, ok := o.c.sourceOf(o.where, in)
	switch {
	case !ok:
		return nil, false
	case source.Type.Kind != model.Object || source.Type.Nullable:
		o.fail("a body must be a struct, or an unnamed slice of structs")
		return nil, false
	}
	if within := bodyWithin(source.Type, map[*model.Type]bool{}); within != nil {
		name, _, _ := strings.Cut(within.Name(), "[")
		o.fail("operation.%s cannot be nested in another type; use it as In, or a slice of it", name)
		return nil, false
	}
	return source, o.c.check(o.where, source)
}

// bodyOfResource returns the body of the resource whose records are created or changed: the record, or the resource's
// Input.
func (o *operationCompiler) bodyOfResource(many bool) (*compiled.Source, bool) {
	of := o.Bodies()
	if of == nil || of.Source == nil {
		return nil, false
	}
	d := find(o.c.declared, of.Struct)
	if d == nil || isNil(d.defaults.Input) {
		return of.Source, true
	}
	input, _ := d.defaults.Input.(compiled.Input)
	if o.Patching != nil && !changesItsRecord(o.Operation, many) {
		o.fail("the Input of %s does not identify a record; use the PatchOf in an operation whose path names the record", of.ShortName)
		return nil, false
	}
	source, in := o.c.shape(of.ShortName, "Input", input, &compiled.Operation{Resource: of})
	return source, source != nil && o.c.check("resource "+of.ShortName+fmt.Sprintf(": Input (%s)", in), source)
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
func (o *operationCompiler) resourceOf(does string, record reflect.Type) *compiled.Resource {
	if o.Resource.Struct.Go == record {
		return o.Resource
	}
	var names []string
	var of []*declared
	for _, d := range o.c.declared {
		if names = append(names, naming.TypeName(d.record)); d.record == record {
			of = append(of, d)
		}
	}
	switch {
	case len(of) == 1:
		return of[0].resource
	case len(of) > 1:
		o.fail("%s records of several resources: %s; declare the operation on one of them", does, strings.Join(namesOf(of), ", "))
	case !isMistaken(o.c.declared, naming.TypeName(record)):
		o.fail("%s records of %s, which is not a resource%s", does, record, naming.Allowed(naming.TypeName(record), names))
	}
	return nil
}
