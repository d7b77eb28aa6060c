package sqlstore

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/huandu/go-sqlbuilder"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// CheckQuery returns an error that joins what the table has no column for.
func (s *Store[T]) CheckQuery(query store.Query) error {
	if err := s.plan().err(); err != nil {
		return err
	}
	return s.plan().check(query)
}

// check looks for the columns of a query.
func (p *plan) check(query store.Query) error {
	errs := p.checkColumns(nil, query.Where)
	for _, o := range query.Order {
		errs = p.checkColumns(errs, o.NullUnless)
		of, err := p.orderedBy(o)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		at := of.find[o.Field].value
		switch {
		case at == nil:
			errs = append(errs, of.missing(o.Field, "order by"))
		case !at.field.Type.Ordered():
			errs = append(errs, fmt.Errorf("sqlstore: %s has no order", o.Field))
		}
	}
	return errors.Join(errs...)
}

// checkColumns appends an error for each column that conditions lack.
func (p *plan) checkColumns(errs []error, conditions []store.Condition) []error {
	for _, condition := range conditions {
		of, err := p.reached(condition.Through)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if condition.Any == nil && condition.Through == "" {
			for _, name := range condition.Fields {
				errs = append(errs, p.checkColumn(name, condition.Operator))
			}
		}
		for _, list := range condition.Any {
			errs = of.checkColumns(errs, list)
		}
	}
	return errs
}

func (p *plan) checkColumn(name string, operator store.Operator) error {
	at := p.find[name]
	switch {
	case looks(operator) && at.folded == nil && (at.value == nil || !p.foreign || at.value.field.Type.Kind != model.String):
		return p.missing(name, "look into")
	case looks(operator):
		return nil
	case at.value == nil:
		return p.missing(name, "filter by")
	case comparison(operator) == "" && operator != store.Equal && operator != store.NotEqual && operator != store.Exists:
		return fmt.Errorf("sqlstore: %q is no operator", operator)
	case at.value.isList() && (operator == store.Equal || operator == store.NotEqual):
		return nil
	case operator != store.Exists && !at.value.field.Type.Ordered():
		return fmt.Errorf("sqlstore: %s cannot be compared", name)
	}
	return nil
}

// missing is the error of a field that has no column for what is asked.
func (p *plan) missing(name, purpose string) error {
	if _, ok := p.record.Path(name); !ok {
		return fmt.Errorf("sqlstore: %s has no field %q", p.typ.Name(), name)
	}
	return fmt.Errorf("sqlstore: the table %s has no column to %s %s: tag the field filter, sort or search and let Trove make the table", p.name, purpose, name)
}

// looks reports whether an operator looks into text.
func looks(operator store.Operator) bool {
	switch operator {
	case store.EqualFold, store.Contains, store.HasPrefix, store.HasSuffix, store.HasWordPrefix:
		return true
	}
	return false
}

// comparison returns the sign of an operator that compares, "" for another one.
func comparison(operator store.Operator) string {
	switch operator {
	case store.Less:
		return "<"
	case store.LessEqual:
		return "<="
	case store.Greater:
		return ">"
	case store.GreaterEqual:
		return ">="
	}
	return ""
}

