package gate

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Rule is a compiled rule. It is safe for concurrent use.
type Rule struct {
	Name    string
	root    *node
	leaves  []*node // the parts without parts, in order
	chooses bool    // there is an any of several parts
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
	path       model.Path        // equal, where
	fields     []string          // the same, for conditions
	values     []reflect.Value   // where
	conditions []store.Condition // where: the condition in a query
}

// Caller is the caller of an operation, with cached results of rules. The zero value is anonymous. It is not safe for
// concurrent use.
type Caller struct {
	Principal any
	Scopes    access.Scopes
	Records   Records // for conditions that go through references

	values  []known
	first   [1]known // memory for values: most rules have one
	members membership
}

// known is the cached result of a user function for the caller.
type known struct {
	of         *node
	value      reflect.Value
	conditions []store.Condition
}

// Set sets the principal. A nil pointer is anonymous, even in an interface that is not nil, so that Authenticated does
// not hold for it.
func (c *Caller) Set(principal any, scopes access.Scopes) {
	*c = Caller{Records: c.Records}
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

	// Memory for the next condition of an any, and of an equal; nil for none.
	choice *choice
	equal  *equality
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
		holds, err = equalsAny(n.path, q.record, n.values)
	case n.Kind == "equal":
		holds, err = equalsAny(n.path, q.record, []reflect.Value{n.valueOf(q.caller)})
	case n.Kind == "check":
		holds, err = n.Check(q.ctx, q.record)
	default:
		var conditions []store.Condition
		if conditions, err = n.conditionsOf(q.ctx, q.caller); err == nil {
			holds, err = q.matchesEach(conditions, n.record, reflect.ValueOf(q.record).Elem())
		}
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

// valueOf returns the caller's value of an equal. It calls the function, which may be slow, once for each call, so that a
// collection and its total use the same value.
func (n *node) valueOf(c *Caller) reflect.Value {
	for i := range c.values {
		if c.values[i].of == n {
			return c.values[i].value
		}
	}
	value := reflect.ValueOf(n.Of(c.Principal))
	c.remember(known{of: n, value: value})
	return value
}

// conditionsOf returns the caller's conditions of a filter. It calls the function once for each call, but again after an
// error, because the next record or the next run of the transaction may succeed.
func (n *node) conditionsOf(ctx context.Context, c *Caller) ([]store.Condition, error) {
	for i := range c.values {
		if c.values[i].of == n {
			return c.values[i].conditions, nil
		}
	}
	conditions, err := n.Conditions(ctx, c.Principal)
	if err == nil {
		if err = checkThrough(conditions, n.record); err != nil {
			err = fmt.Errorf("access.Filter(%q) returns invalid conditions: %w", n.Name, err)
		}
	}
	if err == nil {
		c.remember(known{of: n, conditions: conditions})
	}
	return conditions, err
}

// remember caches the result of a user function.
func (c *Caller) remember(returned known) {
	if c.values == nil {
		c.values = c.first[:0]
	}
	c.values = append(c.values, returned)
}

// equalsAny reports whether a field of a record has one of the values. Null equals nothing: if it equaled the zero value,
// Equal("owner", …) would hold for records without an owner and principals with an empty value. An error ends the
// comparison, because a failed rule must not allow anything.
func equalsAny(path model.Path, record any, values []reflect.Value) (bool, error) {
	found, ok := path.Value(reflect.ValueOf(record).Elem())
	if !ok {
		return false, nil
	}
	for _, value := range values {
		if compared, err := compare(path.Leaf().Type.Kind, found, value); compared == 0 || err != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// compare compares two values of a field as stores do (see store.Order). Types that marshal as text compare by that text.
func compare(kind model.Kind, a, b reflect.Value) (int, error) {
	switch {
	case kind == model.Text:
		left, err := model.OrderTextOf(a)
		if err != nil {
			return 0, err
		}
		right, err := model.OrderTextOf(b)
		return strings.Compare(left, right), err
	case kind == model.Time:
		return timeOf(a).Compare(timeOf(b)), nil
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int()), nil
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint()), nil
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float()), nil // NaN comes first there, too
	case kind == model.String:
		return strings.Compare(a.String(), b.String()), nil
	case a.Equal(b):
		return 0, nil
	case kind == model.Bool && !a.Bool(): // false comes before true, as in SQL
		return -1, nil
	}
	return 1, nil // rules only compare keys for equality
}

// timeOf returns the time of a value, whose type may be derived from time.Time and thus lack Compare. It has microseconds, as
// in the queries of stores.
func timeOf(v reflect.Value) time.Time {
	at, _ := reflect.TypeAssert[time.Time](v.Convert(reflect.TypeFor[time.Time]()))
	return at.Truncate(time.Microsecond)
}
