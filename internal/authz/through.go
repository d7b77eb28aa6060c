package authz

import (
	"context"
	"slices"

	"github.com/trove-api/trove/store"
)

// Reached has the rules of referenced records.
type Reached struct {
	Read   *Rule   // nil for everyone
	Fields *Fields // nil for none
}

// Through restricts conditions and sort orders that go through a reference to what the caller may see: a hidden record is
// like a missing one, and its hidden fields match no condition and sort as null. Reached returns the rules of the records
// that a field references. Call Through before [Caller.Confine], which restricts the records themselves.
func Through(ctx context.Context, c *Caller, query store.Query, reached func(field string) Reached) (store.Query, error) {
	var err error
	// Most queries have no such condition. Requests without parameters share their query, so it is cloned before a change.
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

// confine restricts a condition on referenced records.
func (r Reached) confine(ctx context.Context, c *Caller, asked store.Condition) (store.Condition, error) {
	seen, verdict, err := r.Read.Conditions(ctx, c)
	if verdict == Denied || err != nil {
		return never(), err
	}
	// The rule is added to each list, so that both match the same record; a separate condition could match another one.
	lists := make([][]store.Condition, len(asked.Any))
	for i, list := range asked.Any {
		for n := range list {
			condition := list[n]
			if r.Fields.Hides() {
				if condition, err = r.Fields.condition(ctx, c, condition); err != nil {
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

// shows returns the conditions under which the caller may see the field of a sort order, nil for all records. If the rule
// denies all, every record sorts as null; the sort order stays, because the response must follow the documented order.
func (r Reached) shows(ctx context.Context, c *Caller, o *store.Order) ([]store.Condition, error) {
	seen, verdict, err := r.Read.Conditions(ctx, c)
	if verdict == Denied || err != nil {
		return []store.Condition{never()}, err
	}
	if r.Fields.Hides() {
		shown, err := r.Fields.conditions(ctx, c, o.Field)
		if err != nil {
			return nil, err
		}
		seen = append(slices.Clip(seen), shown...)
	}
	if len(seen) == 0 { // the store can sort by an index
		return nil, nil
	}
	return []store.Condition{{Through: o.Through, Any: [][]store.Condition{seen}}}, nil
}
