package codec

import (
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// shallowCopier returns what copies, by assignment, a value that a pointer of the type points
// to. Numbers are copied as unsigned ones, and named types as what they are made of.
// Without reflection for the common types, since every read of a store copies records.
func shallowCopier(t *model.Type) func(from address) address {
	base := t.Base()
	switch t.Kind {
	case model.String:
		return shallow[string]
	case model.Time:
		return shallow[time.Time]
	case model.Bool, model.Int, model.Uint, model.Float:
		return shallowNumber(base.Size())
	}
	return func(from address) address {
		made := reflect.New(base)
		made.Elem().Set(from.value(base))
		return addressIn(made)
	}
}

// By size alone: one instance for each, whatever the type is called and whether it has a sign.
func shallowNumber(size uintptr) func(from address) address {
	switch size {
	case 1:
		return shallow[uint8]
	case 2:
		return shallow[uint16]
	case 4:
		return shallow[uint32]
	}
	return shallow[uint64]
}

func shallow[T any](from address) address { return addressOf(new(*as[T](from))) }

// shallowListOf returns what gives a slice of the type elements of its own, which are
// copied by assignment.
// Capacity is not kept: append to one record's list must not write into another one's.
func shallowListOf(t *model.Type) cloner {
	switch element := t.Elem; {
	case element.Nullable:
		return shallowList[address]
	case element.Kind == model.String:
		return shallowList[string]
	case element.Kind == model.Time:
		return shallowList[time.Time]
	case element.Kind <= model.Float:
		return shallowNumbers(element.Go.Size())
	}
	return shallowAnyList(t.Base())
}

func shallowNumbers(size uintptr) cloner {
	switch size {
	case 1:
		return shallowList[uint8]
	case 2:
		return shallowList[uint16]
	case 4:
		return shallowList[uint32]
	}
	return shallowList[uint64]
}

func shallowList[T any](at address, _ int) {
	list := as[[]T](at)
	if *list == nil {
		return
	}
	made := make([]T, len(*list))
	copy(made, *list)
	*list = made
}

// shallowAnyList does the same by reflection, for elements of any other type.
func shallowAnyList(t reflect.Type) cloner {
	return func(at address, _ int) {
		v := at.value(t)
		if v.IsNil() {
			return
		}
		made := reflect.MakeSlice(t, v.Len(), v.Len())
		reflect.Copy(made, v)
		v.Set(made)
	}
}
