package gate

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Rule is a compiled rule. It is safe for use by many goroutines.
type Rule struct {
	Name string
	root *node
	runs bool // functions of the user's that may want to know the request
}

// Verdict is what is known of a rule.
type Verdict int8

// The verdicts, in the order in which one of several parts goes before another: the least of
// them is that of all parts, the greatest that of any.
const (
	Refused Verdict = iota
	Depends         // on the record
	Allowed
)

// node is a part of a rule. What a negated one stands for is the opposite of its description,
// but for callers whom it does not ask.
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

// Caller is who asks, with what was found out about it on the way. The zero value is nobody. It
// is for one goroutine.
type Caller struct {
	Principal any
	Scopes    access.Scopes

	values  []known
	first   [1]known // where most have the only one of values
	members membership
	room    *Scratch // nil for none
}

// known is what a function of the user's has said of the caller.
type known struct {
	of         *node
	value      reflect.Value
	conditions []store.Condition
}

// Set makes the caller a principal. A nil pointer is nobody.
// A nil pointer comes from functions that return their own type and a nil, which is not nil as an
// interface. To take it for somebody would let Authenticated hold of nobody.
func (c *Caller) Set(principal any, scopes access.Scopes) {
	*c = Caller{values: c.values[:0]}
	if v := reflect.ValueOf(principal); v.IsValid() && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		c.Principal, c.Scopes = principal, scopes
	}
}

// remember keeps what a function of the user's has said.
func (c *Caller) remember(said known) {
	if c.values == nil {
		c.values = c.first[:0]
	}
	c.values = append(c.values, said)
}

// isNobody reports whether nobody has said who asks.
func (c *Caller) isNobody() bool { return c.Principal == nil }

// isAsked reports whether a rule for principals of a type asks the caller.
func (c *Caller) isAsked(by reflect.Type) bool {
	if c.Principal == nil {
		return false
	}
	t := reflect.TypeOf(c.Principal)
	return t == by || by.Kind() == reflect.Interface && t.Implements(by)
}

// question is what a rule is asked.
type question struct {
	ctx    context.Context //nolint:containedctx // a question is one call
	caller *Caller
	record any           // pointer to it; nil for what is asked without one
	value  reflect.Value // of the record
	// What could be if the caller were another one:
	signedIn bool // it is whoever it would have to be
	granted  bool // it has every scope

	own *equality // of the group that the question has come to; nil for none, or one that has been used
}

// ask makes the question about a record. The value is taken once, since each leaf looks into it.
func ask(ctx context.Context, c *Caller, record any) question {
	q := question{ctx: ctx, caller: c, record: record}
	if record != nil {
		q.value = reflect.ValueOf(record).Elem()
	}
	return q
}

// Ask tells what is known without a record. No function that may fail is called for it.
func (r *Rule) Ask(c *Caller) Verdict {
	if r == nil {
		return Allowed
	}
	q := question{caller: c}
	verdict, _ := r.root.ask(&q) // without a record nothing fails
	return verdict
}

// Holds reports whether the rule holds of a record, which record points to.
func (r *Rule) Holds(ctx context.Context, c *Caller, record any) (bool, error) {
	if r == nil {
		return true, nil
	}
	q := ask(ctx, c, record)
	verdict, err := r.root.ask(&q)
	return verdict == Allowed && err == nil, err
}

// ask asks a part. For one who is only supposed to be signed in or to have scopes (see
// [Rule.Refusal]) it answers what the best such caller would hear.
func (n *node) ask(q *question) (Verdict, error) {
	switch n.Kind {
	case "any":
		return n.askParts(q, Refused, Allowed)
	case "all":
		return n.askParts(q, Allowed, Refused)
	case "public":
		return n.verdict(true), nil
	case "authenticated":
		return n.verdict(q.signedIn && !n.negated || !q.caller.isNobody()), nil
	case "scope":
		return n.verdict((q.granted || q.signedIn) && !n.negated || q.caller.Scopes.Grant(n.Scope)), nil
	case "if":
		switch {
		case q.signedIn:
			return Allowed, nil
		case !q.caller.isAsked(n.Principal):
			// A negated rule refuses them too: Not(If("admin", …)) is about principals of that
			// type, and a stranger must not pass for being none of them.
			return Refused, nil
		}
		return n.verdict(n.Holds(q.caller.Principal)), nil
	}
	return n.askRecord(q)
}

// askParts asks one part after the other: of any of them the first that says yes ends it, of
// all the first that says no.
// Depends is kept as the verdict until a part decides: without a record an "all" whose first part
// depends may still be refused by a later one.
func (n *node) askParts(q *question, none, enough Verdict) (Verdict, error) {
	found := none
	for _, part := range n.parts {
		verdict, err := part.ask(q)
		if err != nil || verdict == enough {
			return verdict, err
		}
		if verdict == Depends {
			found = Depends
		}
	}
	return found, nil
}

// askRecord asks a part that looks at the record.
// Who asks is looked at first: that costs nothing, and decides without a record for strangers, so
// that they learn nothing from whether one is there.
func (n *node) askRecord(q *question) (Verdict, error) {
	asksPrincipal := n.Principal != nil
	switch {
	case q.signedIn && (asksPrincipal || n.Kind == "check"):
		return Allowed, nil
	case asksPrincipal && !q.caller.isAsked(n.Principal):
		return Refused, nil
	case q.record == nil:
		return Depends, nil
	}
	switch n.Kind {
	case "where":
		holds, err := equalsAny(n.path, q.value, n.values)
		return n.verdict(holds), err
	case "equal":
		holds, err := equals(n.path, q.value, n.valueOf(q.caller))
		return n.verdict(holds), err
	case "check":
		holds, err := n.Check(q.ctx, q.record)
		return n.verdict(holds), err
	}
	conditions, err := n.conditionsOf(q.ctx, q.caller)
	if err != nil {
		return Refused, err
	}
	holds, err := matchesEach(conditions, n.record, q.value)
	return n.verdict(holds), err
}

// verdict turns what a leaf says around where the leaf is negated, which happens nowhere else.
func (n *node) verdict(holds bool) Verdict {
	if holds != n.negated {
		return Allowed
	}
	return Refused
}

// valueOf returns the caller's value of an equal, of which the function is asked once.
// The function is the user's and may be slow. Once for a call also means that a collection and its
// totals cannot be of two different values.
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

// conditionsOf returns the caller's conditions of a filter, of which the function is asked once.
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
