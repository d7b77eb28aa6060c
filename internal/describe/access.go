package describe

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// Who says a rule in words: whom it lets pass.
// The rule's own name is all that is told of the others: what it asks of records and principals may
// be what nobody outside should read. Hidden fields of the record are not named: see [access.Named].
// Fields that a rule of Members hides from some callers are named: the document has them anyway.
func Who(rule access.Rule, record *model.Struct) string {
	switch rule {
	case access.Public:
		return "everybody"
	case access.Authenticated:
		return "everybody who is signed in"
	}
	return publicName(rule, record, false)
}

// publicName returns the name of a rule without the names of hidden fields. Within reports whether it is a part of
// another rule.
func publicName(rule access.Rule, record *model.Struct, within bool) string {
	d := rule.Describe()
	if d.Named {
		return d.Name
	}
	if path, ok := record.Path(d.Member); ok && slices.ContainsFunc(path.Fields, func(f *model.Field) bool { return f.Hidden }) {
		return "a condition on the record"
	}
	if len(d.Parts) == 0 {
		return d.Name
	}
	names := make([]string, len(d.Parts))
	for i, part := range d.Parts {
		names[i] = publicName(part, record, len(d.Parts) > 1 || d.Kind == "not")
	}
	word := map[string]string{"any": " or ", "all": " and "}[d.Kind]
	switch text := strings.Join(slices.Compact(names), word); {
	case d.Kind == "not":
		return "not " + text
	case within && len(names) > 1:
		return "(" + text + ")"
	default:
		return text
	}
}

// memberRules returns the rules of a member, none for a struct that is no resource.
// Rules are declared with a resource. The same struct within another one has none, as requests hold
// it.
func (d *Definition) memberRules(f *model.Field) access.Member {
	r, _ := d.subject.(*compiled.Resource)
	if r == nil {
		return access.Member{}
	}
	return r.Members[f.Name]
}

// requires reports whether all objects of the definition have the member, whoever sends or is
// sent them. What a replacing body may not have, or its sender cannot have seen, is kept.
// A schema has one list of required members for everybody. So it leaves out what some callers must
// not send or do not see: a client made from it would else break for them.
func (d *Definition) requires(m *model.Member) bool {
	rules := d.memberRules(m.Field)
	switch {
	case !d.role.isRequest():
		return m.Required && compiled.IsOpen(rules.Read)
	case d.role.replaces():
		return m.Required && compiled.IsOpen(rules.Read) && compiled.IsOpen(rules.Write)
	}
	return m.Required
}

// replaces reports whether objects in the role take the place of a record.
func (r role) replaces() bool {
	return r.request && r.view != nil && r.view.Named && r.view.Patch == model.WholePatch
}

// keepsByRule reports whether bodies in the role replace a record of a resource, and may lack
// what they must have else, since not everybody may write or see it.
// Such a schema cannot say by keywords what it requires of whom, and its format says so:
// [FormatConditions].
func (r role) keepsByRule(of *compiled.Resource) bool {
	if of == nil || !r.replaces() {
		return false
	}
	return slices.ContainsFunc(r.view.Members, func(m model.Member) bool {
		rules := of.Members[m.Field.Name]
		return m.Required && (!compiled.IsOpen(rules.Read) || !compiled.IsOpen(rules.Write))
	})
}

// describeMember says who sees a member, or who sets it; "" for all who see the record, or may
// change it.
func (d *Definition) describeMember(m *model.Member) string {
	rules := d.memberRules(m.Field)
	if !d.role.isRequest() {
		if compiled.IsOpen(rules.Read) {
			return ""
		}
		return "Who sees it: " + Who(rules.Read, d.subject.(*compiled.Resource).Struct) + "."
	}
	var says []string
	if !compiled.IsOpen(rules.Write) {
		says = append(says, "Who may set it: "+Who(rules.Write, d.subject.(*compiled.Resource).Struct)+".")
	}
	if m.Required && !d.requires(m) {
		says = append(says, "Whoever may see it and set it must give it, for all others it is kept.")
	}
	return strings.Join(says, " ")
}

// isForSome reports whether examples of bodies leave a member out, so that not only those may send
// them who may set it.
// An example is there to be sent as it is by whoever reads it: with such a member it would be
// answered by 403 for most.
func (d *Definition) isForSome(m *memberSample) bool {
	return d.role.isRequest() && !m.required && !compiled.IsOpen(d.memberRules(m.field).Write)
}
