package operation

import (
	"context"
	"errors"
	"reflect"
)

var errNoRequest = errors.New("operation: Save is of a body that a request has, while the handler runs")

// bodyOf is a CreateOf or a PatchOf of any record.
type bodyOf interface {
	record() reflect.Type
	patches() bool
	// of returns the one of a record. The arguments are those of compiled.Handler.
	of(record, previous any, fields []string, save func(context.Context) (any, error)) any
	// one and many return a pointer to a handler's In, which is one of these or a slice of them.
	one(each any) any
	many(list []any) any
}

// bodyOfType returns the CreateOf or PatchOf that a type is, nil where it is none.
func bodyOfType(t reflect.Type) bodyOf {
	if t.Kind() != reflect.Struct {
		return nil
	}
	found, _ := reflect.TypeAssert[bodyOf](reflect.Zero(t))
	return found
}

// adopted returns how a handler's In is made of the records of a body, and what each of them is
// of: nil for an In without CreateOf and PatchOf.
func adopted[In any]() (adopt func(list []any) any, each bodyOf) {
	in := reflect.TypeFor[In]()
	if one := bodyOfType(in); one != nil {
		return func(list []any) any { return one.one(list[0]) }, one
	}
	if in.Kind() == reflect.Slice && in.Name() == "" {
		if each := bodyOfType(in.Elem()); each != nil {
			return each.many, each
		}
	}
	return nil, nil
}
