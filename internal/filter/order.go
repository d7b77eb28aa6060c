package filter

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Order is the compiled sort order of a query. It is total, because it ends with the identifier.
type Order struct {
	keys []sortKey
	n    int // the number of fields in the query; the identifier may follow
}

// sortKey is one field of an order.
type sortKey struct {
	field      *Field
	descending bool
	shown      Match // unless the record matches, the value counts as null; nil for no condition
	reach      Reach // to the record that has the field; nil for the sorted record itself
}

// CompileOrder compiles a sort order. Id reads the identifier of the records.
func CompileOrder(in Sortable, id *Field, order []store.Order) (*Order, error) {
	o := &Order{keys: make([]sortKey, 0, len(order)+1), n: len(order)}
	last := sortKey{field: id}
	for i := range order {
		key, err := compileKey(in, &order[i])
		if err != nil {
			return nil, err
		}
		o.keys, last.descending = append(o.keys, key), key.descending
	}
	isMissing := func(id *model.Field) bool {
		return !slices.ContainsFunc(order, func(o store.Order) bool {
			return o.Field == id.Name && o.Through == "" && len(o.NullUnless) == 0
		})
	}
	if slices.ContainsFunc(in.Identifier().Fields(), isMissing) {
		o.keys = append(o.keys, last)
	}
	return o, nil
}

func compileKey(in Sortable, o *store.Order) (key sortKey, err error) {
	key.descending = o.Descending
	if key.shown, err = Compile(in, o.NullUnless); err != nil {
		return key, err
	}
	if o.Through != "" {
		var reference *Field
		if reference, err = in.Field(o.Through); err != nil {
			return key, err
		}
		if reference.isList {
			return key, fmt.Errorf("cannot sort through %q: it references several records", o.Through)
		}
		if in, key.reach, err = in.Reach(o.Through); err != nil {
			return key, err
		}
	}
	if key.field, err = in.Field(o.Field); err != nil {
		return key, err
	}
	if !key.field.isOrdered() {
		return key, fmt.Errorf("%s cannot be sorted by", o.Field)
	}
	return key, nil
}

// find returns the record that has the field, and false if the value is null.
func (k *sortKey) find(ctx context.Context, record reflect.Value) (reflect.Value, bool, error) {
	if k.shown != nil {
		if ok, err := k.shown(ctx, record); !ok || err != nil {
			return record, false, err
		}
	}
	if k.reach == nil {
		return record, true, nil
	}
	found, err := k.reach(ctx, record)
	if len(found) == 0 || err != nil {
		return record, false, err
	}
	return reflect.ValueOf(found[0]).Elem(), true, nil
}

// value returns the value of a record for one field of the order.
func (k *sortKey) value(ctx context.Context, record reflect.Value) (Value, error) {
	found, ok, err := k.find(ctx, record)
	if !ok || err != nil {
		return Value{}, err
	}
	return k.field.Of(found)
}

// Values appends the values that a record is sorted by.
func (o *Order) Values(ctx context.Context, record reflect.Value, to []Value) ([]Value, error) {
	for i := range o.keys {
		value, err := o.keys[i].value(ctx, record)
		if err != nil {
			return nil, err
		}
		to = append(to, value)
	}
	return to, nil
}

// CompareRecord returns a negative number if a record comes before one with these values. It reads no more values of the
// record than it needs.
func (o *Order) CompareRecord(ctx context.Context, record reflect.Value, values []Value) (int, error) {
	for i := range o.keys {
		value, err := o.keys[i].value(ctx, record)
		if err != nil {
			return 0, err
		}
		if compared := o.keys[i].compare(value, values[i]); compared != 0 {
			return compared, nil
		}
	}
	return 0, nil
}

// Position returns the position of a record, as in [store.Query].After.
func (o *Order) Position(ctx context.Context, record reflect.Value) ([]any, error) {
	position := make([]any, o.n)
	for i := range position {
		found, ok, err := o.keys[i].find(ctx, record)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if v, isSet := o.keys[i].field.find(found); isSet {
			position[i] = o.keys[i].field.Given(v)
		}
	}
	return position, nil
}

// After returns the values of a position, for [Order.Compare].
func (o *Order) After(position []any) ([]Value, error) {
	if len(position) != o.n || len(o.keys) > o.n {
		return nil, errors.New("the position of a query must have one value for each sort field, and the last sort field must be the identifier")
	}
	values := make([]Value, len(position))
	for i, given := range position {
		var err error
		if values[i], err = o.keys[i].field.Value(given); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Compare returns a negative number if a record with the first values comes before one with the second ones.
func (o *Order) Compare(a, b []Value) int {
	for i := range o.keys {
		if compared := o.keys[i].compare(a[i], b[i]); compared != 0 {
			return compared
		}
	}
	return 0
}

func (k *sortKey) compare(a, b Value) int {
	if k.descending {
		a, b = b, a
	}
	return a.Compare(b)
}
