package sqlstore

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/trove-api/trove/store"
)

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
		of := p
		if condition.Through != "" {
			target, err := p.reached(condition.Through)
			if err != nil {
				continue // reported earlier
			}
			reached[target], of = true, target
		}
		for _, list := range condition.Any {
			of.reach(list, reached)
		}
	}
}
