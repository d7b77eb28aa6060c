package sqlstore

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// CheckQuery returns an error that joins everything in the query for which the table has no column.
func (s *table) CheckQuery(query store.Query) error {
	p := s.plan()
	if p.err != nil {
		return p.err
	}
	return p.check(query, false)
}

// check checks that a query has columns, and, if values is true, that its conditions have values of the right types.
func (p *plan) check(query store.Query, values bool) error {
	errs := p.checkAll(nil, query.Where, values)
	for _, o := range query.Order {
		errs = p.checkAll(errs, o.NullUnless, values)
		of := p
		if o.Through != "" {
			var err error
			if of, err = p.orderedBy(o); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		at := of.find[o.Field].value
		switch {
		case at == nil:
			errs = append(errs, of.missing(o.Field, "sort by"))
		case !at.field.Type.Ordered():
			errs = append(errs, fmt.Errorf("sqlstore: %s cannot be sorted by", o.Field))
		}
	}
	return errors.Join(errs...)
}

// checkAll appends the errors of the conditions.
func (p *plan) checkAll(errs []error, conditions []store.Condition, values bool) []error {
	for i := range conditions {
		condition := &conditions[i]
		of := p
		if condition.Through != "" {
			var err error
			if of, err = p.reached(condition.Through); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		for _, list := range condition.Any {
			errs = of.checkAll(errs, list, values)
		}
		if condition.Any == nil && condition.Through == "" {
			errs = p.checkFields(errs, condition, values)
		}
	}
	return errs
}

// checkFields appends the errors of a condition on fields.
func (p *plan) checkFields(errs []error, condition *store.Condition, values bool) []error {
	sign, looks := formOf(condition.Operator)
	many := looks || sign == "" && condition.Operator != store.Exists
	if n := len(condition.Values); values && (n == 0 || n > 1 && !many) {
		errs = append(errs, fmt.Errorf("sqlstore: a condition with %q has %d values", condition.Operator, n))
	}
	for _, name := range condition.Fields {
		err := p.checkColumn(name, condition.Operator, sign, looks)
		if err == nil && values {
			err = checkTypes(name, p.find[name].value, condition, looks)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// checkColumn returns an error if there is no column for a condition on a field.
func (p *plan) checkColumn(name string, operator store.Operator, sign string, looks bool) error {
	at := p.find[name]
	switch {
	case looks && at.folded == nil && (at.value == nil || !p.foreign || at.value.field.Type.Kind != model.String):
		return p.missing(name, "search in")
	case looks:
		return nil
	case at.value == nil:
		return p.missing(name, "filter by")
	case sign == "" && operator != store.Equal && operator != store.NotEqual && operator != store.Exists:
		return fmt.Errorf("sqlstore: unknown operator %q", operator)
	case at.value.lists && (operator == store.Equal || operator == store.NotEqual):
		return nil
	case operator != store.Exists && !at.value.field.Type.Ordered():
		return fmt.Errorf("sqlstore: %s cannot be compared", name)
	}
	return nil
}

// missing returns the error of a field that has no column for a purpose.
func (p *plan) missing(name, purpose string) error {
	if _, ok := p.record.Path(name); !ok {
		return fmt.Errorf("sqlstore: %s has no field %q", p.typ.Name(), name)
	}
	return fmt.Errorf("sqlstore: the table %s has no column to %s %s: tag the field filter, sort or search and let Trove create the table", p.name, purpose, name)
}

// formOf returns the sign of a comparison, "" for other operators, and whether the operator searches within strings.
func formOf(operator store.Operator) (sign string, looks bool) {
	switch operator {
	case store.Less:
		return "<", false
	case store.LessEqual:
		return "<=", false
	case store.Greater:
		return ">", false
	case store.GreaterEqual:
		return ">=", false
	}
	return "", filter.Searches(operator)
}

// checkTypes returns an error if a value of a condition does not have the type of the column.
func checkTypes(name string, c *column, condition *store.Condition, looks bool) error {
	var of *model.Type
	var want reflect.Type
	switch {
	case looks:
		want = reflect.TypeFor[string]()
	case condition.Operator == store.Exists:
		want = reflect.TypeFor[bool]()
	default:
		if of = c.field.Type; c.lists {
			of = of.Elem
		}
		if want = of.Base(); of.Kind == model.Key {
			want = reflect.TypeFor[store.Key]()
		}
	}
	for _, value := range condition.Values {
		switch got := reflect.TypeOf(value); {
		case got != want:
			return fmt.Errorf("sqlstore: a condition on %s has a value of type %v, want %s", name, got, want)
		case of != nil && of.Kind == model.Key && !of.AcceptsKey(value):
			return fmt.Errorf("sqlstore: a condition on %s has a key whose parts are not of the types of %s", name, of.FormOf())
		}
	}
	return nil
}

// all writes an expression that is true if all conditions hold.
func (p *plan) all(b *builder, conditions []store.Condition) string {
	if len(conditions) == 0 {
		return always
	}
	parts := make([]string, len(conditions))
	for i := range conditions {
		parts[i] = p.fulfills(b, &conditions[i])
	}
	return joined(parts, " AND ")
}

// fulfills writes an expression that is true if the condition holds: for one of its fields, one of its lists, or the
// referenced record.
func (p *plan) fulfills(b *builder, condition *store.Condition) string {
	if condition.Through != "" {
		return p.through(b, condition)
	}
	var alternatives []string
	for _, list := range condition.Any {
		alternatives = append(alternatives, p.all(b, list))
	}
	if condition.Any == nil {
		for _, name := range condition.Fields {
			alternatives = append(alternatives, p.condition(b, p.find[name], condition))
		}
	}
	if len(alternatives) == 0 {
		return never
	}
	return joined(alternatives, " OR ")
}

// condition writes a condition on one field.
func (p *plan) condition(b *builder, at fieldColumns, condition *store.Condition) string {
	sign, looks := formOf(condition.Operator)
	switch {
	case looks:
		alternatives := make([]string, len(condition.Values))
		for i, value := range condition.Values {
			part, _ := value.(string)
			alternatives[i] = p.textCondition(b, at, condition.Operator, part)
		}
		return joined(alternatives, " OR ")
	case sign != "":
		return compares(b, at.compared, condition.Values[0], sign)
	case condition.Operator == store.Exists:
		exists, _ := condition.Values[0].(bool)
		return p.exists(at.value, exists)
	}
	var isOne string
	switch {
	case at.value.lists:
		isOne = p.hasOneOf(b, at.value, condition.Values)
	case at.value.parts != nil:
		isOne = p.isOneOfKeys(b, at.value.parts, condition.Values)
	default:
		isOne = p.isOneOf(b, at.compared, condition.Values)
	}
	switch {
	case condition.Operator == store.Equal:
		return isOne
	case at.value.lists:
		return "NOT " + isOne
	}
	return or(p.exists(at.value, false), "NOT "+isOne)
}

// exists writes that a column is not null, or is null. A list with its own table is never null. A composite reference
// is null if any part is, because in tables of other programs a single part may be.
func (p *plan) exists(c *column, exists bool) string {
	columns := c.allParts()
	if c.list != nil {
		columns = p.ids[:1]
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
func compares(b *builder, c *column, value any, sign string) string {
	beyond := ""
	switch _, err := c.bind(reflect.ValueOf(value)); {
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
		return c.quoted + " " + sign + " " + b.value(c.given(value))
	case sign[:1]:
		return c.quoted + " IS NOT NULL"
	}
	return never
}

// textCondition writes a condition that searches within a string.
func (p *plan) textCondition(b *builder, at fieldColumns, operator store.Operator, part string) string {
	fold := func(part string) string { return b.value(store.Fold(part)) }
	var text string
	if at.folded != nil {
		text = at.folded.quoted
	} else { // the database folds in its own way
		text, fold = "lower("+at.value.quoted+")", func(part string) string { return "lower(" + b.value(part) + ")" }
	}
	if !isText(part) {
		return never
	}
	if part == "" && operator != store.EqualFold {
		return text + " IS NOT NULL"
	}
	length := utf8.RuneCountInString(part)
	switch operator {
	case store.EqualFold:
		return text + " = " + fold(part)
	case store.Contains:
		return p.dialect.Contains(text, fold(part))
	case store.HasSuffix:
		return p.dialect.HasSuffix(text, fold(part), b.value(length))
	case store.HasPrefix:
		return p.dialect.HasPrefix(text, fold(part), b.value(length))
	}
	return or(p.dialect.HasPrefix(text, fold(part), b.value(length)), p.dialect.Contains(text, fold(" "+part)))
}

// Up to this many values of a condition are separate arguments, in databases whose lists are JSON, because that is
// faster. More are one list, because SQLite allows only 32,766 arguments. SQLite reads some floats in JSON inexactly,
// so floats stay separate as long as possible. If lists are arrays, only values that cannot be keys are separate, up to
// PostgreSQL's limit of 65,535.
const (
	manyValues = 100
	manyFloats = 16_000
)

// isOneOf writes that a column equals one of a query's values. Values that the column cannot hold are omitted.
func (p *plan) isOneOf(b *builder, c *column, values []any) string {
	held := make([]any, 0, len(values))
	for _, value := range values {
		kept, err := c.bind(reflect.ValueOf(value))
		if err != nil || c.typ == text && !isText(kept) {
			continue
		}
		held = append(held, kept)
	}
	return p.oneOf(b, c, held)
}

// oneOf writes that a column equals one of several values. An array is one argument regardless of its length, so that
// the server prepares one statement for any number of keys.
func (p *plan) oneOf(b *builder, c *column, held []any) string {
	isArray := p.dialect.facts.Arrays
	isShort := len(held) == 1 || c.typ == blob && !isArray || // JSON has no bytes
		len(held) <= manyFloats && c.typ == float && !isArray ||
		len(held) <= manyValues && (!isArray || c.typ != integer && c.typ != text)
	if len(held) == 0 {
		return never
	}
	if !isShort {
		if list, err := p.dialect.listOf(held); err == nil {
			return p.dialect.InList(c.quoted, b.value(list))
		}
	}
	marks := make([]string, len(held))
	for i, value := range held {
		marks[i] = b.value(value)
	}
	return c.quoted + " IN (" + strings.Join(marks, ", ") + ")"
}
