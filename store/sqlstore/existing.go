package sqlstore

import (
	"context"
	"maps"
	"reflect"
	"slices"
)

// timeForms is implemented by drivers of databases without a type for times. Trove stores a time there in one form,
// whose strings sort by time. Other programs store times in other forms, often several in one column. So in tables of
// other programs a store reads, filters and sorts through an expression that converts each form to that of Trove.
type timeForms interface {
	// TimeForm returns the form of times in a column with a declared type, "" if the type is not known. The function
	// read returns an expression for a stored time in the form of Trove; of a value that is not a time, it returns some
	// other string. The function write returns an expression that converts a time in the form of Trove to the form of
	// the column, which has the given number of digits of a second; it may be nil. If read is nil, the type cannot have
	// times.
	TimeForm(declared string) (read, write func(sql string) string, digits int)
	// PlainText returns an expression for a stored string, which the driver does not take for a time.
	PlainText(column string) string
}

// adapt prepares a column of a table of another program. Values is what queries compare.
func (p *planner) adapt(c *column) (values *column) {
	forms, ok := p.db.driver.(timeForms)
	switch {
	case !ok || !p.existing || p.isID(c):
		return c
	case c.typ == text:
		c.read = forms.PlainText(c.quoted)
	case c.typ == instant:
		read, write, digits := forms.TimeForm(p.declared[c.name])
		if read == nil {
			p.fail("%s is a time, but the column %s has the type %s: change the type of the field or that of the column",
				c.path.Name, c.name, p.declared[c.name])
			return c
		}
		c.bind = bindDigits(c.bind, digits)
		c.read, c.write = read(c.quoted), write
		compared := *c
		compared.quoted = c.read
		return &compared
	}
	return c
}

// bindDigits makes bind cut times, in the form of timeLayout, after some digits of a second.
func bindDigits(bind func(reflect.Value) (any, error), digits int) func(reflect.Value) (any, error) {
	const zeros = "000000"
	return func(v reflect.Value) (any, error) {
		value, err := bind(v)
		if at, ok := value.(string); ok && len(at) == len(timeLayout) {
			value = at[:len(at)-len(zeros)-1+digits] + zeros[digits:] + "Z"
		}
		return value, err
	}
}

// adopt makes the store fit the table of another program: it reads times in all forms, and rejects values that do not
// fit.
func (s *table) adopt(ctx context.Context) error {
	p, declared := s.plan(), map[string]string{}
	there, err := describe(ctx, s.db, s.db, p.name, p.own)
	for _, c := range p.own {
		declared[c.name] = there[c.name].typ
	}
	if err == nil && len(there) > 0 && !maps.Equal(declared, p.declared) {
		know := func(s *settings) { s.declared = declared }
		s.current.Store(newPlan(s.db, p.typ, append(slices.Clone(s.options), know)))
	}
	return err
}
