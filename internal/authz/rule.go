package authz

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Rule is a compiled rule. It is safe for concurrent use.
type Rule struct {
	Name    string
	root    *node
	leaves  []*node // the parts without parts, in order
	chooses bool    // there is an any of several parts
	leads   bool    // a part may be about other records
}

// Verdict is the result of a rule.
type Verdict int8

// The verdicts in ascending order: All has the lowest of its parts, Any the highest.
const (
	Denied  Verdict = iota
	Depends         // on the record
	Allowed
)

// node is a part of a rule. A negated node is the opposite of its description, but never holds for principals of another
// type.
type node struct {
	access.Description

	record     *model.Struct
	negated    bool
	parts      []*node
	field      *filter.Field     // equal, where
	fields     []string          // the same, for conditions
	values     []filter.Value    // where
	conditions []store.Condition // where: the condition in a query
	through    string            // in conditions, of a rule about other records; see [store.Condition]
	inner      *Rule             // about these; nil for other rules
	principals []reflect.Type    // that inner is about
}

// Caller is the caller of an operation, with cached results of rules. The zero value is anonymous. It is not safe for
// concurrent use.
type Caller struct {
	Principal any
	Scopes    access.Scopes
	Records   records // for conditions that go through references
	// Keeps reports that no record changes while rules are evaluated for the caller, so that what conditions find behind
	// references is kept until [Caller.Forget].
	Keeps bool
	// Saves reports that rules are evaluated for a record that the call is about to save.
	Saves bool

	values  []known
	first   [1]known // memory for values: most rules have one
	members visibility
	subject subject
}

// known is the cached result of a user function for the caller.
type known struct {
	of         *node
	value      any // of an equal
	conditions []store.Condition
	match      filter.Match // of the conditions; nil without any, and until a record is tried
	paths      []path       // that match follows
}

// Set sets the principal. A nil pointer is anonymous, even in an interface that is not nil, so that Authenticated does
// not hold for it.
func (c *Caller) Set(principal any, scopes access.Scopes) {
	*c = Caller{Records: c.Records, Keeps: c.Keeps}
	if v := reflect.ValueOf(principal); v.IsValid() && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		c.Principal, c.Scopes = principal, scopes
	}
}

// hasPrincipal reports whether the caller has a principal of a type.
func (c *Caller) hasPrincipal(want reflect.Type) bool {
	if c.Principal == nil {
		return false
	}
	t := reflect.TypeOf(c.Principal)
	return t == want || want.Kind() == reflect.Interface && t.Implements(want)
}

// evaluation is one evaluation of a rule.
type evaluation struct {
	ctx    context.Context //nolint:containedctx // an evaluation is one call
	caller *Caller
	record any // pointer to the record; nil for none
	// Assumptions, to find out what another caller could do:
	signedIn bool // the caller has any principal that the rule requires
	granted  bool // the caller has every scope
}

// Decide evaluates the rule without a record. It calls no function that can fail.
func (r *Rule) Decide(c *Caller) Verdict {
	if r == nil {
		return Allowed
	}
	verdict, _ := r.root.decide(&evaluation{caller: c}) // cannot fail without a record
	return verdict
}

// Holds reports whether the rule holds for the record that record points to.
func (r *Rule) Holds(ctx context.Context, c *Caller, record any) (bool, error) {
	if r == nil {
		return true, nil
	}
	verdict, err := r.root.decide(&evaluation{ctx: ctx, caller: c, record: record})
	return verdict == Allowed && err == nil, err
}

// decide evaluates a part. With assumptions about the caller (see [Rule.Denial]), it returns the best possible verdict.
func (n *node) decide(q *evaluation) (Verdict, error) {
	var holds bool
	var err error
	switch {
	case n.Kind == "any" || n.Kind == "all":
		return n.decideParts(q)
	case n.Kind == "public":
		holds = true
	case n.Kind == "authenticated":
		holds = q.signedIn && !n.negated || q.caller.Principal != nil
	case n.Kind == "scope":
		holds = (q.granted || q.signedIn) && !n.negated || q.caller.Scopes.Grant(n.Scope)
	case n.inner != nil:
		return n.decideOthers(q)
	case q.signedIn && (n.Principal != nil || n.Kind == "check"):
		return Allowed, nil
	case n.Principal != nil && !q.caller.hasPrincipal(n.Principal):
		// Negated or not: Not(If("admin", …)) must not hold for principals of other types. It comes before the record, so
		// that such callers cannot find out whether the record exists.
		return Denied, nil
	case n.Kind == "if":
		holds = n.Holds(q.caller.Principal)
	case q.record == nil:
		return Depends, nil
	case n.Kind == "where":
		holds, err = n.equals(q.record, n.values...)
	case n.Kind == "equal":
		var value filter.Value
		if value, err = n.field.Value(n.valueOf(q.caller)); err == nil {
			holds, err = n.equals(q.record, value)
		}
	case n.Kind == "check":
		holds, err = n.Check(q.ctx, q.record)
	default:
		holds, err = n.matches(q)
	}
	if err != nil || holds == n.negated {
		return Denied, err
	}
	return Allowed, nil
}

