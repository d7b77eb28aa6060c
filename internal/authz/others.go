package authz

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// A rule about other records is a Through or a Related. It has the compiled rule for these, and becomes one condition that
// leads to them. The same condition decides about a single record, so that both agree.

// aboutOthers reports whether a rule is about other records. An Equal or a Where with a dotted name that begins with a
// reference becomes one.
func (c *compilation) aboutOthers(n *node) bool {
	if n.Kind == "through" || n.Kind == "related" {
		return true
	}
	reference, _ := c.record.Behind(n.Field)
	_, ownsPath := c.record.Path(n.Field)
	return reference != nil && !ownsPath && (n.Kind == "equal" || n.Kind == "where")
}

// others compiles a rule about other records.
func (c *compilation) others(n *node) *node {
	key := sharedNode{record: c.record, name: n.Name, negated: n.negated}
	if len(n.Parts) > 0 {
		key.parts = &n.Parts[0]
	}
	if known := c.shared[key]; known != nil && c.steps == 0 { // nodes of inner rules remember nothing
		return known
	}
	inner := &compilation{Compiler: c.Compiler, use: Reads, steps: c.steps + 1}
	var part func() *node
	if n.Kind == "equal" || n.Kind == "where" {
		reference, rest := c.record.Behind(n.Field)
		d := n.Description
		d.Field = rest
		part = func() *node { return inner.described(d, false) }
		n.Description = access.Description{Kind: "through", Name: d.Name, Named: d.Named, Field: reference.Name}
	} else {
		declared := n.Parts[0]
		part = func() *node { return inner.rule(declared, false) }
	}
	if inner.record = c.lead(n); inner.record == nil {
		return n
	}
	if inner.steps > maxSteps {
		c.fail("the rule %q goes through more than %d references; allowed: %d", n.Name, maxSteps, maxSteps)
		return n
	}
	inner.made.root = part()
	for _, err := range inner.errs {
		if key.parts != nil {
			err = fmt.Errorf("%s(%q): %w", map[string]string{"through": "Through", "related": "Related"}[n.Kind], n.Field, err)
		}
		c.errs = append(c.errs, err)
	}
	n.inner = &inner.made
	n.principals = n.inner.principals()
	if key.parts != nil && len(inner.errs) == 0 && c.steps == 0 {
		if c.shared == nil {
			c.shared = map[sharedNode]*node{}
		}
		c.shared[key] = n
	}
	return n
}

// lead returns the struct of the records that a rule is about, nil after an error. Stores must be able to go there:
// otherwise a collection could show records that a Get hides.
func (c *compilation) lead(n *node) *model.Struct {
	const advice = "keep both in memory or in one database, or implement store.Joiner"
	if n.Kind == "related" {
		r := c.record.ReferredBy(n.Field)
		switch {
		case r == nil:
			var names []string
			for _, r := range c.record.Referring {
				names = append(names, r.Resource+"."+r.Field.Name)
			}
			c.fail("Related(%q) is not a reference to %s%s", n.Field, c.record.Go, naming.Allowed(n.Field, names))
			return nil
		case !r.Joined:
			c.fail("Related(%q) does not work, because the store of %s cannot query the records of %s; %s", n.Field, c.record.Go, r.Resource, advice)
			return nil
		}
		n.through = r.Name
		return r.From
	}
	f := c.record.Field(n.Field)
	switch {
	case f == nil || f.Reference == nil || f.Reference.Target == nil:
		c.fail("Through(%q) is not a reference of %s%s", n.Field, c.record.Go, naming.Allowed(n.Field, c.record.Names(isReference)))
		return nil
	case !f.Reference.Joined:
		c.fail("the rule %q does not work, because the store of %s cannot query the records of %s; %s", n.Name, c.record.Go, f.Reference.Name, advice)
		return nil
	}
	n.through = n.Field
	return f.Reference.Target
}

// principals returns the types of principals that the rule is about.
func (r *Rule) principals() (types []reflect.Type) {
	for _, n := range r.leaves {
		if n.Principal != nil {
			types = append(types, n.Principal)
		}
		types = append(types, n.principals...)
	}
	return types
}

// decideOthers evaluates a rule about other records. Without a record it depends on one, unless the rule for the others
// holds for none of them.
func (n *node) decideOthers(q *evaluation) (Verdict, error) {
	asks := !slices.ContainsFunc(n.principals, func(p reflect.Type) bool { return !q.caller.hasPrincipal(p) })
	switch {
	case q.signedIn && n.inner.IsPersonal():
		return Allowed, nil
	case n.negated && !asks: // like the opposite of a rule on the principal
		return Denied, nil
	}
	inner, err := n.inner.root.decide(&evaluation{ctx: q.ctx, caller: q.caller, granted: q.granted})
	switch {
	case err != nil, inner == Denied && !n.negated:
		return Denied, err
	case inner == Denied:
		return Allowed, nil
	case q.record == nil:
		return Depends, nil
	}
	holds, err := n.matches(q)
	if err != nil || holds == n.negated {
		return Denied, err
	}
	return Allowed, nil
}

// findOthers returns the condition of a rule about other records, as if it were not negated.
func (n *node) findOthers(q *evaluation) ([]store.Condition, error) {
	within, verdict, err := n.inner.root.find(&evaluation{ctx: q.ctx, caller: q.caller, granted: q.granted})
	lists := [][]store.Condition{within} // an empty list matches every record
	if verdict == Denied {
		lists = [][]store.Condition{}
	}
	return []store.Condition{{Through: n.through, Any: lists}}, err
}
