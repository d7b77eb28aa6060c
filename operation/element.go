package operation

import (
	"context"
	"errors"
	"reflect"
)

// Element is one record of a body that is a [CreateOf] or a [PatchOf], or a list of these, as
// [Handler.Call] is handed it. The zero value is of no use.
type Element struct {
	// Record is a pointer to the record as the body makes it.
	Record any
	// Previous is a pointer to what the record was; nil for one that is created.
	Previous any
	// Members are those that the body has, by their JSON names; nil for a record that is created.
	Members []string
	// Save saves Record, and returns a pointer to what was saved.
	Save func(ctx context.Context) (any, error)
}

var errNoRequest = errors.New("operation: Save is of a body that a request has, while the handler runs")

// bodyOf is a CreateOf or a PatchOf of any record.
type bodyOf interface {
	record() reflect.Type
	patches() bool
	// one and many make the In of a handler of the records of a body.
	one(e Element) any
	many(list []Element) any
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
func adopted[In any]() (adopt func(list []Element) any, each bodyOf) {
	in := reflect.TypeFor[In]()
	if one := bodyOfType(in); one != nil {
		return func(list []Element) any { return one.one(list[0]) }, one
	}
	if in.Kind() == reflect.Slice && in.Name() == "" {
		if each := bodyOfType(in.Elem()); each != nil {
			return each.many, each
		}
	}
	return nil, nil
}
