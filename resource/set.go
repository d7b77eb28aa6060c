package resource

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// sets compiles an operation.Set, whose response is the record. Everything that depends on the declaration alone is checked
// here, so that a request can only break rules about several fields.
func (o *operationCompiler) sets(pairs []any) {
	o.Out = o.Resource.Shown
	o.Sets = &compiled.Sets{Record: o.Resource.Codec.New()}
	switch {
	case o.Reads:
		o.fail("operation.Set changes the record, but a %s changes nothing; use a Post", o.Kind)
	case !o.Item:
		o.fail("operation.Set needs a record, but the path names none; add %s to URITemplate", variablesOf(o.Resource.ID.Names()))
	}
	if len(pairs) == 0 || len(pairs)%2 == 1 {
		o.fail("operation.Set has %d arguments; give it pairs of the name of a field and its value", len(pairs))
		return
	}
	for pair := range slices.Chunk(pairs, 2) {
		o.setField(pair[0], pair[1])
	}
}

// setField compiles a field of an operation.Set with its value.
func (o *operationCompiler) setField(named, value any) {
	name, ok := named.(string)
	if !ok {
		o.fail("operation.Set has a %T instead of the name of a field; give it pairs of the name of a field and its value", named)
		return
	}
	f := o.Resource.Struct.Field(name)
	switch {
	case f == nil && slices.ContainsFunc(o.Resource.Computed, func(computed *compiled.Computed) bool { return computed.Field.Name == name }):
		o.fail("operation.Set cannot set %q, because it is computed", name)
		return
	case f == nil:
		names := o.Resource.Struct.Names(func(f *model.Field) bool { return reserved(f) == "" })
		o.fail("operation.Set has the unknown field %q%s", name, naming.Allowed(name, names))
		return
	case slices.Contains(o.Sets.Fields, f):
		o.fail("operation.Set sets %q twice", name)
		return
	case reserved(f) != "":
		o.fail("operation.Set cannot set %q, because it is %s", name, reserved(f))
		return
	}
	if !o.setValue(f, value) {
		return
	}
	o.Sets.Fields = append(o.Sets.Fields, f)
	checker, err := check.OfField(o.Resource.Struct, f)
	if err != nil { // reported for the struct
		return
	}
	found, err := checker.Check(context.Background(), o.Sets.Record, codec.Decoded{})
	o.c.note(o.where, err)
	for i := range found.Violations {
		o.fail("operation.Set sets %q to an invalid value: %s", name, found.Violations[i].Message)
	}
}

// reserved returns why an operation.Set cannot set a field, "" if it can.
func reserved(f *model.Field) string {
	switch {
	case f.Identifier:
		return "the identifier"
	case f.Version, f.Created, f.Modified, f.Deleted:
		return "set by the store"
	case f.Password:
		return "a password; use a Handler"
	}
	return ""
}

// setValue sets a field of the record with all values, and reports whether the type of the value fits.
func (o *operationCompiler) setValue(f *model.Field, value any) bool {
	t, to := f.Type, f.Value(reflect.ValueOf(o.Sets.Record).Elem())
	v := reflect.ValueOf(value)
	switch {
	case !v.IsValid() && (t.Nullable || t.Kind == model.Any):
		to.SetZero()
	case !v.IsValid():
		o.fail("operation.Set sets %q to nil, but it is not nullable; allowed: a value of type %s", f.Name, t.Go)
		return false
	case v.Type() == t.Go, t.Kind == model.Any:
		to.Set(v)
	default:
		converted, ok := t.Convert(value)
		if !ok {
			allowed := fmt.Sprint(t.Base())
			if t.Nullable {
				allowed += " or nil"
			}
			o.fail("operation.Set sets %q to a value of type %T; allowed: %s", f.Name, value, allowed)
			return false
		}
		if t.Nullable {
			to.Set(reflect.New(t.Base()))
			to = to.Elem()
		}
		to.Set(reflect.ValueOf(converted))
	}
	return true
}
