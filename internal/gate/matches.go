package gate

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// Records finds the records that conditions go through references to.
type Records interface {
	// Referred returns the records of a struct with the keys, in the transaction of the request, nil for each that does
	// not exist. It returns those that are hidden from the caller too.
	Referred(ctx context.Context, of *model.Struct, keys []any) ([]any, error)
}

// matchesEach reports whether a loaded record matches all conditions of a filter, so that a Get or a Put needs no other
// query, except for referenced records. Each operator must match as in stores; oracle_test.go compares the two.
func (q *evaluation) matchesEach(conditions []store.Condition, s *model.Struct, record reflect.Value) (bool, error) {
	for i := range conditions {
		if ok, err := q.matches(&conditions[i], s, record); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// matchesAny reports whether a record matches all conditions of one of the groups.
func (q *evaluation) matchesAny(groups [][]store.Condition, s *model.Struct, record reflect.Value) (bool, error) {
	for _, group := range groups {
		if ok, err := q.matchesEach(group, s, record); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// matchesThrough reports whether a record that a reference leads to matches all conditions of one of the groups.
func (q *evaluation) matchesThrough(c *store.Condition, s *model.Struct, record reflect.Value) (bool, error) {
	f := s.Field(c.Through)
	keys := keysOf(f, record)
	if len(keys) == 0 {
		return false, nil
	}
	if q.caller.Records == nil {
		return false, fmt.Errorf("a condition goes through %q, but nothing can find its records", c.Through)
	}
	found, err := q.caller.Records.Referred(q.ctx, f.Reference.Target, keys)
	if err != nil {
		return false, err
	}
	for _, other := range found {
		if other == nil {
			continue
		}
		if ok, err := q.matchesAny(c.Any, f.Reference.Target, reflect.ValueOf(other).Elem()); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// keysOf returns the keys in a reference of a record, none for null.
func keysOf(f *model.Field, record reflect.Value) (keys []any) {
	v := f.Value(record)
	switch {
	case f.Reference.Many:
		for i := range v.Len() {
			keys = append(keys, f.Reference.Key.KeyIn(v.Index(i)))
		}
		return keys
	case f.Type.Nullable && v.IsNil():
		return nil
	case f.Type.Nullable:
		v = v.Elem()
	}
	return append(keys, f.Reference.Key.KeyIn(v))
}

// checkThrough checks conditions of access.Filter that go through references, and those within. Only a request shows
// them, and a store would compare fields of the wrong records.
func checkThrough(conditions []store.Condition, s *model.Struct) error {
	for i := range conditions {
		within, through := s, conditions[i].Through
		if through != "" {
			f := s.Field(through)
			if f == nil || f.Reference == nil || f.Reference.Target == nil {
				return fmt.Errorf("a condition goes through %q, which is not a reference of %s%s", through, s.Go, naming.Allowed(through, references(s)))
			}
			if !f.Reference.Joined {
				return fmt.Errorf("a condition goes through %q of %s, but the store cannot query the records of %s; "+
					"keep both in memory or in one database, or implement store.Joiner", through, s.Go, f.Reference.Name)
			}
			within = f.Reference.Target
		}
		for _, list := range conditions[i].Any {
			if err := checkThrough(list, within); err != nil {
				return err
			}
		}
	}
	return nil
}

// references returns the names of the references of a struct.
func references(s *model.Struct) (names []string) {
	for _, f := range s.Fields {
		if f.Reference != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// matches reports whether a record matches one condition, which has either groups or fields. One matching field is enough,
// as in a search.
func (q *evaluation) matches(c *store.Condition, s *model.Struct, record reflect.Value) (bool, error) {
	switch {
	case c.Through != "":
		return q.matchesThrough(c, s, record)
	case c.Any != nil:
		return q.matchesAny(c.Any, s, record)
	}
	for _, name := range c.Fields {
		path, ok := s.Path(name)
		if !ok {
			return false, fmt.Errorf("a condition is on %q, which %s does not have", name, s.Go)
		}
		if ok, err := fulfils(c, path, record); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// comparisons are the operators that compare values. The others search strings, or test for null.
var comparisons = []store.Operator{store.Equal, store.NotEqual, store.Less, store.LessEqual, store.Greater, store.GreaterEqual}

// fulfils reports whether one field matches a condition. Null matches NotEqual alone: it differs from every value, and is
// neither less nor greater.
func fulfils(c *store.Condition, path model.Path, record reflect.Value) (bool, error) {
	found, exists := path.Value(record)
	switch {
	case len(c.Values) == 0:
		return false, fmt.Errorf("a condition on %q has no values", path.Name)
	case c.Operator == store.Exists:
		want, ok := c.Values[0].(bool)
		if !ok {
			return false, fmt.Errorf("the condition Exists on %q has a value of type %T; allowed: bool", path.Name, c.Values[0])
		}
		return exists == want, nil
	case !exists:
		return c.Operator == store.NotEqual, nil
	}
	if test := textTest(c.Operator); test != nil {
		return fulfilsText(c, path, found, test)
	} else if !slices.Contains(comparisons, c.Operator) {
		return false, fmt.Errorf("a condition on %q has the unknown operator %q", path.Name, c.Operator)
	}
	for _, value := range c.Values {
		compared, err := compareWith(path, found, value)
		if err != nil {
			return false, err
		}
		switch {
		case c.Operator == store.NotEqual && compared == 0:
			return false, nil
		case c.Operator != store.NotEqual && holds(c.Operator, compared):
			return true, nil
		}
	}
	return c.Operator == store.NotEqual, nil
}

// compareWith compares a field with a value of a condition from a user function, whose type has not been checked.
func compareWith(path model.Path, found reflect.Value, value any) (int, error) {
	want, t := reflect.ValueOf(value), path.Leaf().Type
	if key, ok := value.(store.Key); ok && t.Kind == model.Key {
		if t.KeyIn(found) == key {
			return 0, nil
		}
		return 1, nil
	}
	if !want.IsValid() || want.Type() != t.Base() || !t.Ordered() {
		return 0, fmt.Errorf("a condition on %q has a value of type %T; allowed: %s", path.Name, value, t.Base())
	}
	return compare(t.Kind, found, want)
}

// holds reports whether the result of a comparison matches an operator.
func holds(operator store.Operator, compared int) bool {
	switch operator {
	case store.Equal:
		return compared == 0
	case store.Less:
		return compared < 0
	case store.LessEqual:
		return compared <= 0
	case store.Greater:
		return compared > 0
	case store.GreaterEqual:
		return compared >= 0
	}
	return false
}

// fulfilsText compares strings without case, as stores do: "é" finds "É".
func fulfilsText(c *store.Condition, path model.Path, found reflect.Value, test func(text, part string) bool) (bool, error) {
	if path.Leaf().Type.Kind != model.String {
		return false, fmt.Errorf("the operator %q needs a string, but %q is not one", c.Operator, path.Name)
	}
	folded := store.Fold(found.String())
	for _, value := range c.Values {
		text, ok := value.(string)
		if !ok {
			return false, fmt.Errorf("the condition %q on %q has a value of type %T; allowed: string", c.Operator, path.Name, value)
		}
		if test(folded, store.Fold(text)) {
			return true, nil
		}
	}
	return false, nil
}

// textTest returns how an operator searches folded strings, nil for the other operators.
func textTest(operator store.Operator) func(text, part string) bool {
	switch operator {
	case store.EqualFold:
		return func(text, part string) bool { return text == part }
	case store.Contains:
		return strings.Contains
	case store.HasPrefix:
		return strings.HasPrefix
	case store.HasSuffix:
		return strings.HasSuffix
	case store.HasWordPrefix:
		return func(text, part string) bool {
			return strings.HasPrefix(text, part) || strings.Contains(text, " "+part)
		}
	}
	return nil
}
