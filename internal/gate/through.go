package gate

import (
	"context"
	"fmt"
	"slices"

	"github.com/trove-api/trove/store"
)

// Reached has the rules of the records that a reference is to.
type Reached struct {
	Read    *Rule    // nil for everyone
	Members *Members // nil for none
}

// Through restricts a query so that it finds and sorts nothing by what the caller may not see of
// records that others refer to: a hidden record is like a missing one, and a hidden field of it matches no condition
// and sorts as null. Reached returns the rules of what
// a field refers to. It comes before [Caller.Confine], which restricts the records themselves.
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

// confine restricts a condition on what a field refers to.
func (r Reached) confine(ctx context.Context, c *Caller, asked store.Condition) (store.Condition, error) {
	seen, verdict, err := r.Read.Conditions(ctx, c)
	if verdict == Denied || err != nil {
		return never(), err
	}
	// The rule is in each list, so that both are about one record: a condition of its own could match another one of
	// several.
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

// shows returns in which records the caller may see the field of a sort order: nil for all.
// If the rule refuses, all records compare equal: without the sort order, pages would be in another order than the
// document says.
func (r Reached) shows(ctx context.Context, c *Caller, o *store.Order) ([]store.Condition, error) {
	seen, verdict, err := r.Read.Conditions(ctx, c)
	if verdict == Denied || err != nil {
		return []store.Condition{never()}, err
	}
	if r.Members.Hides() {
		shown, err := r.Members.conditions(ctx, c, o.Field)
		if err != nil {
			return nil, err
		}
		seen = append(slices.Clip(seen), shown...)
	}
	if len(seen) == 0 { // so that the store can read the order from an index
		return nil, nil
	}
	return []store.Condition{{Through: o.Through, Any: [][]store.Condition{seen}}}, nil
}

// noneThrough rejects conditions of access.Filter that go through a reference: they would cost a query of their own for
// each record.
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
