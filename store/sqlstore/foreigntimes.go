package sqlstore

import "reflect"

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

// loosen prepares a column of a table of another program. Values is what queries compare.
func (p *planner) loosen(c *column) (values *column) {
	forms, ok := p.db.driver.(timeForms)
	switch {
	case !ok || !p.foreign || p.isID(c):
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

// typesIn returns the declared types of the table's columns, by name.
func (p *plan) typesIn(there map[string]actual) map[string]string {
	declared := map[string]string{}
	for _, c := range p.own {
		declared[c.name] = there[c.name].typ
	}
	return declared
}
