package memory

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// ordered is a value of a field in a form that compares fast, in the sense of
// store.Order. Its zero value is null.
type ordered struct {
	present bool
	integer int64 // booleans, integers, seconds of times
	nano    int32
	float   float64
	text    string
}

func (a *ordered) compare(b *ordered) int {
	switch {
	case a.present != b.present:
		if a.present {
			return 1
		}
		return -1
	case a.integer != b.integer:
		return cmp.Compare(a.integer, b.integer)
	case a.nano != b.nano:
		return cmp.Compare(a.nano, b.nano)
	case a.float != b.float:
		return cmp.Compare(a.float, b.float)
	}
	return strings.Compare(a.text, b.text)
}

// column is a field that records are ordered by or compared in.
type column struct {
	path model.Path
	tree int // the number of the tree that is in its order; none has noTree
}

const noTree = -1

// of returns the field's value in a record, which is the struct without its pointer.
func (c *column) of(record reflect.Value) (ordered, error) {
	v, ok := c.path.Value(record)
	if !ok {
		return ordered{}, nil
	}
	return c.order(v)
}

// order returns a value of the field's type, without its pointer.
func (c *column) order(v reflect.Value) (ordered, error) {
	o := ordered{present: true}
	switch c.path.Leaf().Type.Kind {
	case model.Bool:
		if v.Bool() {
			o.integer = 1
		}
	case model.Int:
		o.integer = v.Int()
	case model.Uint:
		o.integer = int64(v.Uint() ^ 1<<63) //nolint:gosec // the sign turned, the order is the same
	case model.Float:
		o.float = v.Float()
	case model.String:
		o.text = v.String()
	case model.Time:
		t := v.Interface().(time.Time)
		o.integer, o.nano = t.Unix(), int32(t.Nanosecond()) //nolint:gosec // less than a thousand million
	case model.Text:
		text, err := textOf(addressable(v))
		if err != nil {
			return ordered{}, fmt.Errorf("store/memory: %s: %w", c.path.Name, err)
		}
		o.text = text
	}
	return o, nil
}

// addressable returns a pointer to v, or to a copy of it.
func addressable(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	made := reflect.New(v.Type())
	made.Elem().Set(v)
	return made.Interface()
}

// value returns a value that a query has for the field: nil is null.
func (c *column) value(given any) (ordered, error) {
	if given == nil {
		return ordered{}, nil
	}
	if want, got := c.path.Leaf().Type.Base(), reflect.TypeOf(given); got != want {
		return ordered{}, fmt.Errorf("store/memory: a value for %s is of the type %s, not %s", c.path.Name, want, got)
	}
	return c.order(reflect.ValueOf(given))
}
