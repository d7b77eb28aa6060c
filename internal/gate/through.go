package gate

import (
	"context"
	"fmt"
	"slices"

	"github.com/trove-api/trove/store"
)

// Reached has the rules of the records that a reference is to.
type Reached struct {
	Read    *Rule    // nil for everybody
	Members *Members // nil for none
}

// Through returns a query that finds nothing, and orders nothing, by what the caller may not see of
// records that others refer to: one that is hidden is like one that is missing, and a member that is
// hidden in it is fulfilled by no condition and null in an order. Reached returns the rules of what
// a field refers to. It comes before [Confine], which sees to the records themselves.
func Through(ctx context.Context, c *Caller, query store.Query, reached func(field string) Reached) (store.Query, error) {
	var err error
	// Most queries go through nothing. Those of requests without parameters are shared by all of
	// them, so that what is changed is cloned first.
	if slices.ContainsFunc(query.Where, func(asked store.Condition) bool { return asked.Through != "" }) {
		query.Where = slices.Clone(query.Where)
		for i := range query.Where {
			if asked := &query.Where[i]; asked.Through != "" {
				if *asked, err = reached(asked.Through).confine(ctx, c, *asked); err != nil {
					return query, err
				}
			}
		}
	}
	if slices.ContainsFunc(query.Order, func(o store.Order) bool { return o.Through != "" }) {
		query.Order = slices.Clone(query.Order)
		for i := range query.Order {
			if o := &query.Order[i]; o.Through != "" {
				if o.NullUnless, err = reached(o.Through).shows(ctx, c, o); err != nil {
					return query, err
				}
			}
		}
	}
	return query, nil
}

// confine leaves of a condition on what a field refers to what the caller may see.
// It is put inside the condition, not beside it, since the store joins the two there.
func (r Reached) confine(ctx context.Context, c *Caller, asked store.Condition) (store.Condition, error) {
	seen, verdict, err := r.Read.Conditions(ctx, c)
	if verdict == Refused || err != nil {
		return never(), err
	}
	// The rule stands in each list, beside what is asked, so that both are about one record: a
	// condition of its own could be fulfilled by another one where there are several.
	lists := make([][]store.Condition, len(asked.Any))
	for i, list := range asked.Any {
		for n := range list {
			condition := list[n]
			if r.Members.Hides() {
				if condition, err = r.Members.condition(ctx, c, condition); err != nil {
					return never(), err
				}
			}
			lists[i] = append(lists[i], condition)
		}
		lists[i] = append(lists[i], seen...)
	}
	asked.Any = lists
	return asked, nil
}

// shows returns in which records the caller may see what an order is by: nil for all.
// A refusal does not take the order away: without it pages would be in another order for one caller
// than the documents say, so all records count as equal in it instead.
func (r Reached) shows(ctx context.Context, c *Caller, o *store.Order) ([]store.Condition, error) {
	seen, verdict, err := r.Read.Conditions(ctx, c)
	if verdict == Refused || err != nil {
		return []store.Condition{never()}, err
	}
	if r.Members.Hides() {
		shown, err := r.Members.conditions(ctx, c, o.Field)
		if err != nil {
			return nil, err
		}
		seen = append(slices.Clip(seen), shown...)
	}
	// An order without conditions can be read from an index: no empty list is put into it.
	if len(seen) == 0 {
		return nil, nil
	}
	return []store.Condition{{Through: o.Through, Any: [][]store.Condition{seen}}}, nil
}

// noneThrough refuses conditions of access.Filter that go through a reference: a single record could
// not be asked them without another one.
// It is refused rather than loaded: a rule must not cost a query of its own for each record.
func noneThrough(conditions []store.Condition) error {
	for i := range conditions {
		if through := conditions[i].Through; through != "" {
			return fmt.Errorf("a condition goes through %q; those of rules of access are about the record itself", through)
		}
		for _, list := range conditions[i].Any {
			if err := noneThrough(list); err != nil {
				return err
			}
		}
	}
	return nil
}
