package memory

import (
	"fmt"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// matcher reports whether a record fulfils a condition.
type matcher func(record instance) (bool, error)

// matchers compiles the conditions of a query.
func (c columns) matchers(conditions []store.Condition) ([]matcher, error) {
	if len(conditions) == 0 {
		return nil, nil
	}
	all := make([]matcher, len(conditions))
	for i := range conditions {
		var err error
		if all[i], err = c.matcher(&conditions[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// matcher compiles one condition, which holds where it holds for one of its fields.
func (c columns) matcher(condition *store.Condition) (matcher, error) {
	if len(condition.Fields) == 1 {
		return c.matcherOf(condition.Fields[0], condition)
	}
	var alternatives []matcher
	for _, name := range condition.Fields {
		m, err := c.matcherOf(name, condition)
		if err != nil {
			return nil, err
		}
		alternatives = append(alternatives, m)
	}
	return func(record instance) (bool, error) {
		for _, m := range alternatives {
			if ok, err := m(record); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	}, nil
}

// matcherOf compiles a condition for one of its fields.
func (c columns) matcherOf(name string, condition *store.Condition) (matcher, error) {
	column, err := c.find(name)
	if err != nil {
		return nil, err
	}
	return column.matcher(condition)
}

// matcher compiles a condition for one field.
func (c *column) matcher(condition *store.Condition) (matcher, error) {
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
		return func(record instance) (bool, error) { return c.way.find(record) != nil == want, nil }, nil
	}
	if test := textTest(operator); test != nil {
		return c.textMatcher(condition, test)
	}
	return c.valueMatcher(condition)
}

func (c *column) textMatcher(condition *store.Condition, test func(text string, part part) bool) (matcher, error) {
	given, ok := condition.Values[0].(string)
	at, isString := locate[string](c.way)
	if !ok || !isString || c.path.Leaf().Type.Kind != model.String {
		return nil, fmt.Errorf("store/memory: %q on %s is for strings", condition.Operator, c.path.Name)
	}
	part := partOf(given)
	return func(record instance) (bool, error) {
		text := at.in(record)
		return text != nil && test(*text, part), nil
	}, nil
}

func (c *column) valueMatcher(condition *store.Condition) (matcher, error) {
	if sign(condition.Operator) == nil || !c.ordered() {
		return nil, fmt.Errorf("store/memory: %q cannot be asked of %s", condition.Operator, c.path.Name)
	}
	values, err := c.values(condition)
	if err != nil {
		return nil, err
	}
	if m := c.kind.matcher(condition.Operator, condition.Values); m != nil {
		return m, nil
	}
	return c.compares(condition.Operator, values), nil
}

// values returns the values of a condition, none of which is null.
func (c *column) values(condition *store.Condition) ([]ordered, error) {
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
	return values, nil
}
