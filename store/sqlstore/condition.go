package sqlstore

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/store"
)

// where writes conditions on the rows of a table as SQL.
type where struct {
	*builder

	plan *plan
}

// where returns a value that writes conditions. It adds their arguments to b.
func (p *plan) where(b *builder) where { return where{b, p} }

// all writes an expression that is true if all conditions hold.
func (w where) all(conditions []store.Condition) string {
	if len(conditions) == 0 {
		return always
	}
	parts := make([]string, len(conditions))
	for i := range conditions {
		parts[i] = w.fulfills(&conditions[i])
	}
	return joined(parts, " AND ")
}

// fulfills writes an expression that is true if the condition holds: for one of its fields, one of its lists, or the
// referenced record; or, reversed, for none.
func (w where) fulfills(condition *store.Condition) string {
	if condition.Not {
		reversed := *condition
		reversed.Not = false
		return "(" + w.fulfills(&reversed) + ") IS NOT TRUE" // a comparison with NULL is NULL
	}
	if condition.Through != "" {
		return w.through(condition)
	}
	var alternatives []string
	for _, list := range condition.Any {
		alternatives = append(alternatives, w.all(list))
	}
	if condition.Any == nil {
		for _, name := range condition.Fields {
			alternatives = append(alternatives, w.condition(w.plan.byName[name], condition))
		}
	}
	if len(alternatives) == 0 {
		return never
	}
	return joined(alternatives, " OR ")
}

// condition writes a condition on one field.
func (w where) condition(columns fieldColumns, condition *store.Condition) string {
	sign, searches := formOf(condition.Operator)
	switch {
	case searches:
		alternatives := make([]string, len(condition.Values))
		for i, value := range condition.Values {
			part, _ := value.(string)
			alternatives[i] = w.textCondition(columns, condition.Operator, part)
		}
		return joined(alternatives, " OR ")
	case condition.Operator == store.FullText:
		return w.fullText(columns.words, condition.Values)
	case sign != "":
		return w.compares(columns.compared, condition.Values[0], sign)
	case condition.Operator == store.Exists:
		exists, _ := condition.Values[0].(bool)
		return w.exists(columns.value, exists)
	}
	var isOne string
	if columns.value.lists {
		isOne = w.hasOneOf(columns.value, condition.Values)
	} else {
		isOne = w.isOneOf(columns.compared.allParts(), condition.Values)
	}
	switch {
	case condition.Operator == store.Equal:
		return isOne
	case columns.value.lists:
		return "NOT " + isOne
	}
	return or(w.exists(columns.value, false), "NOT "+isOne)
}

// exists writes that a column is not null, or is null. A list with its own table is never null. A composite reference
// is null if any part is, because in tables of other programs a single part may be.
func (w where) exists(c *column, exists bool) string {
	columns := c.allParts()
	if c.list != nil {
		columns = w.plan.ids[:1]
	}
	parts := make([]string, len(columns))
	for i, part := range columns {
		if parts[i] = part.quoted + " IS NULL"; exists {
			parts[i] = part.quoted + " IS NOT NULL"
		}
	}
	if exists {
		return and(parts...)
	}
	return or(parts...)
}

// compares writes that a column is less or greater than a value. A value beyond the range of the column is not sent to
// the database. A time has the digits that the column stores, so that clients find a record by the value they sent.
func (w where) compares(c *column, value any, sign string) string {
	beyond := ""
	switch _, err := c.stored(value); {
	case errors.Is(err, errTooLarge), errors.Is(err, errTooLate):
		beyond = "<"
	case errors.Is(err, errTooEarly), errors.Is(err, errTooSmall):
		beyond = ">"
	}
	if exact, ok := value.(string); ok {
		if before, _, found := strings.Cut(exact, "\x00"); found { // stored strings never have it
			value = before
			if sign = sign[:1]; sign == "<" {
				sign = "<="
			}
		}
	}
	switch beyond {
	case "":
		return c.quoted + " " + sign + " " + w.value(c.given(value))
	case sign[:1]:
		return c.quoted + " IS NOT NULL"
	}
	return never
}

// textCondition writes a condition that searches within a string.
func (w where) textCondition(columns fieldColumns, operator store.Operator, part string) string {
	fold := func(part string) string { return w.value(store.Fold(part)) }
	var text string
	if columns.folded != nil {
		text = columns.folded.quoted
	} else { // the database folds in its own way
		text, fold = "lower("+columns.value.quoted+")", func(part string) string { return "lower(" + w.value(part) + ")" }
	}
	if !isText(part) {
		return never
	}
	if part == "" && operator != store.EqualFold {
		return text + " IS NOT NULL"
	}
	if own := as[searcher](w.plan.dialect); own != nil && operator != store.EqualFold {
		return w.like(own, text, operator, part, fold)
	}
	length := utf8.RuneCountInString(part)
	switch operator {
	case store.EqualFold:
		return text + " = " + fold(part)
	case store.Contains:
		return w.plan.dialect.Contains(text, fold(part))
	case store.HasSuffix:
		return w.plan.dialect.HasSuffix(text, fold(part), w.value(length))
	case store.HasPrefix:
		return w.plan.dialect.HasPrefix(text, fold(part), w.value(length))
	}
	return or(w.plan.dialect.HasPrefix(text, fold(part), w.value(length)), w.plan.dialect.Contains(text, fold(" "+part)))
}

