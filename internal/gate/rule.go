package gate

import (
	"cmp"
	"context"
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
	leaves  []*node // its parts that have no parts, in order
	chooses bool    // it has an any of several parts
}

// Verdict is what is known of a rule.
type Verdict int8

// The verdicts, in order: that of All is the least of its parts, that of Any the greatest.
const (
	Denied  Verdict = iota
	Depends         // on the record
	Allowed
)

// node is a part of a rule. A negated one is the opposite of its description,
// except for callers whom it does not ask.
type node struct {
	access.Description

	record     *model.Struct
	negated    bool
	parts      []*node
	path       model.Path        // equal, where
	fields     []string          // the same, as conditions name it
	values     []reflect.Value   // where
	conditions []store.Condition // where: what it is in a query
}

// Caller is the caller of an operation, with what rules have found out about them. The zero value is anonymous. It
// is for one goroutine.
type Caller struct {
	Principal any
	Scopes    access.Scopes

	values  []known
	first   [1]known // memory for values: most rules have one
	members membership
}

// known is what a function of the user's has returned for the caller.
type known struct {
	of         *node
	value      reflect.Value
	conditions []store.Condition
}

// Set sets the principal. A nil pointer is anonymous: functions that return their own type and a nil
// make an interface that is not nil, and Authenticated must not hold for it.
func (c *Caller) Set(principal any, scopes access.Scopes) {
	*c = Caller{}
	if v := reflect.ValueOf(principal); v.IsValid() && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		c.Principal, c.Scopes = principal, scopes
	}
}

// hasPrincipal reports whether a rule for principals of a type asks the caller.
func (c *Caller) hasPrincipal(by reflect.Type) bool {
	if c.Principal == nil {
		return false
	}
	t := reflect.TypeOf(c.Principal)
	return t == by || by.Kind() == reflect.Interface && t.Implements(by)
}

// question is what a rule is asked.
type evaluation struct {
	ctx    context.Context //nolint:containedctx // a question is one call
	caller *Caller
	record any // pointer to it; nil to ask without one
	// What could be if the caller were another one:
	signedIn bool // they are whoever they would have to be
	granted  bool // they have every scope

	// Memory for the next condition of an any, and of an equal; nil for none.
	choice *choice
	equal  *equality
}

// Ask returns what is known without a record. It calls no function that may fail.
func (r *Rule) Decide(c *Caller) Verdict {
	if r == nil {
		return Allowed
	}
	verdict, _ := r.root.decide(&evaluation{caller: c}) // without a record nothing fails
	return verdict
}

// Holds reports whether the rule holds for a record, which record points to.
func (r *Rule) Holds(ctx context.Context, c *Caller, record any) (bool, error) {
	if r == nil {
		return true, nil
	}
	verdict, err := r.root.decide(&evaluation{ctx: ctx, caller: c, record: record})
	return verdict == Allowed && err == nil, err
}

// ask asks a part. If the caller is only supposed to be signed in or to have scopes (see
// [Rule.Denial]), the verdict is that of the best such caller.
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
		// Negated or not: Not(If("admin", …)) is about principals of that type, and a stranger must not pass for being none
		// of them. It comes before the record, so that strangers do not find out whether there is one.
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
			holds, err = matchesEach(conditions, n.record, reflect.ValueOf(q.record).Elem())
		}
	}
	if err != nil || holds == n.negated {
		return Denied, err
	}
	return Allowed, nil
}

// decideParts asks one part after the other, until one decides: in an any the first that allows, in an all the first that
// refuses. A part that depends on the record does not decide: without a record, a later part of an all may still refuse.
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

// valueOf returns the caller's value of an equal.
// The function is the user's and may be slow, so it is called once for each call. A collection and its
// totals then have the same value.
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

// conditionsOf returns the caller's conditions of a filter, whose function is called once for each call.
// An error is not remembered: the next record, or the transaction's next try, may do better.
func (n *node) conditionsOf(ctx context.Context, c *Caller) ([]store.Condition, error) {
	for i := range c.values {
		if c.values[i].of == n {
			return c.values[i].conditions, nil
		}
	}
	conditions, err := n.Conditions(ctx, c.Principal)
	if err == nil {
		err = noneThrough(conditions)
	}
	if err == nil {
		c.remember(known{of: n, conditions: conditions})
	}
	return conditions, err
}

// remember keeps what a function of the user's has returned.
func (c *Caller) remember(returned known) {
	if c.values == nil {
		c.values = c.first[:0]
	}
	c.values = append(c.values, returned)
}

// equalsAny reports whether a field of a record has one of some values. Null has none:
// if it had the value of zero, a rule such as Equal("owner", …) would hold for every record without an owner
// and a principal without a name.
// An error ends it at once, since a rule that could not be asked must not go on to a value that allows.
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

// compare compares two values of a field in the sense of store.Order, as stores do. Types that marshal
// themselves as text go by that, whatever they are made of.
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
	return 1, nil // of keys no rule asks an order
}

// timeOf returns the time of a value, whose type may be one of the user's made of time.Time: such a
// type has no Compare of its own to call.
func timeOf(v reflect.Value) time.Time {
	at, _ := reflect.TypeAssert[time.Time](v.Convert(reflect.TypeFor[time.Time]()))
	return at
}
