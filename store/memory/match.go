package memory

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// matcher reports whether a record, the struct without its pointer, fulfils a condition.
type matcher func(record reflect.Value) (bool, error)

// matchers compiles the conditions of a query.
func (c columns) matchers(conditions []store.Condition) ([]matcher, error) {
	var all []matcher
	for _, condition := range conditions {
		m, err := c.matcher(condition)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// matcher compiles one condition, which holds where it holds for one of its fields.
func (c columns) matcher(condition store.Condition) (matcher, error) {
	var alternatives []matcher
	for _, name := range condition.Fields {
		column, err := c.find(name)
		if err != nil {
			return nil, err
		}
		m, err := column.matcher(condition)
		if err != nil {
			return nil, err
		}
		alternatives = append(alternatives, m)
	}
	if len(alternatives) == 1 {
		return alternatives[0], nil
	}
	return func(record reflect.Value) (bool, error) {
		for _, m := range alternatives {
			if ok, err := m(record); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	}, nil
}

// matcher compiles a condition for one field.
func (c *column) matcher(condition store.Condition) (matcher, error) {
	operator := condition.Operator
	many := operator == store.Equal || operator == store.NotEqual
	if len(condition.Values) == 0 || len(condition.Values) > 1 && !many {
		return nil, fmt.Errorf("store/memory: a condition on %s has %d values", c.path.Name, len(condition.Values))
	}
	if operator == store.Exists {
		want, ok := condition.Values[0].(bool)
		if !ok {
			return nil, fmt.Errorf("store/memory: whether %s exists is asked with a %T, not a bool", c.path.Name, condition.Values[0])
		}
		return func(record reflect.Value) (bool, error) {
			_, exists := c.path.Value(record)
			return exists == want, nil
		}, nil
	}
	if test := textTest(operator); test != nil {
		return c.textMatcher(condition, test)
	}
	return c.valueMatcher(condition)
}

// textTest returns the test of an operator that looks into text; nil for another one.
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

func (c *column) textMatcher(condition store.Condition, test func(text, part string) bool) (matcher, error) {
	part, ok := condition.Values[0].(string)
	if !ok || c.path.Leaf().Type.Kind != model.String {
		return nil, fmt.Errorf("store/memory: %q on %s is for strings", condition.Operator, c.path.Name)
	}
	part = store.Fold(part)
	return func(record reflect.Value) (bool, error) {
		v, exists := c.path.Value(record)
		return exists && test(store.Fold(v.String()), part), nil
	}, nil
}

func (c *column) valueMatcher(condition store.Condition) (matcher, error) {
	holds := valueTest(condition.Operator)
	if holds == nil || !c.path.Leaf().Type.Ordered() {
		return nil, fmt.Errorf("store/memory: %q cannot be asked of %s", condition.Operator, c.path.Name)
	}
	values := make([]ordered, len(condition.Values))
	for i, given := range condition.Values {
		var err error
		if values[i], err = c.value(given); err != nil {
			return nil, err
		}
		if !values[i].present {
			return nil, fmt.Errorf("store/memory: a condition on %s has null for a value", c.path.Name)
		}
	}
	return func(record reflect.Value) (bool, error) {
		found, err := c.of(record)
		return err == nil && holds(found, values), err
	}, nil
}

// valueTest returns the test of an operator that compares; nil for another one.
func valueTest(operator store.Operator) func(found ordered, values []ordered) bool {
	compares := func(fits func(int) bool) func(ordered, []ordered) bool {
		return func(found ordered, values []ordered) bool {
			return found.present && fits(found.compare(&values[0]))
		}
	}
	isOneOf := func(found ordered, values []ordered) bool {
		return slices.ContainsFunc(values, func(v ordered) bool { return found.compare(&v) == 0 })
	}
	switch operator {
	case store.Equal:
		return isOneOf
	case store.NotEqual:
		return func(found ordered, values []ordered) bool { return !isOneOf(found, values) }
	case store.Less:
		return compares(func(c int) bool { return c < 0 })
	case store.LessEqual:
		return compares(func(c int) bool { return c <= 0 })
	case store.Greater:
		return compares(func(c int) bool { return c > 0 })
	case store.GreaterEqual:
		return compares(func(c int) bool { return c >= 0 })
	}
	return nil
}
