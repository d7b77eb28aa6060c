package memory

import (
	"cmp"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// kind is how the values of a field are read and compared, compiled for their Go type.
type kind interface {
	// ordered returns the field's value in an instance.
	ordered(in instance) (ordered, error)
	// matcher returns the test of an operator that compares with values of the field's Go
	// type; nil leaves it to [column.compares].
	matcher(operator store.Operator, values []any) matcher
}

// kindOf compiles the kind of what a way leads to; nil for types without an order.
func kindOf(t *model.Type, w way) kind {
	switch t.Kind {
	case model.Bool:
		return located(w, func(at location[bool]) kind { return boolean{at} })
	case model.Int, model.Uint:
		return integer(w)
	case model.Float:
		if t.Bits == 32 {
			return scalarOf(w, orderedFloat[float32])
		}
		return scalarOf(w, orderedFloat[float64])
	case model.String:
		return scalarOf(w, orderedText[string])
	case model.Time:
		return located(w, func(at location[time.Time]) kind { return moment{at} })
	case model.Bytes:
		return octets{w}
	case model.Text:
		return textual{w}
	}
	return nil
}

func integer(w way) kind {
	switch w.found.Kind() {
	case reflect.Int:
		return scalarOf(w, orderedInt[int])
	case reflect.Int8:
		return scalarOf(w, orderedInt[int8])
	case reflect.Int16:
		return scalarOf(w, orderedInt[int16])
	case reflect.Int32:
		return scalarOf(w, orderedInt[int32])
	case reflect.Int64:
		return scalarOf(w, orderedInt[int64])
	case reflect.Uint:
		return scalarOf(w, orderedUint[uint])
	case reflect.Uint8:
		return scalarOf(w, orderedUint[uint8])
	case reflect.Uint16:
		return scalarOf(w, orderedUint[uint16])
	case reflect.Uint32:
		return scalarOf(w, orderedUint[uint32])
	case reflect.Uint64:
		return scalarOf(w, orderedUint[uint64])
	}
	return nil
}

// located makes a kind of a location that has the layout of V.
func located[V any](w way, made func(location[V]) kind) kind {
	if at, ok := locate[V](w); ok {
		return made(at)
	}
	return nil
}

func scalarOf[V cmp.Ordered](w way, order func(V) ordered) kind {
	return located(w, func(at location[V]) kind { return scalar[V]{at, order} })
}

// scalar is the kind of numbers and strings.
type scalar[V cmp.Ordered] struct {
	at    location[V]
	order func(V) ordered
}

func (s scalar[V]) ordered(in instance) (ordered, error) {
	if v := s.at.in(in); v != nil {
		return s.order(*v), nil
	}
	return ordered{}, nil
}

// boolean is the kind of bools.
type boolean struct{ at location[bool] }

func (b boolean) ordered(in instance) (ordered, error) {
	if v := b.at.in(in); v != nil {
		return orderedBool(*v), nil
	}
	return ordered{}, nil
}

// moment is the kind of times.
type moment struct{ at location[time.Time] }

func (m moment) ordered(in instance) (ordered, error) {
	if v := m.at.in(in); v != nil {
		return orderedTime(*v), nil
	}
	return ordered{}, nil
}

// octets is the kind of []byte. Queries do not compare them: they are only unique.
type octets struct{ way way }

func (o octets) ordered(in instance) (ordered, error) {
	p := o.way.pointer(in)
	if p == nil {
		return ordered{}, nil
	}
	bytes := reflect.ValueOf(p).Elem().Bytes()
	if bytes == nil {
		return ordered{}, nil // none, as null is in a database
	}
	return orderedText(string(bytes)), nil
}

func (octets) matcher(store.Operator, []any) matcher { return nil }

// textual is the kind of types that marshal themselves as text.
type textual struct{ way way }

func (t textual) ordered(in instance) (ordered, error) {
	p := t.way.pointer(in)
	if p == nil {
		return ordered{}, nil
	}
	text, err := textOf(p)
	return orderedText(text), err
}

func (textual) matcher(store.Operator, []any) matcher { return nil }
