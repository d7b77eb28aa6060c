package sqlstore

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/trove-api/trove/store"
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

// typesIn returns the declared types of the table's columns, by name.
func (p *plan) typesIn(there map[string]actual) map[string]string {
	declared := map[string]string{}
	for _, c := range p.own {
		declared[c.name] = there[c.name].typ
	}
	return declared
}

// adopt makes the store fit the table of another program: it reads times in all forms, and rejects values that do not
// fit.
func (s *table) adopt(ctx context.Context) error {
	p := s.plan()
	there, err := describe(ctx, s.db, s.db, p.name)
	if declared := p.typesIn(there); err == nil && len(there) > 0 && !maps.Equal(declared, p.declared) {
		s.replace(p, declared)
	}
	return err
}

// replace replaces a plan by one that knows the declared types of the existing table.
func (s *table) replace(p *plan, declared map[string]string) {
	know := func(s *settings) { s.declared = declared }
	replacement := newPlan(s, p.typ, append(slices.Clone(s.options), know))
	replacement.keyNames.Store(p.keyNames.Load())
	replacement.constraints.Store(p.constraints.Load())
	s.current.CompareAndSwap(p, replacement)
}

// staleError is an error of a run that may have used a table as it was before its columns changed.
type staleError struct {
	error

	plans []*plan // of all tables that the statement used
}

func (e *staleError) Unwrap() error { return e.error }

// mayBeStale returns an error of a value, or of a statement on the table and others. If the reason can be a column that
// holds fewer or more values than the plan assumes, the error is a [staleError].
func (p *plan) mayBeStale(err error, others ...*plan) error {
	if err == nil || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrUnavailable) {
		return err
	}
	if _, limits := p.db.driver.(columnLimiter); !limits {
		return err
	}
	// Drivers do not classify an argument that they cannot send to a column. A constraint is not about the column's type.
	if fault := p.db.driver.Fault(err); fault.Kind != 0 && (fault.Kind != CheckFault || fault.Constraint != "") {
		return err
	}
	return &staleError{err, append(others, p)}
}

// renews reports whether the columns of a table have changed. The next run uses them as they are now.
func (e *staleError) renews(ctx context.Context) bool {
	changed := false
	for _, p := range e.plans {
		changed = p.owner.renews(ctx, p) || changed
	}
	return changed
}

// renews reports whether the columns of the table can hold other values than a plan assumes.
func (s *table) renews(ctx context.Context, p *plan) bool {
	if s.plan() != p { // another request has noticed
		return true
	}
	there, err := describe(ctx, s.db, s.db, p.name)
	differs := func(c *column) bool { return c.limit != p.limitOf(c, there[c.name].typ) }
	if err != nil || !slices.ContainsFunc(p.own, differs) {
		return false
	}
	s.replace(p, p.typesIn(there))
	return true
}

// reachedBy returns the tables that a query uses in addition to p.
func (p *plan) reachedBy(query store.Query) []*plan {
	reached := map[*plan]bool{}
	p.reach(query.Where, reached)
	for _, order := range query.Order {
		if order.Through != "" {
			p.reach([]store.Condition{{Through: order.Through}}, reached)
		}
		p.reach(order.NullUnless, reached)
	}
	delete(reached, p)
	return slices.Collect(maps.Keys(reached))
}

// reach adds the tables that conditions on p use.
func (p *plan) reach(conditions []store.Condition, reached map[*plan]bool) {
	for _, condition := range conditions {
		target := p
		if condition.Through != "" {
			var err error
			if target, err = p.reached(condition.Through); err != nil {
				continue // reported earlier
			}
			reached[target] = true
		}
		for _, list := range condition.Any {
			target.reach(list, reached)
		}
	}
}
