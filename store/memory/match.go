package memory

import (
	"fmt"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// matcher reports whether a record fulfils a condition.
type matcher func(record instance) (bool, error)

// match compiles the conditions of a list. Those that an index can answer become lookups,
// whose matchers it leaves out.
func (l *list) match(c columns) (err error) {
	for i := range l.query.Where {
		var m matcher
		if found, ok := c.lookup(&l.query.Where[i]); ok {
			found.condition = i
			l.lookups = append(l.lookups, found)
		} else if m, err = c.matcher(&l.query.Where[i]); err != nil {
			return err
		}
		l.matchers = append(l.matchers, m)
	}
	return nil
}

// matchBut makes the matchers that were left out, but for the one of a lookup whose rows the
// list goes through, which all fulfil it; nil for none.
func (l *list) matchBut(c columns, done *lookup) (err error) {
	for i := range l.lookups {
		if each := &l.lookups[i]; each != done {
			if l.matchers[each.condition], err = c.matcher(&l.query.Where[each.condition]); err != nil {
				return err
			}
		}
	}
	if done != nil {
		l.matchers = slices.Delete(l.matchers, done.condition, done.condition+1)
	}
	return nil
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
	operator, test := condition.Operator, textTest(condition.Operator)
	many := operator == store.Equal || operator == store.NotEqual || test != nil
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
	if test != nil {
		return c.textMatcher(condition, test)
	}
	return c.valueMatcher(condition)
}

// textMatcher compiles a condition that looks into text, which holds for one of its values.
func (c *column) textMatcher(condition *store.Condition, test func(text string, part part) bool) (matcher, error) {
	at, isString := locate[string](c.way)
	var parts []part
	for _, value := range condition.Values {
		given, ok := value.(string)
		if !ok || !isString || c.path.Leaf().Type.Kind != model.String {
			return nil, fmt.Errorf("store/memory: %q on %s is for strings", condition.Operator, c.path.Name)
		}
		parts = append(parts, partOf(given))
	}
	return func(record instance) (bool, error) {
		text := at.in(record)
		return text != nil && slices.ContainsFunc(parts, func(part part) bool { return test(*text, part) }), nil
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
