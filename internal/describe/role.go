package describe

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// role is what a value is in a message, and by which view it is read or written. A struct
// has a schema for each of its views, since they differ in what must and what may be there.
// The zero value is of a value without a struct that the service sends.
type role struct {
	request bool        // sent by a client
	patches bool        // merged into what is there (RFC 7396)
	view    *model.View // of the struct that the value is or holds; nil for none
}

// roleOf is the role of the values of a view, nil for those of an answer without a struct.
func roleOf(v *model.View) role {
	if v == nil {
		return role{}
	}
	return role{request: v.Request, patches: v.Merges, view: v}
}

// suffix follows the name of the type in the name of its schema.
func (r role) suffix() string {
	if r.view == nil {
		return ""
	}
	return r.view.Name
}

// title is what stands for the name of the type, "" where nothing does.
func (r role) title() string {
	if r.view == nil {
		return ""
	}
	return r.view.Title
}

// requires reports whether objects in the role always have the member.
func (r role) requires(f *model.Field) bool {
	m := r.view.Field(f)
	return m != nil && m.Required
}

// member is the role of the value of a member, in an object in this role.
func (r role) member(m *model.ViewField) role { return role{r.request, r.patches, m.Inner} }

// replaces reports whether objects in the role take the place of a record.
func (r role) replaces() bool {
	return r.request && r.view != nil && r.view.Named && !r.view.Removes
}

// described is the role whose schema serves for this one too: a body that replaces a struct
// is often like one that creates it, and two schemas of two names would be two types to clients.
func (r role) described() role {
	if v := r.view; !v.Removes && v.New != nil && isAlike(v, v.New, map[*model.View]bool{}) {
		return roleOf(v.New)
	}
	return r
}

// isAlike reports whether a body that replaces a struct is like one that creates it. They
// differ where members that are never shown keep their value, and where the identifier must
// be the one of the path. Views of one struct list the same members in the same order.
func isAlike(replaced, created *model.View, seen map[*model.View]bool) bool {
	if replaced == created || seen[replaced] {
		return true
	}
	seen[replaced] = true
	for i := range replaced.Fields {
		m, made := &replaced.Fields[i], &created.Fields[i]
		if m.Required != made.Required || m.Field.Identifier && m.Writable || m.Field.CreateOnly || m.Writable && !isAlike(m.Inner, made.Inner, seen) {
			return false
		}
	}
	return true
}

// needsMembers reports whether a new struct must be given some of its members.
func needsMembers(of *model.View, seen map[*model.View]bool) bool {
	if seen[of] {
		return false
	}
	seen[of] = true
	return slices.ContainsFunc(of.Fields, func(m model.ViewField) bool {
		t := m.Field.Type
		return m.Required || t.Kind == model.Object && !t.Nullable && needsMembers(m.Inner, seen)
	})
}

