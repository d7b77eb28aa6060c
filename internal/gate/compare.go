package gate

import (
	"cmp"
	"reflect"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/model"
)

// equals reports whether a member of a record has a value. Null has none.
// If null had the value of zero, a rule such as Equal("owner", …) would hold of every record that
// nobody owns for a principal without a name.
func equals(path model.Path, record, want reflect.Value) (bool, error) {
	found, ok := path.Value(record)
	if !ok {
		return false, nil
	}
	compared, err := compare(path.Leaf().Type.Kind, found, want)
	return compared == 0 && err == nil, err
}

// equalsAny is the rule Where: several values are a choice, as in a query. An error ends it at
// once, since a rule that could not be asked must refuse rather than go on to a value that lets
// pass.
func equalsAny(path model.Path, record reflect.Value, values []reflect.Value) (bool, error) {
	for i := range values {
		if ok, err := equals(path, record, values[i]); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// isComparable reports whether stores compare members of a type with values.
// It is what stores order by, and no more: a rule that a single record could be asked, but a query
// not, would let a collection show what a Get refuses.
func isComparable(t *model.Type) bool { return t.Ordered() }

// compare compares two values of a member in the sense of store.Order, as stores do. Types that marshal
// themselves as text go by that, whatever they are made of.
func compare(kind model.Kind, a, b reflect.Value) (int, error) {
	switch {
	case kind == model.Text:
		left, err := model.OrderTextOf(a)
		if err != nil {
			return 0, err
		}
		right, err := model.OrderTextOf(b)
		return strings.Compare(left, right), err
	case kind == model.Time:
		return timeOf(a).Compare(timeOf(b)), nil
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int()), nil
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint()), nil
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float()), nil // what is no number comes first there, too
	case kind == model.String:
		return strings.Compare(a.String(), b.String()), nil
	case a.Equal(b):
		return 0, nil
	case kind == model.Bool && !a.Bool(): // false comes before true, as in SQL
		return -1, nil
	}
	return 1, nil // of keys no rule asks an order
}

// timeOf returns the time of a value, whose type may be one of the user's made of time.Time: such a
// type has no Compare of its own to call.
func timeOf(v reflect.Value) time.Time {
	at, _ := reflect.TypeAssert[time.Time](v.Convert(reflect.TypeFor[time.Time]()))
	return at
}