// Up to manyValues values of a condition are separate arguments, in databases whose lists are JSON, because that is faster.
// More are one list, because SQLite allows only 32,766 arguments. SQLite reads some floats in JSON inexactly, so floats stay
// separate until the statement has manyArguments, and so do all values. If lists are arrays, only values that cannot be keys
// are separate.
const (
	manyValues    = 100
	manyArguments = 16_000
	// manyLists is how many lists of a statement an index may serve. PostgreSQL 15 tries all combinations of the values of
	// lists of one column, and estimates that no number is too large.
	manyLists = 50
)

// isOneOf writes that a column, or all columns of a composite key, equal one of a query's values. Values that no row can
// have are omitted.
func (w where) isOneOf(columns []*column, values []any) string {
	if len(columns) == 1 {
		list := make([]any, 0, len(values))
		for _, value := range values {
			if stored, err := columns[0].stored(value); err == nil && isText(stored) {
				list = append(list, stored)
			}
		}
		return w.oneOf(columns[0], list)
	}
	keys := make([]key, 0, len(values))
	for _, value := range values {
		if stored, err := keyFrom(columns, value); err == nil {
			keys = append(keys, stored)
		}
	}
	return w.anyOf(columns, keys)
}

// oneOf writes that a column equals one of several values. An array is one argument regardless of its length, so that
// the server prepares one statement for any number of keys.
func (w where) oneOf(c *column, stored []any) string {
	isArray := w.plan.dialect.facts.Arrays
	isShort := len(stored) == 1 || w.literal != "" || c.typ == blob && !isArray || // JSON has no bytes
		len(w.values)+len(stored) <= manyArguments && (c.typ == day || c.typ == decimal || // arrays would have the type of strings
			c.typ == float && !isArray || len(stored) <= manyValues && (!isArray || c.typ != integer && c.typ != text))
	if len(stored) == 0 {
		return never
	}
	isOne := ""
	if !isShort {
		if list, err := w.plan.dialect.listOf(stored); err == nil {
			isOne = w.plan.dialect.InList(c.quoted, w.value(list))
		}
	}
	if isOne == "" {
		isOne = c.quoted + " IN (" + strings.Join(mapped(stored, w.value), ", ") + ")"
	}
	if len(stored) > 1 {
		w.lists++
	}
	if w.lists > manyLists {
		return "(" + isOne + ") IS TRUE"
	}
	return isOne
}

// anyOf writes that columns equal one of the keys. Row values would be shorter for several columns, but databases differ
// in how they write lists of them. It omits nil.
func (w where) anyOf(columns []*column, keys []key) string {
	keys = slices.DeleteFunc(slices.Clone(keys), func(id key) bool { return id == nil })
	if len(columns) == 1 {
		values := make([]any, len(keys))
		for i, id := range keys {
			values[i] = id[0]
		}
		return w.oneOf(columns[0], values)
	}
	var conditions []string
	for _, id := range keys {
		parts := make([]string, len(id))
		for i, part := range id {
			parts[i] = columns[i].quoted + " = " + w.value(part)
		}
		conditions = append(conditions, and(parts...))
	}
	if conditions == nil {
		return never
	}
	return or(conditions...)
}

// hasOneOf writes that an element of a list equals one of the values.
func (w where) hasOneOf(c *column, values []any) string {
	if c.list == nil {
		from := w.plan.dialect.ElementTexts(w.plan.alias + "." + c.quoted)
		return "EXISTS (SELECT 1 FROM " + from + " WHERE " + w.isOneOf([]*column{w.plan.elementText(c)}, values) + ")"
	}
	return w.plan.inList(c, w.isOneOf(c.list.target.allParts(), values))
}

// through writes that a record to which a reference leads matches conditions. The inner statement's column names are
// local to it, so they need no table name, and a table may reference itself.
func (w where) through(condition *store.Condition) string {
	joint, err := w.plan.joins(condition.Through)
	if err != nil { // reported earlier
		return never
	}
	c, other := joint.column, joint.to
	matches := other.living(other.where(w.builder).fulfills(&store.Condition{Any: condition.Any}))
	switch {
	case joint.back && c.list == nil:
		return tuple(w.plan.ids) + " IN (" + selectWhere(c.allParts(), other.quoted, matches) + ")"
	case joint.back:
		holds := tuple(c.list.record) + " IN (" + selectWhere(other.ids, other.quoted, matches) + ")"
		return tuple(w.plan.ids) + " IN (" + selectWhere(c.list.target.allParts(), c.list.quoted, holds) + ")"
	}
	found := " IN (" + selectWhere(other.ids, other.quoted, matches) + ")"
	if c.list == nil {
		return tuple(c.allParts()) + found
	}
	return w.plan.inList(c, tuple(c.list.target.allParts())+found)
}