// who says a rule in words: whom it lets pass. The rule's own name is all that is told of the others: what it asks of
// records and principals may be what nobody outside should read. Hidden fields of the record are not named: see
// [access.Named]. Fields that a rule of Members hides from some callers are named: the document has them anyway.
func who(rule access.Rule, record *model.Struct) string {
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
	if path, ok := record.Path(d.Field); ok && slices.ContainsFunc(path.Fields, func(f *model.Field) bool { return f.Hidden }) {
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

// memberRules returns the rules of a member, none for a struct that is no resource: rules are declared with a resource.
func (d *Definition) memberRules(f *model.Field) access.Member {
	r, _ := d.subject.(*compiled.Resource)
	if r == nil {
		return access.Member{}
	}
	return r.Members[f.Name]
}

// requires reports whether all objects of the definition have the member, whoever sends or is
// sent them. What a replacing body may not have, or its sender cannot have seen, is kept.
func (d *Definition) requires(m *model.ViewField) bool {
	rules := d.memberRules(m.Field)
	switch {
	case !d.role.request:
		return m.Required && compiled.IsOpen(rules.Read)
	case d.role.replaces():
		return m.Required && compiled.IsOpen(rules.Read) && compiled.IsOpen(rules.Write)
	}
	return m.Required
}

// keepsByRule reports whether bodies in the role replace a record of a resource, and may lack
// what they must have else, since not everybody may write or see it.
func (r role) keepsByRule(of *compiled.Resource) bool {
	return of != nil && r.replaces() && slices.ContainsFunc(r.view.Fields, func(m model.ViewField) bool {
		rules := of.Members[m.Field.Name]
		return m.Required && (!compiled.IsOpen(rules.Read) || !compiled.IsOpen(rules.Write))
	})
}

// describeMember says who sees a member, or who sets it; "" for all who see the record, or may change it.
func (d *Definition) describeMember(m *model.ViewField) string {
	rules := d.memberRules(m.Field)
	if !d.role.request {
		if compiled.IsOpen(rules.Read) {
			return ""
		}
		return "Who sees it: " + who(rules.Read, d.subject.(*compiled.Resource).Struct) + "."
	}
	var says []string
	if !compiled.IsOpen(rules.Write) {
		says = append(says, "Who may set it: "+who(rules.Write, d.subject.(*compiled.Resource).Struct)+".")
	}
	if m.Required && !d.requires(m) {
		says = append(says, "Whoever may see it and set it must give it, for all others it is kept.")
	}
	return strings.Join(says, " ")
}

// isForSome reports whether examples of bodies leave a member out: they are sent as they are, and with such a member
// most callers would get a 403.
func (d *Definition) isForSome(m *memberSample) bool {
	return d.role.request && !m.required && !compiled.IsOpen(d.memberRules(m.field).Write)
}

// Formats for what keywords cannot say. A format is a name that tools do not know: they
// take the value for what its type is and promise no more.
const (
	// FormatConditions is of objects with rules over several members.
	FormatConditions = "conditions"
	// FormatMerged is of parts of a merge patch whose rules hold for the result.
	FormatMerged = "merged"
)

// stated returns the rules that the schema of a member states. An answer states those
// alone that its value always follows: a member that may be left out is shown with its
// zero value then, and an identifier is made by the store. Answers of handlers are not judged by rules.
func (s *Schemas) stated(d *Definition, f *model.Field) model.Rules {
	rules := f.Rules
	switch {
	case rules.Skip, !d.role.request && s.unchecked[d.goType]:
		return model.Rules{}
	case d.role.request:
	case f.Generated, rules.OmitEmpty && !f.Type.Nullable:
		rules.All = nil
	}
	return rules
}

// hasOwnRule reports whether the user has a rule over a struct as a whole: a function, of which nobody can tell what it
// asks.
func (s *Schemas) hasOwnRule(of *model.Struct) bool {
	return slices.ContainsFunc(s.api.Rules, func(rule validation.Rule) bool { return check.StructOf(rule) == of.Go })
}

// hasUnsaid reports whether a struct has rules over several of its members, or one over
// it as a whole: some bodies that follow the schema will be rejected.
func (s *Schemas) hasUnsaid(of *model.Struct) bool {
	return s.hasOwnRule(of) || slices.ContainsFunc(of.Fields, func(f *model.Field) bool {
		return slices.ContainsFunc(f.Rules.All, func(c model.Constraint) bool { return namesMembers(c.Name) })
	})
}

// namesMembers reports whether a rule of validator's is about other members too, such as eqfield and required_if.
func namesMembers(rule string) bool {
	return strings.HasPrefix(rule, "required_") || strings.HasPrefix(rule, "excluded_") || strings.Contains(rule, "field")
}

// dependsOnMembers reports whether a value may be rejected for what other members are. Rules
// that miss a value are not among them: examples have one.
func dependsOnMembers(c model.Constraint) bool {
	return slices.ContainsFunc(c.Or, dependsOnMembers) || namesMembers(c.Name) && !strings.HasPrefix(c.Name, "required_")
}
