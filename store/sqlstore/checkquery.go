package sqlstore

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
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
	c := &queryCheck{values: values}
	c.conditions(p, query.Where)
	for _, o := range query.Order {
		c.conditions(p, o.NullUnless)
		c.order(p, o)
	}
	return errors.Join(c.errs...)
}

// queryCheck collects what a query has and its tables do not support.
type queryCheck struct {
	values bool    // the conditions have values
	errs   []error // some are nil
}

// order checks a sort field of a table.
func (c *queryCheck) order(p *plan, o store.Order) {
	if o.Through != "" {
		target, err := p.orderedBy(o)
		if err != nil {
			c.errs = append(c.errs, err)
			return
		}
		p = target
	}
	switch column := p.byName[o.Field].value; {
	case column == nil:
		c.errs = append(c.errs, p.missing(o.Field, "sort by"))
	case !column.field.Type.Ordered():
		c.errs = append(c.errs, fmt.Errorf("sqlstore: %s cannot be sorted by", o.Field))
	}
}

// conditions checks conditions on the records of a table.
func (c *queryCheck) conditions(p *plan, conditions []store.Condition) {
	for i := range conditions {
		condition, target := &conditions[i], p
		if condition.Through != "" {
			joint, err := p.joins(condition.Through)
			if err != nil {
				c.errs = append(c.errs, err)
				continue
			}
			target = joint.to
		}
		for _, list := range condition.Any {
			c.conditions(target, list)
		}
		if condition.Any == nil && condition.Through == "" {
			c.fields(p, condition)
		}
	}
}

// fields checks a condition on fields.
func (c *queryCheck) fields(p *plan, condition *store.Condition) {
	sign, searches := formOf(condition.Operator)
	many := searches || sign == "" && condition.Operator != store.Exists
	if n := len(condition.Values); c.values && (n == 0 || n > 1 && !many) {
		c.errs = append(c.errs, fmt.Errorf("sqlstore: a condition with %q has %d values", condition.Operator, n))
	}
	for _, name := range condition.Fields {
		err := p.checkColumn(name, condition.Operator, sign, searches)
		if err == nil && c.values {
			err = checkTypes(name, p.byName[name].value, condition, searches)
		}
		c.errs = append(c.errs, err)
	}
}

// checkColumn returns an error if there is no column for a condition on a field.
func (p *plan) checkColumn(name string, operator store.Operator, sign string, searches bool) error {
	columns := p.byName[name]
	switch {
	case searches && columns.folded == nil && (columns.value == nil || !p.existing || columns.value.field.Type.Kind != model.String):
		return p.missing(name, "search in")
	case operator == store.FullText && columns.words == nil:
		return p.missing(name, "search for words in")
	case searches, operator == store.FullText:
		return nil
	case columns.value == nil:
		return p.missing(name, "filter by")
	case sign == "" && operator != store.Equal && operator != store.NotEqual && operator != store.Exists:
		return fmt.Errorf("sqlstore: unknown operator %q", operator)
	case columns.value.lists && (operator == store.Equal || operator == store.NotEqual):
		return nil
	case operator != store.Exists && !columns.value.field.Type.Ordered():
		return fmt.Errorf("sqlstore: %s cannot be compared", name)
	}
	return nil
}

// missing returns the error of a field that has no column for a purpose.
func (p *plan) missing(name, purpose string) error {
	if _, ok := p.record.Path(name); !ok {
		return fmt.Errorf("sqlstore: %s has no field %q%s", p.typ.Name(), name, naming.Allowed(name, p.record.PathNames()))
	}
	return fmt.Errorf("sqlstore: the table %s has no column to %s %s: tag the field filter, sort or search and let Trove create the table", p.name, purpose, name)
}

// formOf returns the sign of a comparison, "" for other operators, and whether the operator searches within strings.
func formOf(operator store.Operator) (sign string, searches bool) {
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
func checkTypes(name string, c *column, condition *store.Condition, searches bool) error {
	var typ *model.Type
	var want reflect.Type
	switch {
	case searches, condition.Operator == store.FullText:
		want = reflect.TypeFor[string]()
	case condition.Operator == store.Exists:
		want = reflect.TypeFor[bool]()
	default:
		if typ = c.field.Type; c.lists {
			typ = typ.Elem
		}
		if want = typ.Base(); typ.Kind == model.Key {
			want = reflect.TypeFor[store.Key]()
		}
	}
	for _, value := range condition.Values {
		got := reflect.TypeOf(value)
		fits := got == want
		if !fits && typ != nil {
			_, fits = typ.Convert(value)
		}
		switch {
		case !fits:
			return fmt.Errorf("sqlstore: a condition on %s has a value of type %v, want %s", name, got, want)
		case typ != nil && typ.Kind == model.Key && !typ.Identifier().Accepts(value):
			return fmt.Errorf("sqlstore: a condition on %s has a key whose parts are not of the types of %s", name, typ.Identifier().Form())
		}
	}
	return nil
}
