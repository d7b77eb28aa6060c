package gate

import (
	"context"
	"strings"
)

// Refusal is why a rule does not let a caller pass.
type Refusal struct {
	// Rule is the name of the rule.
	Rule string
	// Because tells of each part whether it holds, for logs.
	Because string
	// SignIn says that the caller is nobody, and somebody could pass.
	SignIn bool
	// Scopes are those that the caller lacks, where it would pass with them; else nil.
	Scopes []string
}

// Refusal tells why a caller does not pass. Record is a pointer to the record that the rule has
// been asked of, nil for none.
// It asks the rule again as if the caller were somebody else. So 401 is answered only where to sign
// in can help, and a challenge names the scopes that would be enough (RFC 6750, section 3.1).
func (r *Rule) Refusal(ctx context.Context, c *Caller, record any) Refusal {
	q := ask(ctx, c, record)
	refusal := Refusal{Rule: r.Name}
	var because []string
	r.root.explain(&q, &because)
	refusal.Because = strings.Join(because, ", ")
	if c.isNobody() {
		q.signedIn = true
		verdict, err := r.root.ask(&q)
		refusal.SignIn = verdict != Refused && err == nil
		return refusal
	}
	q.granted = true
	if verdict, err := r.root.ask(&q); verdict != Refused && err == nil {
		r.root.lacking(c, &refusal.Scopes)
	}
	return refusal
}

// explain tells of each leaf what it says.
// Leaves alone, since "any" and "all" say nothing that their parts do not. Parts that the rule did
// not need to ask are asked as well: who reads a log wants to see all that could have let the
// caller pass.
func (n *node) explain(q *question, into *[]string) {
	if n.parts != nil {
		for _, part := range n.parts {
			part.explain(q, into)
		}
		return
	}
	name := n.Name
	if n.negated {
		name = "not " + name
	}
	verdict, err := n.ask(q)
	says := [...]string{Refused: "no", Depends: "depends on the record", Allowed: "yes"}[verdict]
	if err != nil {
		says = "failed"
	}
	*into = append(*into, name+": "+says)
}

// lacking lists the scopes that the caller does not have.
// Negated scopes are passed over: a caller cannot get rid of one by asking for more.
func (n *node) lacking(c *Caller, into *[]string) {
	for _, part := range n.parts {
		part.lacking(c, into)
	}
	if n.Kind == "scope" && !n.negated && !c.Scopes.Grant(n.Scope) {
		*into = append(*into, n.Scope)
	}
}
