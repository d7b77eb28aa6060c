package describe

import (
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// Who says a rule in words: whom it lets pass.
func Who(rule access.Rule) string {
	switch rule {
	case access.Public:
		return "everybody"
	case access.Authenticated:
		return "everybody who is signed in"
	}
	return rule.Describe().Name
}

// IsOpen reports whether a rule keeps nobody out.
func IsOpen(rule access.Rule) bool { return rule == nil || rule == access.Public }

// memberRules returns the rules of a member, none for a struct that is no resource.
func (d *Definition) memberRules(f *model.Field) access.Member {
	r, _ := d.subject.(*compiled.Resource)
	if r == nil {
		return access.Member{}
	}
	return r.Members[f.Name]
}

// requires reports whether all objects of the definition have the member, whoever sends or is
// sent them. What a replacing body may not have, or its sender cannot have seen, is kept.
func (d *Definition) requires(f *model.Field) bool {
	rules := d.memberRules(f)
	switch {
	case d.role == answered:
		return d.role.requires(f) && IsOpen(rules.Read)
	case d.replaces():
		return d.role.requires(f) && IsOpen(rules.Read) && IsOpen(rules.Write)
	}
	return d.role.requires(f)
}

// replaces reports whether objects of the definition take the place of a record.
func (d *Definition) replaces() bool { return d.role == replaced || d.role == placed }

// keepsByRule reports whether bodies that replace a record of a resource may lack what those that
// create one must have, since not everybody may write or see it.
func keepsByRule(r *compiled.Resource) bool {
	if r == nil {
		return false
	}
	for _, f := range r.Struct.Fields {
		if rules := r.Members[f.Name]; f.Required && !(IsOpen(rules.Read) && IsOpen(rules.Write)) {
			return true
		}
	}
	return false
}

// describeMember says who sees a member, or who sets it; "" for all who see the record, or may change it.
func (d *Definition) describeMember(f *model.Field) string {
	rules := d.memberRules(f)
	if !d.role.isRequest() {
		if IsOpen(rules.Read) {
			return ""
		}
		return "Who sees it: " + Who(rules.Read) + "."
	}
	var says []string
	if !IsOpen(rules.Write) {
		says = append(says, "Who may set it: "+Who(rules.Write)+".")
	}
	if d.replaces() && d.role.requires(f) && !d.requires(f) {
		says = append(says, "Whoever may see it and set it must give it, for all others it is kept.")
	}
	return strings.Join(says, " ")
}

// isForSome reports whether examples of bodies leave a member out, so that not only those may send
// them who may set it.
func (d *Definition) isForSome(m *member) bool {
	return d.role.isRequest() && !m.required && !IsOpen(d.memberRules(m.field).Write)
}