// checkValues checks that conditions have values of the types of their fields.
func checkValues(p *plan, conditions []store.Condition) error {
	for _, condition := range conditions {
		of, err := p.reached(condition.Through)
		if err != nil {
			return err
		}
		for _, list := range condition.Any {
			if err := checkValues(of, list); err != nil {
				return err
			}
		}
		if condition.Any == nil && condition.Through == "" {
			if err := checkComparison(p, condition); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkComparison(p *plan, condition store.Condition) error {
	many := condition.Operator == store.Equal || condition.Operator == store.NotEqual || looks(condition.Operator)
	if len(condition.Values) == 0 || len(condition.Values) > 1 && !many {
		return fmt.Errorf("sqlstore: a condition with %q has %d values", condition.Operator, len(condition.Values))
	}
	for _, name := range condition.Fields {
		if err := checkTypes(p.find[name], condition); err != nil {
			return fmt.Errorf("sqlstore: a condition on %s %w", name, err)
		}
	}
	return nil
}

func checkTypes(at fieldColumns, condition store.Condition) error {
	for _, value := range condition.Values {
		var want reflect.Type
		switch {
		case looks(condition.Operator):
			want = reflect.TypeFor[string]()
		case condition.Operator == store.Exists:
			want = reflect.TypeFor[bool]()
		default:
			of := at.value.field.Type
			if at.value.isList() {
				of = of.Elem
			}
			if want = of.Base(); of.Kind == model.Key {
				if want = reflect.TypeFor[store.Key](); reflect.TypeOf(value) == want && !of.AcceptsKey(value) {
					return fmt.Errorf("has a key whose parts are not those of %s", of.FormOf())
				}
			}
		}
		if got := reflect.TypeOf(value); got != want {
			return fmt.Errorf("has a value of the type %v, not %s", got, want)
		}
	}
	return nil
}

// all writes that all conditions hold.
func (p *plan) all(b *sqlbuilder.SelectBuilder, conditions []store.Condition) string {
	if len(conditions) == 0 {
		return always
	}
	parts := make([]string, len(conditions))
	for i, condition := range conditions {
		parts[i] = p.one(b, condition)
	}
	return balanced(parts, b.And)
}

// one writes that a condition holds: for one of its fields, for one of its lists, or for what the
// record refers to.
func (p *plan) one(b *sqlbuilder.SelectBuilder, condition store.Condition) string {
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
	if len(alternatives) == 0 { // the builder would leave it out, and let every row pass
		return never
	}
	return balanced(alternatives, b.Or)
}

// condition writes a condition on one field.
func (p *plan) condition(b *sqlbuilder.SelectBuilder, at fieldColumns, condition store.Condition) string {
	if looks(condition.Operator) {
		var alternatives []string
		for _, value := range condition.Values {
			part, _ := value.(string)
			alternatives = append(alternatives, p.textCondition(b, at, condition.Operator, part))
		}
		return b.Or(alternatives...)
	}
	name := quote(at.value.name)
	switch condition.Operator {
	case store.Exists:
		if at.value.list != nil {
			name = quote(p.ids[0].name) // a list with a table of its own is never null
		}
		exists, _ := condition.Values[0].(bool)
		switch {
		case at.value.parts != nil && exists:
			return b.Not(isNull(b, at.value.parts))
		case at.value.parts != nil:
			return isNull(b, at.value.parts)
		case exists:
			return b.IsNotNull(name)
		}
		return b.IsNull(name)
	case store.Equal:
		if at.value.isList() {
			return p.hasOneOf(b, at.value, condition.Values)
		}
		if at.value.parts != nil {
			return p.isOneOfKeys(b, at.value.parts, condition.Values)
		}
		return p.oneOf(b, at.compared(), condition.Values)
	case store.NotEqual:
		if at.value.isList() {
			return b.Not(p.hasOneOf(b, at.value, condition.Values))
		}
		if at.value.parts != nil {
			return b.Or(isNull(b, at.value.parts), b.Not(p.isOneOfKeys(b, at.value.parts, condition.Values)))
		}
		return b.Or(b.IsNull(name), b.Not(p.oneOf(b, at.compared(), condition.Values)))
	}
	return p.compared(b, at.compared(), condition.Values[0], comparison(condition.Operator))
}

// compared writes that a column is less or greater than a value. One that is beyond all
// that the column can hold is not given to the database.
func (p *plan) compared(b *sqlbuilder.SelectBuilder, c *column, value any, sign string) string {
	name := quote(c.name)
	if side := c.beyond(value); side != "" {
		if side == sign[:1] {
			return b.IsNotNull(name)
		}
		return never
	}
	switch exact := value.(type) {
	case time.Time:
		value, sign = nextMicrosecond(exact, sign)
	case string:
		if before, _, found := strings.Cut(exact, "\x00"); found { // no text has it
			value, sign = before, sign[:1]+map[string]string{"<": "="}[sign[:1]]
		}
	}
	return name + " " + sign + " " + b.Var(c.given(value))
}

// beyond returns how all that a column can hold compares to a value: "<" or ">", and "" for
// a value that it can hold too.
func (c *column) beyond(value any) string {
	switch _, err := c.bound(reflect.ValueOf(value)); {
	case errors.Is(err, errTooLarge), errors.Is(err, errTooLate):
		return "<"
	case errors.Is(err, errTooEarly):
		return ">"
	}
	return ""
}

// nextMicrosecond returns the bound that finds the same among times of whole microseconds.
func nextMicrosecond(at time.Time, sign string) (time.Time, string) {
	whole := at.Truncate(time.Microsecond)
	if whole.Equal(at) {
		return at, sign
	}
	if sign == "<" || sign == "<=" {
		return whole, "<="
	}
	return whole, ">"
}

// never is a condition that no row fulfils, and always one that every row does.
const (
	never  = "1 = 0"
	always = "1 = 1"
)

// isText reports whether databases can hold a text.
func isText(value any) bool {
	held, ok := value.(string)
	return !ok || utf8.ValidString(held) && !strings.ContainsRune(held, 0)
}

// given returns a value of a query as the column has it. What the column cannot hold is
// equal to none that it does.
func (c *column) given(value any) any {
	held, err := c.bound(reflect.ValueOf(value))
	if err != nil {
		return nil
	}
	return held
}

// textCondition writes that a text which is looked into has a part.
func (p *plan) textCondition(b *sqlbuilder.SelectBuilder, at fieldColumns, operator store.Operator, part string) string {
	name, given := "", func(part string) string { return b.Var(store.Fold(part)) }
	if at.folded != nil {
		name = quote(at.folded.name)
	} else { // the database folds, as it does
		name, given = "lower("+quote(at.value.name)+")", func(part string) string { return "lower(" + b.Var(part) + ")" }
	}
	if !isText(part) {
		return never
	}
	if part == "" && operator != store.EqualFold && operator != store.HasWordPrefix {
		return b.IsNotNull(name)
	}
	write := func(form, part string) string {
		return strings.NewReplacer("{text}", name, "{part}", given(part), "{length}", b.Var(utf8.RuneCountInString(part))).Replace(form)
	}
	switch operator {
	case store.EqualFold:
		return name + " = " + given(part)
	case store.Contains:
		return write(p.dialect.Contains, part)
	case store.HasSuffix:
		return write(p.dialect.Suffix, part)
	case store.HasPrefix:
		return write(p.dialect.Prefix, part)
	}
	begins := b.IsNotNull(name)
	if part != "" {
		begins = write(p.dialect.Prefix, part)
	}
	return b.Or(begins, write(p.dialect.Contains, " "+part))
}
