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

// in compiles the body of a handler: a struct, what creates a record of a resource, or a list
// of either.
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
	op.In = source.Value(source.Views.Create())
	op.Together = one != in || op.Creating != nil
	if one != in {
		each := op.In
		op.In = c.listOf(source).Value(each.View)
		op.In.Each = each
	}
}

// bodyOf compiles the struct that a handler's body is, or each element of it.
func (c *compiler) bodyOf(where string, op *compiled.Operation, in reflect.Type) (*compiled.Source, bool) {
	if record := op.Handler.Creates(); record != nil {
		op.Creating = c.creating(where, op, record)
		return sourceFor(op.Creating)
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
	case holdsCreateOf(source.Type, map[*model.Type]bool{}):
		c.fail(where, "has operation.CreateOf within another type; allowed: it alone as In, or a slice of it")
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

// holdsCreateOf reports whether a type has a member that is a CreateOf, which it cannot be.
func holdsCreateOf(t *model.Type, met map[*model.Type]bool) bool {
	if t == nil || met[t] {
		return false
	}
	met[t] = true
	if operation.IsCreateOf(t.Base()) || holdsCreateOf(t.Elem, met) {
		return true
	}
	return t.Struct != nil && slices.ContainsFunc(t.Struct.Fields, func(f *model.Field) bool { return holdsCreateOf(f.Type, met) })
}

// creating finds the resource whose records a handler's bodies create: its own, if it is of the
// type, else the only one that is.
func (c *compiler) creating(where string, op *compiled.Operation, record reflect.Type) *compiled.Resource {
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
		c.fail(where, "is what creates a record of several resources: %s; declare the operation on the one that is meant", strings.Join(namesOf(of), ", "))
	case !c.isMistaken(naming.TypeName(record)):
		c.fail(where, "is what creates a record of %s, which no resource is of; allowed: %s%s", record, strings.Join(names, ", "),
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
