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
	where, err := throughAll(ctx, c, query.Where, reached)
	if err != nil {
		return query, err
	}
	query.Where = where
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

// throughAll restricts the conditions that go through a reference, also within groups. Most queries have none. Requests
// without parameters share their query, so it copies what it changes.
func throughAll(ctx context.Context, c *Caller, asked []store.Condition, reached func(field string) Reached) ([]store.Condition, error) {
	var made []store.Condition
	for i := range asked {
		condition, err := asked[i], error(nil)
		switch {
		case condition.Through != "":
			condition, err = reached(condition.Through).confine(ctx, c, condition)
		case condition.Any != nil:
			condition.Any = slices.Clone(condition.Any)
			for n := range condition.Any {
				if condition.Any[n], err = throughAll(ctx, c, condition.Any[n], reached); err != nil {
					break
				}
			}
		default:
			continue
		}
		if err != nil {
			return asked, err
		}
		if made == nil {
			made = slices.Clone(asked)
		}
		made[i] = condition
	}
	if made == nil {
		return asked, nil
	}
	return made, nil
}

// confine restricts a condition on referenced records. If the caller may see none of them, a reversed condition holds, but
// it still reveals the reference.
func (r Reached) confine(ctx context.Context, c *Caller, asked store.Condition) (store.Condition, error) {
	seen, verdict, err := r.Read.Conditions(ctx, c)
	switch {
	case err != nil:
		return never(), err
	case verdict == Denied && asked.Not:
		asked.Any = [][]store.Condition{}
		return asked, nil
	case verdict == Denied:
		return never(), nil
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
