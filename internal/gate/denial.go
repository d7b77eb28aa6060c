package gate

import (
	"context"
	"fmt"
	"hash"
	"io"
	"strings"
)

// Denial is why a rule rejects a caller.
type Denial struct {
	// Rule is the name of the rule.
	Rule string
	// Because says of each part whether it holds, for logs.
	Because string
	// SignIn reports that the caller is anonymous, and signing in could help.
	SignIn bool
	// Scopes are those that the caller lacks, if they would be enough; else nil.
	Scopes []string
}

// Denial returns why a caller is rejected. Record is a pointer to the record that the rule has
// been asked about, nil for none.
// It asks the rule again as if the caller were another one. A 401 is then only returned if signing
// in can help, and a challenge names the scopes that would be enough (RFC 6750, section 3.1).
func (r *Rule) Denial(ctx context.Context, c *Caller, record any) Denial {
	q := evaluation{ctx: ctx, caller: c, record: record}
	because := make([]string, len(r.leaves))
	// Leaves alone, since "any" and "all" say nothing that their parts do not. All of them, since a reader of the log wants
	// to see everything that could have allowed the call.
	for i, n := range r.leaves {
		because[i] = n.explain(&q)
	}
	denial := Denial{Rule: r.Name, Because: strings.Join(because, ", ")}
	if c.Principal == nil {
		q.signedIn = true
		verdict, err := r.root.decide(&q)
		denial.SignIn = verdict != Denied && err == nil
		return denial
	}
	q.granted = true
	if verdict, err := r.root.decide(&q); verdict == Denied || err != nil {
		return denial
	}
	for _, n := range r.leaves {
		// A caller cannot lose a negated scope by requesting more.
		if n.Kind == "scope" && !n.negated && !c.Scopes.Grant(n.Scope) {
			denial.Scopes = append(denial.Scopes, n.Scope)
		}
	}
	return denial
}

// explain says whether a leaf holds.
func (n *node) explain(q *evaluation) string {
	name := n.Name
	if n.negated {
		name = "not " + name
	}
	verdict, err := n.decide(q)
	says := [...]string{Denied: "no", Depends: "depends on the record", Allowed: "yes"}[verdict]
	if err != nil {
		says = "failed"
	}
	return name + ": " + says
}

// HashPermissions writes what a rule says of the caller into a hash: a response that was made for other permissions
// must not be replayed, even to the same caller.
// It omits what depends on records, because a replayed response shows the record as it was then, and its caller saw that.
// The conditions of a filter are not compared, since they may contain the time of day.
func (r *Rule) HashPermissions(c *Caller, into hash.Hash) {
	if r == nil {
		return
	}
	for _, n := range r.leaves {
		says := ""
		switch n.Kind {
		case "if", "scope", "authenticated":
			verdict, _ := n.decide(&evaluation{caller: c}) // without a record nothing fails
			says = fmt.Sprint(verdict)
		case "equal":
			if c.hasPrincipal(n.Principal) {
				says = fmt.Sprint(n.valueOf(c))
			}
		default:
			continue
		}
		_, _ = io.WriteString(into, n.Kind+" "+n.Name+" "+fmt.Sprintf("%q\n", says)) // a hash takes everything
	}
}

// HashPermissions writes what the rules of fields say of the caller into a hash.
func (m *Members) HashPermissions(c *Caller, into hash.Hash) {
	if m == nil {
		return
	}
	for i := range m.List {
		m.List[i].Read.HashPermissions(c, into)
	}
}
