package authz

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// Compiler compiles rules of one API.
type Compiler struct {
	// Schemes provide the principals. Without a scheme, middleware may set principals of any type.
	Schemes []access.Scheme

	shared map[sharedNode]*node // rules about other records, so that a call asks once for a rule that is used twice
}

// sharedNode is a use of a rule about other records. The list of its parts identifies the rule.
type sharedNode struct {
	parts   *access.Rule
	record  *model.Struct
	name    string
	negated bool
}

// maxSteps is how many references a rule may go through, one after the other, because each is a query within a query.
const maxSteps = 3

// Use is the purpose of a rule.
type Use int

// The uses.
const (
	Changes  Use = iota // of a record, which the rule may depend on
	Reads               // of records, so that the rule also becomes conditions of a query
	NoRecord            // the rule must not depend on a record
)

// compilation compiles one rule. It collects errors, so that New reports all of them.
type compilation struct {
	*Compiler

	record *model.Struct
	use    Use
	place  string // without records; "" for an operation
	steps  int    // the references that lead to the record; 0 for the record of the operation
	made   Rule
	errs   []error
}

// Compile compiles a rule for the records of a struct; nil for nil. Its error joins all errors of the rule.
func (c *Compiler) Compile(declared access.Rule, record *model.Struct, use Use) (*Rule, error) {
	return (&compilation{Compiler: c, record: record, use: use}).compile(declared)
}

// WithoutRecord compiles a rule of a place without records, such as "the documentation".
func (c *Compiler) WithoutRecord(declared access.Rule, place string) (*Rule, error) {
	return (&compilation{Compiler: c, record: &model.Struct{}, use: NoRecord, place: place}).compile(declared)
}

func (c *compilation) compile(declared access.Rule) (*Rule, error) {
	if declared == nil {
		return nil, nil
	}
	c.made.Name, c.made.root = declared.Describe().Name, c.rule(declared, false)
	return &c.made, errors.Join(c.errs...)
}

func (c *compilation) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

// rule compiles a rule, or its opposite: by De Morgan's laws, it moves negation to the leaves. The tree has no node for
// "not", because stores support negated comparisons but not negated groups, and Holds must agree with them.
func (c *compilation) rule(declared access.Rule, negated bool) *node {
	if declared == nil {
		c.fail("a part of the rule is nil; give it a rule such as access.Public")
		return &node{negated: negated, record: c.record}
	}
	return c.described(declared.Describe(), negated)
}

