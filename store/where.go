package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Eq returns the condition that a field, given by JSON name, has one of the values; for a list, that one of its
// elements has. Eq(field, nil) holds for null.
//
// Values have the field's Go type without its pointer. The stores of Trove also take other numbers and strings that
// convert exactly, such as 1960 for an int64 and "9.99" for a type that reads itself from text. They return an error
// for any other value, and for an unknown field.
func Eq(field string, values ...any) Condition {
	if len(values) == 1 && values[0] == nil {
		return on(field, Exists, false)
	}
	return on(field, Equal, values...)
}

// In is [Eq] with any number of values, such as a slice. Without values it matches no record.
func In[V any](field string, values ...V) Condition {
	if len(values) == 0 {
		return Condition{Any: [][]Condition{}}
	}
	list := make([]any, len(values))
	for i, value := range values {
		list[i] = value
	}
	return on(field, Equal, list...)
}

// Ne returns the condition that a field has none of the values. It holds for null, except Ne(field, nil), which holds
// for all other values.
func Ne(field string, values ...any) Condition {
	if len(values) == 1 && values[0] == nil {
		return on(field, Exists, true)
	}
	return on(field, NotEqual, values...)
}

// Lt returns the condition that a field sorts before a value; see [Order]. Null does not. Values are as in [Eq].
func Lt(field string, value any) Condition { return on(field, Less, value) }

// Lte returns the condition that a field sorts before a value or equals it, as [Lt].
func Lte(field string, value any) Condition { return on(field, LessEqual, value) }

// Gt returns the condition that a field sorts after a value, as [Lt].
func Gt(field string, value any) Condition { return on(field, Greater, value) }

// Gte returns the condition that a field sorts after a value or equals it, as [Lt].
func Gte(field string, value any) Condition { return on(field, GreaterEqual, value) }

func on(field string, operator Operator, values ...any) Condition {
	return Condition{Fields: []string{field}, Operator: operator, Values: values}
}

// List returns the records that match all conditions, by ascending identifier. The slice and the records are shared,
// so the caller must not change them. A record that cannot be read is an error. For pages and other orders, call the
// List of the store.
func List[T any](ctx context.Context, in Store[T], conditions ...Condition) ([]*T, error) {
	page, err := in.List(ctx, Query{Where: conditions})
	if err == nil {
		err = errors.Join(page.Broken...)
	}
	if err != nil {
		return nil, err
	}
	return page.Items, nil
}

// Count returns the number of records that match all conditions.
func Count[T any](ctx context.Context, in Store[T], conditions ...Condition) (int, error) {
	page, err := in.List(ctx, Query{Where: conditions, Limit: 1, Count: true})
	return page.Total, err
}

// batch is how many records UpdateWhere has in memory.
const batch = 500

// UpdateWhere calls change with each record that matches all conditions, in the order of the identifier, and saves it.
// It returns how many there were. All are saved, or none if anything returns an error. If the context carries a
// transaction of the store, UpdateWhere joins it. It reads the records in batches, so any number of them fits into
// memory. As in [Update], change may run again after a conflict. It must not change the identifier.
func UpdateWhere[T any](ctx context.Context, in Store[T], change func(record *T) error, conditions ...Condition) (changed int, err error) {
	key, err := keyOf[T]()
	if err != nil {
		return 0, err
	}
	err = in.Transact(ctx, func(ctx context.Context, tx Tx[T]) error {
		changed = 0
		query := Query{Where: conditions, Order: key.order, Limit: batch}
		for {
			items, found, err := lock(ctx, in, tx, key, query)
			if err != nil || found == nil {
				return err
			}
			for _, item := range items {
				id := key.of(item)
				if found[id] == nil { // it matches only since the first query: the next round has it
					break
				}
				if err = updateLocked(ctx, tx, id, found[id], change); err != nil {
					return err
				}
				changed++
				query.After = key.after(item)
			}
		}
	})
	if err != nil {
		return 0, err
	}
	return changed, nil
}

// updateLocked changes and saves a record.
func updateLocked[T any](ctx context.Context, tx Tx[T], id any, record *T, change func(record *T) error) error {
	if err := change(record); err != nil {
		return err
	}
	return tx.Update(ctx, id, record)
}

// lock locks the records of a query, so that no other transaction can change them, and returns copies by their identifiers,
// nil if no record matches. The items are those that match since then, of which some may not be locked.
func lock[T any](ctx context.Context, in Store[T], tx Tx[T], key key, query Query) (items []*T, locked map[any]*T, err error) {
	page, err := in.List(ctx, query)
	if err = errors.Join(append(page.Broken, err)...); err != nil || len(page.Items) == 0 {
		return nil, nil, err
	}
	locked = make(map[any]*T, len(page.Items))
	for _, item := range page.Items {
		id := key.of(item)
		record, err := tx.Get(ctx, id)
		switch {
		case err == nil:
			locked[id] = record
		case !errors.Is(err, ErrNotFound):
			return nil, nil, err
		}
	}
	page, err = in.List(ctx, query)
	return page.Items, locked, errors.Join(append(page.Broken, err)...)
}

// key is the identifier of a struct.
type key struct {
	fields [][]int // their indexes in the struct
	order  []Order // by all of them
}

// keyOf finds the fields tagged api:"id", else the field ID. It reads no more of the tags: [Store] says what the
// identifier is, and resource.New checks it.
func keyOf[T any]() (key, error) {
	record := reflect.TypeFor[T]()
	if record.Kind() != reflect.Struct {
		return key{}, fmt.Errorf("store: %s is not a struct", record)
	}
	var tagged, named key
	for _, f := range reflect.VisibleFields(record) {
		switch {
		case !f.IsExported() || f.Anonymous:
		case isTagged(f, "id"):
			tagged.fields, tagged.order = append(tagged.fields, f.Index), append(tagged.order, Order{Field: jsonName(f)})
		case f.Name == "ID":
			named = key{[][]int{f.Index}, []Order{{Field: jsonName(f)}}}
		}
	}
	switch {
	case len(tagged.fields) > len(Key{}):
		return key{}, fmt.Errorf("store: the identifier of %s has %d fields; allowed: %d", record, len(tagged.fields), len(Key{}))
	case tagged.fields != nil:
		return tagged, nil
	case named.fields == nil:
		return key{}, fmt.Errorf("store: %s has no identifier; name a field ID, or tag one with api:\"id\"", record)
	}
	return named, nil
}

// jsonName returns the JSON name of a field.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return cmp.Or(name, f.Name)
}

// isTagged reports whether the tag api of a field has a word.
func isTagged(f reflect.StructField, word string) bool {
	words := strings.Split(f.Tag.Get("api"), ",")
	return slices.ContainsFunc(words, func(each string) bool { return strings.TrimSpace(each) == word })
}

// of returns the identifier of a record, given as a pointer.
func (k key) of(record any) any {
	after := k.after(record)
	if len(after) == 1 {
		return after[0]
	}
	var id Key
	copy(id[:], after)
	return id
}

// after returns the position of a record in the order of the identifier.
func (k key) after(record any) []any {
	v := reflect.ValueOf(record).Elem()
	after := make([]any, len(k.fields))
	for i, index := range k.fields {
		after[i] = v.FieldByIndex(index).Interface()
	}
	return after
}
