// Package filter evaluates conditions and sort orders of queries in Go. Conditions are compiled once, for a struct, and
// then match any number of records. The store in memory, the access rules about one record, and the reference
// implementation of package storetest all use it; package sqlstore compiles the same conditions to SQL.
//
// Records are passed as the [reflect.Value] of the struct, without its pointer.
package filter

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/fulltext"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Source is where the records of conditions come from.
type Source interface {
	// Field returns the field of the records with that JSON name; see [FieldOf].
	Field(name string) (*Field, error)
	// Through compiles a condition on the records that a reference leads to; see [Behind].
	Through(c *store.Condition) (Match, error)
}

// Sortable is a source whose records can be sorted.
type Sortable interface {
	Source

	// Identifier returns the fields of the records' identifier.
	Identifier() model.Identifier
	// Reach returns the source of the records that a reference field leads to, and how they are found.
	Reach(field string) (Sortable, Reach, error)
}

// Reach returns the records that a reference of a record leads to, as pointers. It leaves out those that do not exist.
type Reach func(ctx context.Context, record reflect.Value) ([]any, error)

// Match reports whether a record matches compiled conditions. The context is for records that conditions go through
// references to. It is safe for concurrent use if the source's Reach is.
type Match func(ctx context.Context, record reflect.Value) (bool, error)

