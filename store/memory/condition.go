package memory

import (
	"fmt"
	"slices"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// condition is one of a query, compiled.
type condition struct {
	holds  func(c *condition, r *row) (bool, error)
	column *column
	values []value
	set    map[value]struct{}             // the same, where there are many; else nil
	test   func(text, folded string) bool // of text
	fits   func(compared int) bool        // which results of a comparison hold
	parts  []condition                    // one of which holds, or each, in place of all that is above
	each   bool
	// isUnion is true of parts one of which holds, where each has a key: rows need not be looked
	// at that are in no span of theirs.
	isUnion bool
	// reach leads to the rows that the parts are about, all of which must hold; nil for the row
	// itself.
	reach *reach
	// tree is the column in whose tree the rows that are equal to one of the values are
	// found; nil where each row must be looked at.
	tree  *column
	all   span   // the rows in it
	spans []span // those that are equal to a value, one span for each of them
	rows  int    // in all spans

	firstValue [1]value // where most have the only one, and its span
	firstSpan  [1]span
}

// conditions appends what conditions ask for. A group of one list is no more than the
// conditions in it, some of which may have trees. Room, if any, is where parts of groups go.
func (c *columns) conditions(to []condition, asked []store.Condition, room *parts) ([]condition, error) {
	for i := range asked {
		var err error
		if len(asked[i].Any) == 1 && asked[i].Through == "" {
			to, err = c.conditions(to, asked[i].Any[0], room)
		} else {
			to = append(to, condition{})
			err = c.condition(&to[len(to)-1], &asked[i], room)
		}
		if err != nil {
			return nil, err
		}
	}
	return to, nil
}

// parts are conditions within others. A list keeps a few of them for the next one: half of the
// memory that a rule of access takes of a page would be theirs.
type parts []condition

// fewParts is how many of them a list keeps.
const fewParts = 4

// take returns n conditions: of those that are kept, as long as there are some.
func (p *parts) take(n int) []condition {
	if p == nil || n > fewParts-len(*p) {
		return make([]condition, n)
	}
	if *p == nil {
		*p = make(parts, 0, fewParts)
	}
	first := len(*p)
	*p = (*p)[:first+n]
	return (*p)[first : first+n : first+n]
}

// condition compiles one condition, which holds where it holds for one of its fields.
func (c *columns) condition(made *condition, asked *store.Condition, room *parts) error {
	switch {
	case asked.Through != "":
		return c.through(made, asked)
	case asked.Any != nil:
		return c.group(made, asked.Any, room)
	}
	if len(asked.Fields) == 1 {
		column, err := c.find(asked.Fields[0])
		if err != nil {
			return err
		}
		made.column = column
		return made.compile(asked)
	}
	made.parts = make([]condition, len(asked.Fields))
	for i, name := range asked.Fields {
		column, err := c.find(name)
		if err != nil {
			return err
		}
		made.parts[i].column = column
		if err := made.parts[i].compile(asked); err != nil {
			return err
		}
	}
	made.holdForOne()
	return nil
}

// group compiles a group, which holds where all conditions of one of its lists hold.
func (c *columns) group(made *condition, lists [][]store.Condition, room *parts) error {
	made.parts = room.take(len(lists))
	for i, list := range lists {
		part := &made.parts[i]
		var err error
		if len(list) == 1 {
			err = c.condition(part, &list[0], room)
		} else {
			part.holds, part.each = allHold, true
			part.parts, err = c.conditions(nil, list, room)
		}
		if err != nil {
			return err
		}
	}
	made.holdForOne()
	return nil
}

// holdForOne makes a condition hold where one of its parts does.
func (c *condition) holdForOne() {
	c.holds, c.isUnion = anyHolds, true
	for i := range c.parts {
		c.isUnion = c.isUnion && c.parts[i].key() != nil
	}
	if c.isPlainUnion() {
		c.holds = unionHolds
	}
}

// compile compiles a condition for its one field.
func (c *condition) compile(asked *store.Condition) error {
	operator := asked.Operator
	c.test, c.fits = textTest(operator), comparison(operator)
	many := operator == store.Equal || operator == store.NotEqual || c.test != nil
	if len(asked.Values) == 0 || len(asked.Values) > 1 && !many {
		return fmt.Errorf("store/memory: a condition on %s has %d values", c.column.name, len(asked.Values))
	}
	if c.values = c.firstValue[:]; len(asked.Values) > 1 {
		c.values = make([]value, len(asked.Values))
	}
	switch {
	case operator == store.Exists:
		want, ok := asked.Values[0].(bool)
		if !ok {
			return fmt.Errorf("store/memory: whether %s exists is asked with the type %T, not bool", c.column.name, asked.Values[0])
		}
		c.holds, c.values[0] = existenceHolds, ofBool(want)
		return nil
	case c.test != nil:
		return c.compileText(asked)
	case c.column.elements != nil && (operator == store.Equal || operator == store.NotEqual):
	case c.fits == nil && !many || !c.column.ordered():
		return fmt.Errorf("store/memory: %q cannot be asked of %s", operator, c.column.name)
	}
	for i, given := range asked.Values {
		var err error
		if c.values[i], err = c.column.value(given); err != nil {
			return err
		}
		if !c.values[i].present {
			return fmt.Errorf("store/memory: a condition on %s has null for a value", c.column.name)
		}
	}
	c.choose(operator)
	return nil
}

// manyValues is from how many values on those of a condition are looked for in a map: clients can ask
// for tens of thousands, of each of as many rows.
const manyValues = 32

// isOne reports whether a value is one of the condition's.
func (c *condition) isOne(found value) bool {
	if c.set == nil {
		return slices.Contains(c.values, found)
	}
	_, is := c.set[found]
	return is
}

// choose finds what the values are asked of a row by, and whether a tree has the rows.
func (c *condition) choose(operator store.Operator) {
	isList := c.column.elements != nil
	if len(c.values) >= manyValues {
		c.set = make(map[value]struct{}, len(c.values))
		for _, value := range c.values {
			c.set[value] = struct{}{}
		}
	}
	switch {
	case isList && operator == store.NotEqual:
		c.holds = listLacks
	case isList:
		c.compileList()
	case operator == store.Equal:
		if c.holds = equalityHolds; c.column.tree != noTree {
			c.tree = c.column
		}
	case operator == store.NotEqual:
		c.holds = inequalityHolds
	default:
		c.holds = comparisonHolds
	}
}

// compileList makes the condition hold for lists that have one of the values. Where there is a
// tree, a record is in it for each of them, so that several values are a group of conditions. Of many
// values each row is asked: to find it by one it would have to be looked for in all those before.
func (c *condition) compileList() {
	c.holds = listHolds
	switch {
	case c.column.tree == noTree, c.set != nil:
	case len(c.values) == 1:
		c.tree = c.column
	default:
		c.parts = make([]condition, len(c.values))
		for i := range c.parts {
			c.parts[i] = condition{holds: listHolds, column: c.column, values: c.values[i : i+1], tree: c.column}
		}
		c.holdForOne()
	}
}

func listHolds(c *condition, r *row) (bool, error) {
	return c.column.elements.has(r.record, c)
}

func listLacks(c *condition, r *row) (bool, error) {
	has, err := c.column.elements.has(r.record, c)
	return !has, err
}

// compileText compiles a condition that looks into text.
func (c *condition) compileText(asked *store.Condition) error {
	for i, given := range asked.Values {
		text, isText := given.(string)
		if !isText || !c.column.ordered() || c.column.field.Type.Kind != model.String {
			return fmt.Errorf("store/memory: %q on %s is for strings", asked.Operator, c.column.name)
		}
		c.values[i] = ofText(store.Fold(text))
	}
	if c.holds = textHolds; asked.Operator == store.EqualFold {
		c.tree = c.column.folded
	}
	return nil
}

func anyHolds(c *condition, r *row) (bool, error) {
	for i := range c.parts {
		if ok, err := c.parts[i].holds(&c.parts[i], r); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// unionHolds is anyHolds of a plain union, which is what rules of access are tried by: on each row that
// a filter has found.
func unionHolds(c *condition, r *row) (bool, error) {
	for i := range c.parts {
		if c.parts[i].has(r) {
			return true, nil
		}
	}
	return false, nil
}

func allHold(c *condition, r *row) (bool, error) { return allOf(c.parts, r) }

// allOf reports whether a row fulfils all of some conditions.
func allOf(conditions []condition, r *row) (bool, error) {
	for i := range conditions {
		if ok, err := conditions[i].holds(&conditions[i], r); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func existenceHolds(c *condition, r *row) (bool, error) {
	return ofBool(c.column.way.find(r.record) != nil) == c.values[0], nil
}

func equalityHolds(c *condition, r *row) (bool, error) {
	if c.tree != nil {
		return c.has(r), nil
	}
	found, err := c.column.of(r)
	return c.isOne(found), err
}

func inequalityHolds(c *condition, r *row) (bool, error) {
	found, err := c.column.of(r)
	return !c.isOne(found), err
}

func comparisonHolds(c *condition, r *row) (bool, error) {
	found, err := c.column.of(r)
	return found.present && c.fits(found.compare(&c.values[0])), err
}

func textHolds(c *condition, r *row) (bool, error) {
	found, err := c.column.of(r)
	if !found.present {
		return false, err
	}
	for i := range c.values {
		if c.test(found.text, c.values[i].text) {
			return true, nil
		}
	}
	return false, nil
}

// comparison returns which results of a comparison with one value fulfil an operator; nil for
// one that does not compare so.
func comparison(operator store.Operator) func(compared int) bool {
	switch operator {
	case store.Less:
		return func(c int) bool { return c < 0 }
	case store.LessEqual:
		return func(c int) bool { return c <= 0 }
	case store.Greater:
		return func(c int) bool { return c > 0 }
	case store.GreaterEqual:
		return func(c int) bool { return c >= 0 }
	}
	return nil
}
