package gate

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// Compiler compiles rules of one API.
type Compiler struct {
	// Schemes are the ways to become a principal. Without one, middleware may set one of any
	// type.
	Schemes []access.Scheme
}

// Use is what a rule is for.
type Use int

// The uses.
const (
	Changes  Use = iota // of a record, which it may look at
	Reads               // it becomes conditions of a query, too
	NoRecord            // there is none to look at
)

// compilation is one rule being compiled.
// It gathers errors rather than returning the first one, so that New reports all of them at
// once.
type compilation struct {
	*Compiler

	record *model.Struct
	use    Use
	made   Rule
	errs   []error
}

// Compile compiles a rule for the records of a struct; nil for nil. Its error joins all errors of the rule.
func (c *Compiler) Compile(declared access.Rule, record *model.Struct, use Use) (*Rule, error) {
	if isNil(declared) {
		return nil, nil
	}
	at := &compilation{Compiler: c, record: record, use: use}
	at.made.Name, at.made.root = declared.Describe().Name, at.rule(declared, false)
	return &at.made, errors.Join(at.errs...)
}

func isNil(rule access.Rule) bool { return rule == nil }

func (c *compilation) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// rule compiles a rule, or its opposite: by De Morgan's laws negation turns all into any, and ends at the leaves.
// The tree has no node for "not", because a store has conditions for a negated
// comparison, but none for a negated group, and a record must be judged as stores do.
func (c *compilation) rule(declared access.Rule, negated bool) *node {
	n := &node{negated: negated, record: c.record}
	if isNil(declared) {
		c.fail("a part of the rule is nil")
		return n
	}
	n.Description = declared.Describe()
	switch n.Kind {
	case "not":
		return c.rule(n.Parts[0], !negated)
	case "any", "all":
		if len(n.Parts) == 0 {
			c.fail("%s has no parts", map[string]string{"any": "Any", "all": "All"}[n.Kind])
		}
		for _, part := range n.Parts {
			n.parts = append(n.parts, c.rule(part, negated))
		}
		if negated {
			n.Kind = map[string]string{"any": "all", "all": "any"}[n.Kind]
		}
		c.made.chooses = c.made.chooses || n.Kind == "any" && len(n.parts) > 1
		return n
	}
	c.made.leaves = append(c.made.leaves, n)
	c.leaf(n)
	return n
}

// leaf checks a rule without parts. It rejects what could fail later, for one caller or one record, as far as the
// declaration shows it: a rule that fails at a request allows nothing.
func (c *compilation) leaf(n *node) {
	// Such a rule would always depend on the record, which means no: no caller could ever call the operation.
	if c.use == NoRecord && (n.Kind == "where" || n.Kind == "equal" || n.Kind == "check" || n.Kind == "filter") {
		c.fail("the rule %q needs a record, but there is none; give the operation an Access of its own", n.Name)
	}
	if n.Principal != nil {
		c.checkPrincipal(n)
	}
	switch n.Kind {
	case "if":
		c.checkNamed(n, "If", n.Holds == nil)
	case "equal":
		c.checkNamed(n, "Equal", n.Of == nil)
		if c.member(n) && n.Value != n.path.Leaf().Type.Base() {
			c.fail("Equal(%q) has a function that gives %s; allowed: %s, the type of the member", n.Member, n.Value, n.path.Leaf().Type.Base())
		}
	case "where":
		c.where(n)
	case "scope":
		c.scope(n)
	case "check":
		c.checkNamed(n, "Check", n.Check == nil)
		if n.Record != c.record.Go {
			c.fail("Check(%q) is for %s; this resource's records are %s", n.Name, n.Record, c.record.Go)
		}
		// A function cannot be put into a query. Asked of each record of a page it would leave
		// holes in pages, and wrong totals.
		if c.use == Reads {
			c.fail("Check(%q) stands in a rule of what can be read, but it cannot be a condition of a collection; "+
				"allowed: all others, such as access.Filter", n.Name)
		}
	case "filter":
		c.checkNamed(n, "Filter", n.Conditions == nil)
		if n.negated {
			c.fail("Filter(%q) stands in a Not, but conditions have no opposite; write another Filter", n.Name)
		}
	}
}

// checkNamed requires a name, since logs and the document show it. Equal has that of its field.
func (c *compilation) checkNamed(n *node, function string, isNil bool) {
	if n.Name == "" && n.Kind != "equal" {
		c.fail("%s has no name", function)
	}
	if isNil {
		c.fail("%s(%q) is made of a nil function", function, n.Name)
	}
}

// checkPrincipal checks that a scheme could provide a principal that the rule asks.
// An interface on either side is enough for that: only a request shows which type comes.
func (c *compilation) checkPrincipal(n *node) {
	if len(c.Schemes) == 0 {
		return
	}
	var given []string
	for _, scheme := range c.Schemes {
		p := scheme.Principal
		if p == nil {
			return // an error of the scheme, which is reported elsewhere
		}
		if p == n.Principal || n.Principal.Kind() == reflect.Interface && p.Implements(n.Principal) ||
			p.Kind() == reflect.Interface && n.Principal.Implements(p) {
			return
		}
		given = append(given, p.String())
	}
	c.fail("the rule %q asks principals of the type %s, which no scheme gives; given: %s", n.Name, n.Principal,
		strings.Join(given, ", "))
}

// member finds the field that a rule is about, and reports whether it could. It must be one that stores sort
// by: a rule that a single record could be asked, but a query not, would let a collection show what a Get rejects.
func (c *compilation) member(n *node) bool {
	path, ok := c.record.Path(n.Member)
	if !ok {
		var names []string
		for _, path := range c.record.Paths() {
			names = append(names, path.Name)
		}
		c.fail("the rule %q is about the member %q, which %s does not have; allowed: %s%s", n.Name, n.Member, c.record.Go,
			strings.Join(names, ", "), naming.DidYouMean(n.Member, names))
		return false
	}
	n.path, n.fields = path, []string{n.Member}
	if !path.Leaf().Type.Ordered() {
		c.fail("the rule %q is about the member %q of the type %s; allowed: booleans, numbers, strings, times and types that marshal themselves as text",
			n.Name, n.Member, path.Leaf().Type.Go)
		return false
	}
	return true
}

// where compiles a rule whose values are known now. All requests share its condition, which nobody may change.
func (c *compilation) where(n *node) {
	if len(n.Values) == 0 {
		c.fail("Where(%q) has no values", n.Member)
	}
	if !c.member(n) {
		return
	}
	for _, value := range n.Values {
		if t := reflect.TypeOf(value); t != n.path.Leaf().Type.Base() {
			c.fail("Where(%q) has a value of the type %T; allowed: %s, the type of the member", n.Member, value, n.path.Leaf().Type.Base())
			continue
		}
		n.values = append(n.values, reflect.ValueOf(value))
	}
	asked := slices.Clone(n.Values)
	for i, value := range n.values {
		asked[i] = n.path.Leaf().Type.KeyIn(value)
	}
	n.conditions = []store.Condition{n.condition(asked)}
}

// scope checks a scope (RFC 6749, section 3.3).
func (c *compilation) scope(n *node) {
	odd := func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }
	if n.Scope == "" || strings.ContainsFunc(n.Scope, odd) {
		c.fail("Scope is %q; allowed: visible characters of ASCII but for quotation marks and backslashes", n.Scope)
	}
	if len(c.Schemes) == 0 {
		c.fail("Scope(%q) holds for nobody: only a scheme in Config.Authentication grants scopes", n.Scope)
	}
}