// described compiles the description of a rule, or its opposite.
func (c *compilation) described(d access.Description, negated bool) *node {
	n := &node{Description: d, negated: negated, record: c.record}
	switch n.Kind {
	case "not":
		return c.rule(n.Parts[0], !negated)
	case "any", "all":
		if len(n.Parts) == 0 {
			c.fail("%s has no rules; add at least one", map[string]string{"any": "Any", "all": "All"}[n.Kind])
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
	switch isAbout := slices.Contains([]string{"where", "equal", "through", "related", "check", "filter"}, n.Kind); {
	case c.use == NoRecord && isAbout && c.place != "":
		c.fail("rule %q needs a record, which %s does not have", n.Name, c.place)
	case c.use == NoRecord && isAbout:
		c.fail("the rule %q needs a record, but the operation has none; set Access of the operation", n.Name)
	case c.aboutOthers(n):
		n = c.others(n)
	default:
		c.leaf(n)
	}
	c.made.leaves = append(c.made.leaves, n)
	c.made.leads = c.made.leads || n.inner != nil || n.Kind == "filter"
	return n
}

// leaf checks a rule without parts, so that it cannot fail for a single caller or record later.
func (c *compilation) leaf(n *node) {
	if n.Principal != nil {
		if err := c.CheckPrincipal(n.Principal); err != nil {
			c.fail("the rule %q is %w", n.Name, err)
		}
	}
	switch n.Kind {
	case "if":
		c.checkNamed(n, "If", n.Holds == nil)
	case "equal":
		c.checkNamed(n, "Equal", n.Of == nil)
		if t := c.findField(n); t != nil && n.Value != t.Base() {
			c.fail("Equal(%q) has a function that returns %s; allowed: %s, the type of the field", n.Field, n.Value, t.Base())
		}
	case "where":
		c.where(n)
	case "scope":
		c.scope(n)
	case "check":
		c.checkNamed(n, "Check", n.Check == nil)
		if c.steps > 0 {
			c.fail("Check(%q) is not allowed in Through and Related, because it cannot be a condition of a query", n.Name)
			return
		}
		if n.Record != c.record.Go {
			c.fail("Check(%q) is for records of type %s; this resource has records of type %s", n.Name, n.Record, c.record.Go)
		}
		// A function cannot be part of a query. Calling it for each record would leave gaps in pages and wrong totals.
		if c.use == Reads {
			c.fail("Check(%q) is not allowed in a read rule, because it cannot be a condition of a query; "+
				"use another rule, such as access.Filter", n.Name)
		}
	case "filter":
		c.checkNamed(n, "Filter", n.Conditions == nil)
		if c.steps > 0 {
			c.fail("Filter(%q) is not allowed in Through and Related; write a Filter whose conditions go through the reference", n.Name)
		}
		if n.negated {
			c.fail("Filter(%q) is not allowed in a Not; write a Filter with the opposite conditions", n.Name)
		}
	}
}

// checkNamed requires a name, because logs and documents show it, and a function. Equal is named by its field.
func (c *compilation) checkNamed(n *node, function string, isNil bool) {
	if n.Name == "" && n.Kind != "equal" {
		c.fail("%s has an empty name", function)
	}
	if isNil {
		c.fail("%s(%q) has a nil function", function, n.Name)
	}
}

// CheckPrincipal returns an error if no scheme can provide principals of a type. If either type is an interface, only a
// request shows the actual type.
func (c *Compiler) CheckPrincipal(want reflect.Type) error {
	if len(c.Schemes) == 0 {
		return nil
	}
	var given []string
	for _, scheme := range c.Schemes {
		p := scheme.Principal
		if p == nil {
			return nil // an error of the scheme, which is reported elsewhere
		}
		if p == want || want.Kind() == reflect.Interface && p.Implements(want) || p.Kind() == reflect.Interface && want.Implements(p) {
			return nil
		}
		if !slices.Contains(given, p.String()) {
			given = append(given, p.String())
		}
	}
	return fmt.Errorf("for principals of type %s, which no scheme returns; allowed: %s%s", want, strings.Join(given, ", "),
		naming.DidYouMean(want.String(), given))
}

// findField finds the field of a rule, and returns its type, nil if it is not valid. Stores must be able to compare the
// field: otherwise a collection could show records that a Get hides.
func (c *compilation) findField(n *node) *model.Type {
	path, ok := c.record.Path(n.Field)
	if !ok {
		names := c.record.PathNames()
		c.fail("the rule %q has the field %q, which %s does not have; allowed: %s%s", n.Name, n.Field, c.record.Go,
			strings.Join(names, ", "), naming.DidYouMean(n.Field, names))
		return nil
	}
	t := path.Leaf().Type
	if !t.Ordered() {
		c.fail("the rule %q has the field %q of type %s; allowed: booleans, numbers, strings, times and types that marshal as text",
			n.Name, n.Field, t.Go)
		return nil
	}
	n.field, _ = filter.FieldOf(c.record, n.Field) // the struct has it
	n.fields = []string{n.Field}
	return t
}

// where compiles a Where. All requests share its condition, so it must not be changed.
func (c *compilation) where(n *node) {
	if len(n.Values) == 0 {
		c.fail("Where(%q) has no values; add at least one", n.Field)
	}
	t := c.findField(n)
	if t == nil {
		return
	}
	path, _ := c.record.Path(n.Field)
	asked := make([]any, len(n.Values))
	for i, given := range n.Values {
		if reflect.TypeOf(given) != t.Base() {
			c.fail("Where(%q) has a value of type %T; allowed: %s, the type of the field", n.Field, given, t.Base())
			continue
		}
		if found := path.Leaf().Rules.Unlisted(given); found != "" {
			c.fail("Where(%q) has %s", n.Field, found)
		}
		asked[i] = n.field.Given(reflect.ValueOf(given))
		value, err := n.field.Value(asked[i])
		if err != nil {
			c.fail("Where(%q) has a value that cannot be compared: %w", n.Field, err)
		}
		n.values = append(n.values, value)
	}
	n.conditions = []store.Condition{n.condition(asked)}
}

// scope checks a scope (RFC 6749, section 3.3).
func (c *compilation) scope(n *node) {
	odd := func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }
	if n.Scope == "" || strings.ContainsFunc(n.Scope, odd) {
		c.fail("Scope is %q; allowed: visible ASCII characters except quotation marks and backslashes", n.Scope)
	}
	if len(c.Schemes) == 0 {
		c.fail("Scope(%q) never holds, because only schemes grant scopes; add a scheme to Config.Authentication", n.Scope)
	}
}
