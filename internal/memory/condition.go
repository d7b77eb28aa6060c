package memory

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// condition is a compiled condition of a query.
type condition struct {
	holds  func(c *condition, r *row) (bool, error)
	column *column
	values []value
	one    [1]value                       // the memory of values if there is one
	set    map[value]struct{}             // the same values if there are many; else nil
	test   func(text, folded string) bool // for strings
	fits   func(compared int) bool        // reports whether the result of a comparison matches
	parts  []condition                    // of a group, or conditions on a referenced row
	reach  *reach                         // to the rows that parts are about; nil for the row itself
	// tree is the column in whose tree the rows that equal a value are found; nil if each row must be tried.
	tree *column
	// isUnion reports that all parts of a group have trees and no further conditions.
	isUnion bool
}

// isIndexed reports whether the rows of a condition are found in trees.
func (c *condition) isIndexed() bool { return c.tree != nil || c.isUnion }

// conditions appends compiled conditions. A group of one list becomes the conditions in it, some of which may have
// trees.
func (c *columns) conditions(to []condition, requested []store.Condition) ([]condition, error) {
	for i := range requested {
		var err error
		if len(requested[i].Any) == 1 && requested[i].Through == "" {
			to, err = c.conditions(to, requested[i].Any[0])
		} else {
			to = append(to, condition{})
			err = c.condition(&to[len(to)-1], &requested[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return to, nil
}

// condition compiles one condition, which holds if it holds for one of its fields.
func (c *columns) condition(made *condition, requested *store.Condition) (err error) {
	switch {
	case requested.Through != "":
		return c.through(made, requested)
	case requested.Any != nil:
		return c.group(made, requested.Any)
	case len(requested.Fields) == 1:
		if made.column, err = c.find(requested.Fields[0]); err != nil {
			return err
		}
		return made.compile(requested)
	}
	made.holds, made.parts = anyHolds, make([]condition, len(requested.Fields))
	for i, name := range requested.Fields {
		part := &made.parts[i]
		if part.column, err = c.find(name); err != nil {
			return err
		}
		if err := part.compile(requested); err != nil {
			return err
		}
	}
	return nil
}

// group compiles a group, which holds if all conditions of one of its lists hold.
func (c *columns) group(made *condition, lists [][]store.Condition) (err error) {
	made.holds, made.parts, made.isUnion = anyHolds, make([]condition, len(lists)), true
	for i, list := range lists {
		part := &made.parts[i]
		if len(list) == 1 {
			err = c.condition(part, &list[0])
		} else {
			part.holds = allHold
			part.parts, err = c.conditions(nil, list)
		}
		if err != nil {
			return err
		}
		made.isUnion = made.isUnion && part.tree != nil && part.tree.elements == nil && part.reach == nil
	}
	return nil
}

// compile compiles a condition for its one field.
func (c *condition) compile(requested *store.Condition) error {
	operator := requested.Operator
	c.test, c.fits = textTest(operator), comparison(operator)
	many := operator == store.Equal || operator == store.NotEqual || c.test != nil
	if len(requested.Values) == 0 || len(requested.Values) > 1 && !many {
		return fmt.Errorf("store/memory: a condition on %s has %d values", c.column.name, len(requested.Values))
	}
	if c.values = c.one[:]; len(requested.Values) > 1 {
		c.values = make([]value, len(requested.Values))
	}
	switch {
	case operator == store.Exists:
		want, ok := requested.Values[0].(bool)
		if !ok {
			return fmt.Errorf("store/memory: the condition exists on %s must have a bool, not a %T", c.column.name, requested.Values[0])
		}
		c.holds, c.values[0] = existenceHolds, ofBool(want)
		return nil
	case c.test != nil:
		return c.compileText(requested)
	case c.column.elements != nil && (operator == store.Equal || operator == store.NotEqual):
	case c.fits == nil && !many || !c.column.ordered():
		return fmt.Errorf("store/memory: the operator %q does not apply to %s", operator, c.column.name)
	}
	for i, given := range requested.Values {
		var err error
		if c.values[i], err = c.column.value(given); err != nil {
			return err
		}
		if !c.values[i].present {
			return fmt.Errorf("store/memory: a condition on %s has a null value", c.column.name)
		}
	}
	c.choose(operator)
	return nil
}

// manyValues is the number of values above which a condition looks them up in a map, because clients can send tens of
// thousands, and each row is compared with all.
const manyValues = 32

// isOne reports whether a value is one of the condition's. It compares the integers first, because that is faster and
// most values differ in them.
func (c *condition) isOne(found *value) bool {
	if c.set != nil {
		_, is := c.set[*found]
		return is
	}
	for i := range c.values {
		if c.values[i].integer == found.integer && c.values[i] == *found {
			return true
		}
	}
	return false
}

// choose selects how rows are compared with the values, and the tree that has the rows.
func (c *condition) choose(operator store.Operator) {
	if len(c.values) >= manyValues {
		c.set = make(map[value]struct{}, len(c.values))
		for _, value := range c.values {
			c.set[value] = struct{}{}
		}
	}
	isList := c.column.elements != nil
	switch {
	case isList && operator == store.NotEqual:
		c.holds = listLacks
	case isList:
		c.holds = listHolds
	case operator == store.Equal:
		c.holds = equalityHolds
	case operator == store.NotEqual:
		c.holds = inequalityHolds
	default:
		c.holds = comparisonHolds
	}
	// The tree of a list has a record once per element, so many values would find it many times.
	if operator == store.Equal && c.column.tree != noTree && (!isList || c.set == nil) {
		c.tree = c.column
	}
}

// find appends a span of rows for each value, and returns the total number of rows. A row in several spans is counted
// in each.
func (c *condition) find(in *snapshot, spans []span) (all []span, rows int) {
	for i := 0; c.isUnion && i < len(c.parts); i++ {
		var found int
		spans, found = c.parts[i].find(in, spans)
		rows += found
	}
	if c.isUnion {
		return spans, rows
	}
	values := c.values
	if len(values) > 1 { // removes duplicates, which clients can send
		values = slices.Clone(values)
		slices.SortFunc(values, func(a, b value) int { return a.compare(&b) })
		values = slices.Compact(values)
	}
	for i := range values {
		found := in.equal(c.tree.tree, &values[i])
		spans, rows = append(spans, found), rows+found.len()
	}
	return spans, rows
}

func listHolds(c *condition, r *row) (bool, error) {
	has := false
	err := c.column.eachElement(r.record, func(element value) bool {
		has = c.isOne(&element)
		return !has
	})
	return has, err
}

func listLacks(c *condition, r *row) (bool, error) {
	has, err := listHolds(c, r)
	return !has, err
}

// compileText compiles a condition that searches within strings.
func (c *condition) compileText(requested *store.Condition) error {
	for i, given := range requested.Values {
		text, isText := given.(string)
		if !isText || !c.column.ordered() || c.column.field.Type.Kind != model.String {
			return fmt.Errorf("store/memory: the operator %q on %s needs strings", requested.Operator, c.column.name)
		}
		c.values[i] = ofText(store.Fold(text))
	}
	if c.holds = textHolds; requested.Operator == store.EqualFold {
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

func allHold(c *condition, r *row) (bool, error) { return allOf(c.parts, r) }

// allOf reports whether all conditions hold for a row.
func allOf(conditions []condition, r *row) (bool, error) {
	for i := range conditions {
		if ok, err := conditions[i].holds(&conditions[i], r); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func existenceHolds(c *condition, r *row) (bool, error) {
	_, ok := c.column.at(reflect.ValueOf(r.record).Elem())
	return ofBool(ok) == c.values[0], nil
}

func equalityHolds(c *condition, r *row) (bool, error) {
	if c.column.tree != noTree {
		return c.isOne(r.value(c.column.tree)), nil
	}
	found, err := c.column.readFrom(r.record)
	return c.isOne(&found), err
}

func inequalityHolds(c *condition, r *row) (bool, error) {
	found, err := c.column.of(r)
	return !c.isOne(&found), err
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

// comparison returns which results of a comparison match an operator; nil for operators that do not compare order.
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

// textTest returns the test of an operator that searches within strings, for a value folded by store.Fold; nil for
// other operators. The searched string is not folded, because that would copy each one.
func textTest(operator store.Operator) func(text, folded string) bool {
	switch operator {
	case store.EqualFold:
		return strings.EqualFold
	case store.Contains:
		return contains
	case store.HasPrefix:
		return hasPrefix
	case store.HasSuffix:
		return hasSuffix
	case store.HasWordPrefix:
		return hasWordPrefix
	}
	return nil
}

func contains(text, folded string) bool {
	if folded == "" {
		return true
	}
	first := rune(folded[0])
	for i, c := range text {
		if c < utf8.RuneSelf && first < utf8.RuneSelf && lower(c) != first {
			continue
		}
		if hasPrefix(text[i:], folded) {
			return true
		}
	}
	return false
}

func lower(c rune) rune {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// hasPrefix compares by character, because a letter may have more bytes in one case than in the other.
func hasPrefix(text, folded string) bool {
	for i := 0; i < len(folded); {
		if text == "" {
			return false
		}
		if text[0] < utf8.RuneSelf && folded[i] < utf8.RuneSelf {
			if lower(rune(text[0])) != rune(folded[i]) {
				return false
			}
			text, i = text[1:], i+1
			continue
		}
		_, n := utf8.DecodeRuneInString(text)
		_, m := utf8.DecodeRuneInString(folded[i:])
		if !strings.EqualFold(text[:n], folded[i:i+m]) {
			return false
		}
		text, i = text[n:], i+m
	}
	return true
}

func hasSuffix(text, folded string) bool {
	start := len(text)
	for range folded {
		if start == 0 {
			return false
		}
		_, n := utf8.DecodeLastRuneInString(text[:start])
		start -= n
	}
	return hasPrefix(text[start:], folded)
}

func hasWordPrefix(text, folded string) bool {
	for !hasPrefix(text, folded) {
		space := strings.IndexByte(text, ' ')
		if space < 0 {
			return false
		}
		text = text[space+1:]
	}
	return true
}
