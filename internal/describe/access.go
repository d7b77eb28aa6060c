package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// ruleInWords says who a rule allows, in parentheses if it is joined within another rule. It reveals no more than names,
// because conditions may be confidential, and no hidden field of the record: see [access.Named]. It names fields that
// rules hide from some callers, because the document has them anyway.
func ruleInWords(rule access.Rule, record *model.Struct, within bool) string {
	d := rule.Describe()
	if d.Named {
		return d.Name
	}
	switch d.Kind {
	case "not":
		return "not " + ruleInWords(d.Parts[0], record, true)
	case "any", "all":
		return partsInWords(d, record, within)
	}
	if compiled.NamesHidden(d, record) {
		return "a condition on the record"
	}
	switch d.Kind {
	case "public":
		return "everyone"
	case "authenticated":
		return "any authenticated caller"
	case "scope":
		return "scope " + d.Scope
	case "where":
		if len(d.Values) == 1 && d.Values[0] == any(true) {
			return d.Field
		}
		values := make([]string, len(d.Values))
		for i, value := range d.Values {
			values[i] = fmt.Sprint(value)
		}
		return d.Field + " is " + list(values, "or")
	}
	return d.Name
}

// partsInWords returns the words of a rule that has parts. It leaves out parts that do not restrict anything.
func partsInWords(d access.Description, record *model.Struct, within bool) string {
	word, parts := " or ", d.Parts
	if d.Kind == "all" {
		word = " and "
		parts = slices.DeleteFunc(slices.Clone(parts), func(part access.Rule) bool { return len(parts) > 1 && part.Describe().Kind == "public" })
	}
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = ruleInWords(part, record, len(parts) > 1)
	}
	text := strings.Join(slices.Compact(names), word)
	if within && len(names) > 1 {
		return "(" + text + ")"
	}
	return text
}

// fieldRules returns the rules of a field. A struct that is not a resource has none.
func (d *Definition) fieldRules(f *model.Field) access.Field {
	r, _ := d.subject.(*compiled.Resource)
	if r == nil {
		return access.Field{}
	}
	return r.Members[f.Name]
}

// requires reports whether all objects of the definition have the field, regardless of the caller. In a replacement,
// fields that the caller cannot set or has not seen keep their values.
func (d *Definition) requires(m *model.ViewField) bool {
	rules := d.fieldRules(m.Field)
	switch {
	case !d.role.request:
		return m.Required && compiled.IsOpen(rules.Read)
	case d.role.replaces():
		return m.Required && compiled.IsOpen(rules.Read) && compiled.IsOpen(rules.Write)
	}
	return m.Required
}

// keepsByRule reports whether bodies in the role replace a record of a resource, and can omit required fields because
// of rules.
func (r role) keepsByRule(of *compiled.Resource) bool {
	return of != nil && r.replaces() && slices.ContainsFunc(r.view.Fields, func(m model.ViewField) bool {
		rules := of.Members[m.Field.Name]
		return m.Required && (!compiled.IsOpen(rules.Read) || !compiled.IsOpen(rules.Write))
	})
}

// describeRules returns the read rule of a field in a response, or its write rule in a request; nothing if it has none.
func describeRules(d *Definition, m *model.ViewField) (sentences []string) {
	rules := d.fieldRules(m.Field)
	who, rule := "Read access: ", rules.Read
	if d.role.request {
		who, rule = "Write access: ", rules.Write
	}
	if !compiled.IsOpen(rule) {
		sentences = append(sentences, who+ruleInWords(rule, d.Resource().Struct, false))
	}
	if d.role.request && m.Required && !d.requires(m) {
		sentences = append(sentences, "Required from callers who can read and set it; otherwise it keeps its value.")
	}
	return sentences
}
