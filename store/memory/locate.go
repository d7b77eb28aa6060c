package memory

import (
	"reflect"
	"unsafe"

	"github.com/trove-api/trove/internal/model"
)

// This file is the only one that reads memory by address: a scan that reads a field by
// reflection takes several times as long. It is sound because
//
//   - an instance is made from a pointer to a value of the struct type, or of the field's
//     type, that the location was compiled from, and keeps that value alive;
//   - the offsets are reflect's own for that type, so each address is within the value
//     that the pointer before it points to, and a pointer that is nil ends the way;
//   - locate refuses a type that is not laid out as that of the field: of one kind in the
//     sense of reflect, and the same type where the kind is no basic one;
//   - a table is that of one store, and all of its instances are records of the store's type;
//   - what is found is only read, and saved records are changed by nobody.

// instance is a value that locations were compiled for.
type instance struct{ start unsafe.Pointer }

// instanceOf returns a record as an instance of its struct.
func instanceOf[T any](record *T) instance {
	return instance{unsafe.Pointer(record)} //nolint:gosec // see above
}

// recordIn returns the record that an instance was made of, in a table of such records.
func recordIn[T any](i instance) *T { return (*T)(i.start) }

// copyOf returns a copy of a value as an instance of its own type.
func copyOf(value any) instance {
	made := reflect.New(reflect.TypeOf(value))
	made.Elem().Set(reflect.ValueOf(value))
	return instance{made.UnsafePointer()}
}

// way leads from the start of a value to a field within it.
type way struct {
	first uintptr
	rest  []uintptr // for each pointer on the way, the offset behind it
	found reflect.Type
}

// wayTo returns the way to a field of a struct.
func wayTo(record reflect.Type, path model.Path) way {
	w, at := way{}, record
	for _, field := range path.Fields {
		var offset uintptr
		for _, i := range field.Index {
			offset, at = offset+at.Field(i).Offset, at.Field(i).Type
		}
		if n := len(w.rest); n > 0 {
			w.rest[n-1] += offset
		} else {
			w.first += offset
		}
		if field.Type.Nullable {
			w.rest, at = append(w.rest, 0), at.Elem()
		}
	}
	w.found = at
	return w
}

// find returns the address of the field, nil where it is null.
func (w *way) find(in instance) unsafe.Pointer {
	p := unsafe.Add(in.start, w.first)
	for _, offset := range w.rest {
		if p = *(*unsafe.Pointer)(p); p == nil {
			return nil
		}
		p = unsafe.Add(p, offset)
	}
	return p
}

// list returns the start of the elements of a list, and how many there are. All lists are laid
// out alike but for their elements.
func (w *way) list(in instance) (start unsafe.Pointer, n int) {
	p := w.find(in)
	if p == nil {
		return nil, 0
	}
	list := *(*[]struct{})(p)
	return unsafe.Pointer(unsafe.SliceData(list)), len(list) //nolint:gosec // see above
}

// elements reads the elements of a list, each of so many bytes.
type elements struct {
	way  way
	size uintptr
	read reader // of one element by itself
}

// of returns the elements of the list in a record.
func (e *elements) of(record instance) ([]value, error) {
	start, n := e.way.list(record)
	if n == 0 {
		return nil, nil
	}
	all := make([]value, n)
	for i := range all {
		var err error
		if all[i], err = e.read(instance{unsafe.Add(start, uintptr(i)*e.size)}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// has reports whether the list in a record has one of the values of a condition.
func (e *elements) has(record instance, c *condition) (bool, error) {
	start, n := e.way.list(record)
	for i := range n {
		found, err := e.read(instance{unsafe.Add(start, uintptr(i)*e.size)})
		if err != nil || c.isOne(&found) {
			return err == nil, err
		}
	}
	return false, nil
}

// pointer returns a pointer to the field as reflect makes it, nil where it is null.
func (w *way) pointer(in instance) any {
	p := w.find(in)
	if p == nil {
		return nil
	}
	return reflect.NewAt(w.found, p).Interface()
}

// location is where a field with values of the type V is.
type location[V any] struct{ way way }

// locate returns the location of what the way leads to, and whether it has the layout of
// V.
func locate[V any](w way) (location[V], bool) {
	want := reflect.TypeFor[V]()
	same := want == w.found || want.Kind() == w.found.Kind() && basic(want.Kind())
	return location[V]{w}, same
}

// basic reports whether all types of a kind are laid out alike.
func basic(kind reflect.Kind) bool { return kind <= reflect.Float64 || kind == reflect.String }

// in returns the field of an instance, nil where it is null.
func (l *location[V]) in(of instance) *V { return (*V)(l.way.find(of)) }