// Compile compiles conditions, which match if all hold. Without conditions it returns nil, which matches every record.
func Compile(in Source, conditions []store.Condition) (Match, error) {
	switch len(conditions) {
	case 0:
		return nil, nil
	case 1:
		return compile(in, &conditions[0])
	}
	all := make([]Match, len(conditions))
	for i := range conditions {
		var err error
		if all[i], err = compile(in, &conditions[i]); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, record reflect.Value) (bool, error) {
		for _, match := range all {
			if ok, err := match(ctx, record); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	}, nil
}

func compile(in Source, c *store.Condition) (Match, error) {
	switch {
	case c.Not:
		return not(in, *c)
	case c.Through != "":
		return in.Through(c)
	case c.Any != nil:
		return group(in, c.Any)
	case len(c.Fields) == 1:
		return compare(in, c.Fields[0], c)
	}
	parts := make([]Match, len(c.Fields))
	for i, name := range c.Fields {
		var err error
		if parts[i], err = compare(in, name, c); err != nil {
			return nil, err
		}
	}
	return anyOf(parts), nil
}

// not compiles the opposite of a condition.
func not(in Source, c store.Condition) (Match, error) {
	c.Not = false
	match, err := compile(in, &c)
	return func(ctx context.Context, record reflect.Value) (bool, error) {
		ok, err := match(ctx, record)
		return !ok && err == nil, err
	}, err
}

// anyOf matches if one of several does.
func anyOf(parts []Match) Match {
	if len(parts) == 1 {
		return parts[0]
	}
	return func(ctx context.Context, record reflect.Value) (bool, error) {
		for _, match := range parts {
			if ok, err := match(ctx, record); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	}
}

// group compiles a group, which holds if all conditions of one of its lists hold.
func group(in Source, lists [][]store.Condition) (Match, error) {
	parts := make([]Match, len(lists))
	for i, list := range lists {
		match, err := Compile(in, list)
		if err != nil {
			return nil, err
		}
		if match == nil {
			match = func(context.Context, reflect.Value) (bool, error) { return true, nil }
		}
		parts[i] = match
	}
	return anyOf(parts), nil
}

// Behind compiles a condition on the records of another source, to which reach leads. It holds if one of them matches.
func Behind(other Source, c *store.Condition, reach Reach) (Match, error) {
	match, err := group(other, c.Any)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, record reflect.Value) (bool, error) {
		found, err := reach(ctx, record)
		for i := 0; i < len(found) && err == nil; i++ {
			var ok bool
			if ok, err = match(ctx, reflect.ValueOf(found[i]).Elem()); ok {
				return true, err
			}
		}
		return false, err
	}, nil
}

// compare compiles a condition for one of its fields.
func compare(in Source, name string, c *store.Condition) (Match, error) {
	f, err := in.Field(name)
	if err != nil {
		return nil, err
	}
	op, known := operators[c.Operator]
	switch {
	case !known:
		return nil, fmt.Errorf("a condition on %s has the unknown operator %q", f.Name, c.Operator)
	case len(c.Values) == 0 || len(c.Values) > 1 && (op.exists || op.order != nil):
		return nil, fmt.Errorf("a condition on %s has %d values", f.Name, len(c.Values))
	case op.exists:
		want, ok := c.Values[0].(bool)
		if !ok {
			return nil, fmt.Errorf("the condition exists on %s must have a bool, not a %T", f.Name, c.Values[0])
		}
		return func(_ context.Context, record reflect.Value) (bool, error) {
			_, exists := f.find(record)
			return exists == want, nil
		}, nil
	case op.search != nil, op.words:
		return f.search(op, c)
	case f.isList && op.order != nil || !f.isList && !f.isOrdered():
		return nil, fmt.Errorf("the operator %q does not apply to %s", c.Operator, f.Name)
	}
	first, err := f.notNull(c.Values[0])
	switch {
	case err != nil:
		return nil, err
	case op.order != nil:
		return func(_ context.Context, record reflect.Value) (bool, error) {
			found, err := f.Of(record)
			return found.present && op.order(found.Compare(first)), err
		}, nil
	case len(c.Values) == 1 && !f.isList:
		return func(_ context.Context, record reflect.Value) (bool, error) {
			found, err := f.Of(record)
			return err == nil && (found == first) != op.negated, err
		}, nil
	}
	return f.equality(c.Values, op.negated)
}

// notNull converts a value of a condition.
func (f *Field) notNull(given any) (Value, error) {
	value, err := f.Value(given)
	if err == nil && value.IsNull() {
		err = fmt.Errorf("a condition on %s has a null value", f.Name)
	}
	return value, err
}

// search compiles a condition that searches within strings.
func (f *Field) search(op operator, c *store.Condition) (Match, error) {
	wanted := make([]string, len(c.Values))
	for i, given := range c.Values {
		text, isText := given.(string)
		if !isText || f.isList || f.typ.Kind != model.String {
			return nil, fmt.Errorf("the operator %q on %s needs strings", c.Operator, f.Name)
		}
		if wanted[i] = text; !op.words {
			wanted[i] = store.Fold(text)
		}
	}
	if op.words {
		return f.searchWords(wanted), nil
	}
	return func(_ context.Context, record reflect.Value) (bool, error) {
		found, ok := f.find(record)
		if !ok {
			return false, nil
		}
		folded := store.Fold(found.String())
		return slices.ContainsFunc(wanted, func(text string) bool { return op.search(folded, text) }), nil
	}, nil
}

// searchWords returns a condition that a string contains the words of one of several texts. A record is compared with
// all, and stemming takes most of the time.
func (f *Field) searchWords(wanted []string) Match {
	language := f.path.Leaf().Language
	read := fulltext.Reader(language)
	for i, text := range wanted {
		wanted[i] = fulltext.Join(fulltext.Phrase(language, text))
	}
	return func(_ context.Context, record reflect.Value) (bool, error) {
		found, ok := f.find(record)
		if !ok {
			return false, nil
		}
		words := fulltext.Join(read(found.String()))
		return slices.ContainsFunc(wanted, func(text string) bool { return text != "" && strings.Contains(words, text) }), nil
	}
}

// manyValues is the number of values from which they are looked up in a map, because clients can send tens of thousands,
// and each record is compared with all.
const manyValues = 16

// equality compiles a condition that a field, or one of the elements of a list, has one of the values, or has none.
func (f *Field) equality(given []any, negated bool) (Match, error) {
	values := make([]Value, len(given))
	for i := range given {
		var err error
		if values[i], err = f.notNull(given[i]); err != nil {
			return nil, err
		}
	}
	isOne := func(found Value) bool { return slices.Contains(values, found) }
	if len(values) >= manyValues {
		set := make(map[Value]struct{}, len(values))
		for _, value := range values {
			set[value] = struct{}{}
		}
		isOne = func(found Value) bool { _, is := set[found]; return is }
	}
	if f.isList {
		return func(_ context.Context, record reflect.Value) (bool, error) {
			var room [8]Value
			found, err := f.All(record, room[:0])
			return err == nil && slices.ContainsFunc(found, isOne) != negated, err
		}, nil
	}
	return func(_ context.Context, record reflect.Value) (bool, error) {
		found, err := f.Of(record)
		return err == nil && isOne(found) != negated, err
	}, nil
}
