package gate

import (
	"context"
	"slices"

	"github.com/trove-api/trove/store"
)

// Conditions returns which records the rule holds of for a caller: all of them (Allowed), none
// (Refused), or those that fulfil the conditions (Depends).
func (r *Rule) Conditions(ctx context.Context, c *Caller) ([]store.Condition, Verdict, error) {
	if r == nil {
		return nil, Allowed, nil
	}
	q := ask(ctx, c, nil)
	return r.root.find(&q)
}

// find is what a rule is in a query. It first asks the rule as it is asked without a record, so
// that what is known of the caller alone never reaches the store.
func (n *node) find(q *question) ([]store.Condition, Verdict, error) {
	switch n.Kind {
	case "any":
		return n.findAny(q)
	case "all":
		return n.findAll(q)
	}
	verdict, err := n.ask(q)
	if verdict != Depends || err != nil {
		return nil, verdict, err
	}
	switch n.Kind {
	case "where":
		return n.conditions, Depends, nil
	case "equal":
		made := q.equality()
		made.values[0] = n.path.Leaf().Type.KeyIn(n.valueOf(q.caller))
		made.conditions[0] = n.condition(made.values[:])
		return made.conditions[:], Depends, nil
	}
	conditions, err := n.conditionsOf(q.ctx, q.caller)
	if len(conditions) == 0 && err == nil {
		return nil, Allowed, nil
	}
	return conditions, Depends, err
}

// equality returns what the condition of an equal is made in: once what its group has room for.
func (q *question) equality() *equality {
	made := q.own
	if q.own = nil; made != nil {
		return made
	}
	if room := q.caller.take(); room != nil {
		return &room.own
	}
	return new(equality)
}

func (n *node) findAny(q *question) ([]store.Condition, Verdict, error) {
	made := q.caller.take()
	if made == nil {
		made = new(alternatives)
	}
	groups := made.groups[:0]
	q.own = &made.own
	for _, part := range n.parts {
		conditions, verdict, err := part.find(q)
		if verdict == Allowed || err != nil {
			return nil, verdict, err
		}
		if verdict == Depends {
			groups = append(groups, conditions)
		}
	}
	switch len(groups) {
	case 0:
		return nil, Refused, nil
	case 1:
		return groups[0], Depends, nil
	}
	made.conditions[0].Any = groups
	return made.conditions[:], Depends, nil
}

func (n *node) findAll(q *question) ([]store.Condition, Verdict, error) {
	var all []store.Condition
	for _, part := range n.parts {
		conditions, verdict, err := part.find(q)
		if verdict == Refused || err != nil {
			return nil, verdict, err
		}
		all = append(all, conditions...)
	}
	if all == nil {
		return nil, Allowed, nil
	}
	return all, Depends, nil
}

// Confine returns a query that finds of what it asks for only what the caller may see: records
// that the rule holds of, and none by a member that is hidden in it. Those are null in an order.
// A query that could find nothing for the caller finds nothing.
func Confine(ctx context.Context, c *Caller, query store.Query, rule *Rule, members *Members) (store.Query, error) {
	conditions, verdict, err := rule.Conditions(ctx, c)
	if err != nil {
		return query, err
	}
	if verdict == Refused {
		conditions = []store.Condition{never()}
	}
	if members.Hides() {
		if query, err = members.confine(ctx, c, query); err != nil {
			return query, err
		}
	}
	switch {
	case len(query.Where) == 0:
		query.Where = slices.Clip(conditions) // which others may share, so that nobody appends to them
	case len(conditions) > 0:
		list := c.list(len(query.Where) + len(conditions))
		query.Where = append(append(list, query.Where...), conditions...)
	}
	return query, nil
}

// Asks returns the conditions that the rule may ask of a store, without values, and whether
// it may ask groups of it.
func (r *Rule) Asks() (conditions []store.Condition, groups bool) {
	if r != nil {
		r.root.asks(&conditions, &groups)
	}
	return conditions, groups
}

func (n *node) asks(conditions *[]store.Condition, groups *bool) {
	for _, part := range n.parts {
		part.asks(conditions, groups)
	}
	switch n.Kind {
	case "any":
		*groups = *groups || len(n.parts) > 1
	case "where", "equal":
		*conditions = append(*conditions, n.condition(nil))
	case "filter":
		*groups = true // for all that is known
	}
}

// IsPersonal reports whether the rule asks who the caller is.
func (r *Rule) IsPersonal() bool { return r != nil && r.root.isPersonal() }

func (n *node) isPersonal() bool {
	return n.parts == nil && n.Kind != "public" && n.Kind != "where" || slices.ContainsFunc(n.parts, (*node).isPersonal)
}

// Runs reports whether functions of the user's run for the rule that may want to know the
// request.
func (r *Rule) Runs() bool { return r != nil && r.runs }

func (n *node) runs() bool {
	return n.Kind == "check" || n.Kind == "filter" || slices.ContainsFunc(n.parts, (*node).runs)
}
