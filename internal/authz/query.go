package authz

import (
	"context"
	"slices"

	"github.com/trove-api/trove/store"
)

// Conditions returns the records that the rule holds for: all (Allowed), none (Denied), or those that match the
// conditions (Depends).
func (r *Rule) Conditions(ctx context.Context, c *Caller) ([]store.Condition, Verdict, error) {
	if r == nil {
		return nil, Allowed, nil
	}
	return r.root.find(&evaluation{ctx: ctx, caller: c})
}

// find returns the conditions of a rule. It first decides without a record, so that the store gets only conditions on
// records.
func (n *node) find(q *evaluation) ([]store.Condition, Verdict, error) {
	switch n.Kind {
	case "any":
		return n.findAny(q)
	case "all":
		return n.findAll(q)
	}
	verdict, err := n.decide(q)
	if verdict != Depends || err != nil {
		return nil, verdict, err
	}
	switch n.Kind {
	case "where":
		return n.conditions, Depends, nil
	case "equal":
		return []store.Condition{n.condition([]any{n.valueOf(q.caller)})}, Depends, nil
	}
	conditions, err := n.conditionsOf(q)
	if len(conditions) == 0 && err == nil {
		return nil, Allowed, nil
	}
	if n.negated && err == nil { // a rule about other records
		reversed := conditions[0]
		reversed.Not = true
		conditions = []store.Condition{reversed}
	}
	return conditions, Depends, err
}

// condition returns the condition of a where or an equal. As in stores, null differs from every value: Not(Where(…)) holds
// for records with null.
func (n *node) condition(values []any) store.Condition {
	operator := store.Equal
	if n.negated {
		operator = store.NotEqual
	}
	return store.Condition{Fields: n.fields, Operator: operator, Values: values}
}

func (n *node) findAny(q *evaluation) ([]store.Condition, Verdict, error) {
	var groups [][]store.Condition
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
		return nil, Denied, nil
	case 1:
		return groups[0], Depends, nil
	}
	return []store.Condition{{Any: groups}}, Depends, nil
}

func (n *node) findAll(q *evaluation) ([]store.Condition, Verdict, error) {
	var all []store.Condition
	for _, part := range n.parts {
		conditions, verdict, err := part.find(q)
		if verdict == Denied || err != nil {
			return nil, verdict, err
		}
		all = append(all, conditions...)
	}
	if all == nil {
		return nil, Allowed, nil
	}
	return all, Depends, nil
}

// Confine restricts a query to the records that the rule holds for. Conditions on hidden fields match nothing, and hidden
// fields sort as null.
func (c *Caller) Confine(ctx context.Context, query store.Query, rule *Rule, members *Fields) (store.Query, error) {
	conditions, verdict, err := rule.Conditions(ctx, c)
	if err != nil {
		return query, err
	}
	if verdict == Denied {
		conditions = []store.Condition{never()}
	}
	if members != nil && members.hides {
		if query, err = members.confine(ctx, c, query); err != nil {
			return query, err
		}
	}
	if len(query.Where) == 0 {
		query.Where = slices.Clip(conditions) // others may share them, so appending must copy
	} else if len(conditions) > 0 {
		query.Where = slices.Concat(query.Where, conditions)
	}
	return query, nil
}

// PossibleConditions returns the conditions that the rule may use in a query, without values, and whether it may use
// groups.
func (r *Rule) PossibleConditions() (conditions []store.Condition, groups bool) {
	if r == nil {
		return nil, false
	}
	groups = r.chooses
	for _, n := range r.leaves {
		switch n.Kind {
		case "where", "equal":
			conditions = append(conditions, n.condition(nil))
		case "filter":
			groups = true // its function may return any
		}
		if n.inner != nil {
			within, _ := n.inner.PossibleConditions()
			groups, conditions = true, append(conditions, store.Condition{Through: n.through, Any: [][]store.Condition{within}})
		}
	}
	return conditions, groups
}

// IsPersonal reports whether the rule depends on the caller.
func (r *Rule) IsPersonal() bool {
	return r != nil && slices.ContainsFunc(r.leaves, func(n *node) bool {
		if n.inner != nil {
			return n.inner.IsPersonal()
		}
		return n.Kind != "public" && n.Kind != "where"
	})
}

// Runs reports whether the rule calls user functions that may use the request.
func (r *Rule) Runs() bool {
	return r != nil && slices.ContainsFunc(r.leaves, func(n *node) bool { return n.Kind == "check" || n.Kind == "filter" })
}