// decideParts evaluates parts until one decides: for an any the first that allows, for an all the first that denies. A
// part that depends on the record does not decide, because a later part of an all may still deny.
func (n *node) decideParts(q *evaluation) (Verdict, error) {
	found, enough := Denied, Allowed
	if n.Kind == "all" {
		found, enough = Allowed, Denied
	}
	for _, part := range n.parts {
		verdict, err := part.decide(q)
		if err != nil || verdict == enough {
			return verdict, err
		}
		if verdict == Depends {
			found = Depends
		}
	}
	return found, nil
}

// valueOf returns the caller's value of an equal, as in a condition. It calls the function, which may be slow, once for
// each call, so that a collection and its total use the same value.
func (n *node) valueOf(c *Caller) any {
	if found := c.known(n); found != nil {
		return found.value
	}
	value := n.field.Given(reflect.ValueOf(n.Of(c.Principal)))
	c.remember(known{of: n, value: value})
	return value
}

// conditionsOf returns the caller's conditions of a filter, or of a rule about other records. It calls the function of a
// filter once for each call, but again after an error, because the next record or the next run of the transaction may
// succeed.
func (n *node) conditionsOf(q *evaluation) (conditions []store.Condition, err error) {
	found := q.caller.known(n)
	switch {
	case n.inner != nil && q.granted: // with other scopes than the caller has, so nothing is remembered
		return n.findOthers(q)
	case found != nil:
		return found.conditions, nil
	case n.inner != nil:
		conditions, err = n.findOthers(q)
	default:
		if conditions, err = n.Conditions(q.ctx, q.caller.Principal); err != nil {
			return conditions, err
		}
		if err = checkThrough(conditions, n.record); err != nil {
			err = fmt.Errorf("access.Filter(%q) returns invalid conditions: %w", n.Name, err)
		}
	}
	if err == nil {
		q.caller.remember(known{of: n, conditions: conditions})
	}
	return conditions, err
}

// matches reports whether the record matches the caller's conditions of a filter or of a rule about other records, so
// that a Get or a Put needs no other query, except for these.
func (n *node) matches(q *evaluation) (bool, error) {
	conditions, err := n.conditionsOf(q)
	if len(conditions) == 0 || err != nil {
		return err == nil, err
	}
	if n.inner != nil && q.granted {
		assumed := known{of: n, conditions: conditions}
		return assumed.holds(q)
	}
	return q.caller.known(n).holds(q)
}

// holds reports whether the record matches the conditions. For a record that the call is about to save, conditions that
// depend on the caller must match also as long as it is not saved: otherwise callers could permit a change by the change
// itself, such as by a membership in a project of others.
func (k *known) holds(q *evaluation) (bool, error) {
	if err := k.compile(q.caller); err != nil {
		return false, err
	}
	own, record := &q.caller.subject, reflect.ValueOf(q.record).Elem()
	if !q.caller.Keeps && !k.of.record.IsDeleted(record) { // one in the trash permits nothing, also not by itself
		*own = subject{of: k.of.record, record: q.record}
		defer func() { *own = subject{} }()
	}
	holds, err := k.match(q.ctx, record)
	isPersonal := k.of.inner == nil || k.of.inner.IsPersonal()
	if err != nil || holds == k.of.negated || !q.caller.Saves || !own.met || !isPersonal {
		return holds, err
	}
	*own = subject{}
	return k.match(q.ctx, record)
}

// compile compiles the conditions, unless they are.
func (k *known) compile(c *Caller) (err error) {
	if k.match == nil {
		k.match, err = filter.Compile(source{k.of.record, c, &k.paths}, k.conditions)
	}
	return err
}

// known returns the cached result of a user function, or nil. The pointer is valid until the next result.
func (c *Caller) known(n *node) *known {
	for i := range c.values {
		if c.values[i].of == n {
			return &c.values[i]
		}
	}
	return nil
}

// remember caches the result of a user function.
func (c *Caller) remember(returned known) {
	if c.values == nil {
		c.values = c.first[:0]
	}
	c.values = append(c.values, returned)
}

// equals reports whether the field of the rule has one of the values in a record. Null equals nothing: if it equaled the
// zero value, Equal("owner", …) would hold for records without an owner and principals with an empty value. An error
// ends the comparison, because a failed rule must not allow anything.
func (n *node) equals(record any, values ...filter.Value) (bool, error) {
	found, err := n.field.Of(reflect.ValueOf(record).Elem())
	return err == nil && slices.Contains(values, found), err
}
