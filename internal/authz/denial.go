package authz

import (
	"context"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// Denial is why a rule denies a call.
type Denial struct {
	// Rule is the name of the rule.
	Rule string
	// Because has the result of each part, for logs: "owner: no, admin: no".
	Because string
	// SignIn reports that the caller is anonymous, and signing in could help.
	SignIn bool
	// Scopes are the missing scopes, if they would be enough; else nil.
	Scopes []string
}

// Denial returns why the rule denies a call. Record is a pointer to the record that the rule was evaluated for, nil for
// none. It evaluates the rule again for an assumed caller, so that a 401 is returned only if signing in can help, and a
// challenge names scopes that would be enough (RFC 6750, section 3.1).
func (r *Rule) Denial(ctx context.Context, c *Caller, record any) Denial {
	q := evaluation{ctx: ctx, caller: c, record: record}
	because := make([]string, len(r.leaves))
	// All leaves, because a reader of the log wants to see everything that could have allowed the call.
	for i, n := range r.leaves {
		verdict, err := n.decide(&q)
		result := [...]string{Denied: "no", Depends: "depends on the record", Allowed: "yes"}[verdict]
		if err != nil {
			result = "failed"
		}
		if because[i] = n.Name + ": " + result; n.negated {
			because[i] = "not " + because[i]
		}
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
	denial.Scopes = r.missing(nil, c)
	return denial
}

// missing appends the scopes in the rule that the caller does not have. More scopes cannot fulfill a negated one.
func (r *Rule) missing(scopes []string, c *Caller) []string {
	for _, n := range r.leaves {
		switch {
		case n.negated:
		case n.inner != nil:
			scopes = n.inner.missing(scopes, c)
		case n.Kind == "scope" && !c.Scopes.Grant(n.Scope):
			scopes = append(scopes, n.Scope)
		}
	}
	return scopes
}

// Blames returns the only field that the parts of the rule which deny a record are about, such as "owner"; "" for none or
// several.
func (r *Rule) Blames(ctx context.Context, c *Caller, record any) (name string) {
	q := &evaluation{ctx: ctx, caller: c, record: record}
	for _, n := range r.leaves {
		if verdict, _ := n.decide(&evaluation{caller: c}); verdict == Denied { // it denies the caller every record
			continue
		}
		if verdict, err := n.decide(q); verdict == Allowed || err != nil {
			continue
		}
		var fields []string
		switch n.Kind {
		case "where", "equal", "through":
			fields = []string{n.Field}
		case "filter":
			conditions, err := n.conditionsOf(q)
			if fields = fieldsOf(nil, conditions); err != nil || len(fields) == 0 {
				return ""
			}
		case "check", "related": // what it looks at is unknown, or in no field
			return ""
		}
		for _, field := range fields {
			if name != "" && name != field {
				return ""
			}
			name = field
		}
	}
	return name
}

// fieldsOf appends the fields of a record that conditions are about.
func fieldsOf(names []string, conditions []store.Condition) []string {
	for i := range conditions {
		switch c := &conditions[i]; {
		case c.Through != "":
			names = append(names, c.Through)
		case c.Any != nil:
			for _, list := range c.Any {
				names = fieldsOf(names, list)
			}
		default:
			names = append(names, c.Fields...)
		}
	}
	return names
}

// HashPermissions writes the caller's permissions by a rule to a hash, so that a response is not replayed after they have
// changed. It omits parts that depend on records, because the caller has already seen the record in the response. It
// also omits filters, whose conditions may contain the current time.
func (r *Rule) HashPermissions(c *Caller, into hash.Hash) {
	if r == nil {
		return
	}
	for _, n := range r.leaves {
		if n.inner != nil {
			n.inner.HashPermissions(c, into)
			continue
		}
		result := ""
		switch n.Kind {
		case "if", "scope", "authenticated":
			verdict, _ := n.decide(&evaluation{caller: c}) // cannot fail without a record
			result = fmt.Sprint(verdict)
		case "equal":
			if c.hasPrincipal(n.Principal) {
				result = fmt.Sprint(n.valueOf(c))
			}
		default:
			continue
		}
		_, _ = io.WriteString(into, n.Kind+" "+n.Name+" "+fmt.Sprintf("%q\n", result)) // a hash returns no errors
	}
}

// HashRecord writes to a hash which parts of the rule that are about other records hold for a record, because these may
// have changed since the caller has seen it. The record is nil if it no longer exists.
func (r *Rule) HashRecord(ctx context.Context, c *Caller, record any, into hash.Hash) error {
	if r == nil {
		return nil
	}
	for _, n := range r.leaves {
		if n.inner == nil {
			continue
		}
		verdict, err := n.decide(&evaluation{ctx: ctx, caller: c, record: record})
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(into, "%s %d\n", n.Name, verdict) // a hash returns no errors
	}
	return nil
}

// LooksBehind reports whether a part of the rule is about other records.
func (r *Rule) LooksBehind() bool {
	return r != nil && slices.ContainsFunc(r.leaves, func(n *node) bool { return n.inner != nil })
}
