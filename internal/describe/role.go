package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// role is how a value is used: in requests or responses, and through which view. A struct has a schema for each of its
// views, because they differ in their fields. The zero value is a value without a struct in a response.
type role struct {
	request bool        // sent by a client
	patches bool        // merged into the stored value (RFC 7396)
	view    *model.View // of the struct that the value is or holds; nil for none
}

// roleOf returns the role of the values of a view, nil for those of a response without a struct.
func roleOf(v *model.View) role {
	if v == nil {
		return role{}
	}
	return role{request: v.Request, patches: v.Merges, view: v}
}

// suffix returns what follows the name of the type in the name of its schema.
func (r role) suffix() string {
	if r.view == nil {
		return ""
	}
	return r.view.Name
}

// title returns the name that replaces that of the type, "" for none.
func (r role) title() string {
	if r.view == nil {
		return ""
	}
	return r.view.Title
}

// requires reports whether objects in the role always have the field.
func (r role) requires(f *model.Field) bool {
	m := r.view.Field(f)
	return m != nil && m.Required
}

// field returns the role of a field's value, in an object in this role.
func (r role) field(m *model.ViewField) role { return role{r.request, r.patches, m.Inner} }

// replaces reports whether objects in the role replace a record.
func (r role) replaces() bool {
	return r.request && r.view != nil && r.view.Named && !r.view.Removes
}

// described returns the role whose schema this role uses. A body that replaces a struct is often equal to one that
// creates it, and two names for one schema would be two types to clients.
func (r role) described() role {
	if v := r.view; !v.Removes && v.New != nil && isAlike(v, v.New, map[*model.View]bool{}) {
		return roleOf(v.New)
	}
	return r
}

// isAlike reports whether a body that replaces a struct has the schema of one that creates it. They differ if fields
// that are never shown keep their values, and if the identifier must equal the one in the path. Views of one struct list
// the same fields in the same order.
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

// requiresFields reports whether a new struct requires some of its fields.
func requiresFields(of *model.View, seen map[*model.View]bool) bool {
	if seen[of] {
		return false
	}
	seen[of] = true
	return slices.ContainsFunc(of.Fields, func(m model.ViewField) bool {
		t := m.Field.Type
		return m.Required || t.Kind == model.Object && !t.Nullable && requiresFields(m.Inner, seen)
	})
}

// rule returns a rule in words: who it allows. It reveals no more than names, because conditions may be confidential, and
// no hidden field of the record: see [access.Named]. It names fields that rules hide from some callers,
// because the document has them anyway.
func (t Texts) rule(rule access.Rule, record *model.Struct) string {
	return t.part(rule, record, false)
}

// part returns a rule in words, in parentheses if it is joined within another rule.
func (t Texts) part(rule access.Rule, record *model.Struct, within bool) string {
	d := rule.Describe()
	if d.Named {
		return d.Name
	}
	if path, ok := record.Path(d.Field); ok && slices.ContainsFunc(path.Fields, func(f *model.Field) bool { return f.Hidden }) {
		return t.Text("access.hidden")
	}
	switch d.Kind {
	case "public", "authenticated":
		return t.Text("access." + d.Kind)
	case "scope":
		return t.Text("access.scope", "scope", d.Scope)
	case "where":
		return t.where(d)
	case "not":
		return t.Text("access.not", "rule", t.part(d.Parts[0], record, true))
	case "any", "all":
		return t.joined(d, record, within)
	}
	return d.Name
}

// where returns a rule about the values of a field in words: "isPublished", "status is draft or sent".
func (t Texts) where(d access.Description) string {
	if len(d.Values) == 1 && d.Values[0] == any(true) {
		return d.Field
	}
	values := make([]string, len(d.Values))
	for i, value := range d.Values {
		values[i] = fmt.Sprint(value)
	}
	return t.Text("access.is", "field", d.Field, "values", t.list(values, "or"))
}

// joined returns the words of a rule that has parts. It leaves out parts that do not restrict anything.
func (t Texts) joined(d access.Description, record *model.Struct, within bool) string {
	word, parts := "words.or", d.Parts
	if d.Kind == "all" {
		word = "words.and"
		parts = slices.DeleteFunc(slices.Clone(parts), func(part access.Rule) bool { return len(parts) > 1 && part.Describe().Kind == "public" })
	}
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = t.part(part, record, len(parts) > 1)
	}
	text := strings.Join(slices.Compact(names), t.Text(word))
	if within && len(names) > 1 {
		return "(" + text + ")"
	}
	return text
}

// fieldRules returns the rules of a field. A struct that is not a resource has none.
func (d *Definition) fieldRules(f *model.Field) access.Member {
	r, _ := d.subject.(*compiled.Resource)
	if r == nil {
		return access.Member{}
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
func (t Texts) describeRules(d *Definition, m *model.ViewField) (sentences []string) {
	rules := d.fieldRules(m.Field)
	key, rule := "field.read", rules.Read
	if d.role.request {
		key, rule = "field.write", rules.Write
	}
	if !compiled.IsOpen(rule) {
		sentences = append(sentences, t.Text(key, "rule", t.rule(rule, d.subject.(*compiled.Resource).Struct)))
	}
	if d.role.request && m.Required && !d.requires(m) {
		sentences = append(sentences, t.Text("field.kept"))
	}
	return sentences
}

// isForSome reports whether examples of bodies omit a field, because with it most callers would get a 403.
func (d *Definition) isForSome(m *fieldSample) bool {
	return d.role.request && !m.required && !compiled.IsOpen(d.fieldRules(m.field).Write)
}

// Formats of rules that keywords cannot express. Tools do not know them, and rely on the type alone.
const (
	// FormatConditions marks objects with rules about several fields.
	FormatConditions = "conditions"
	// FormatMerged marks parts of a merge patch whose rules apply to the result.
	FormatMerged = "merged"
)

// stated returns the rules that the schema of a field states. A response states only those that its value always
// follows: an omitted field is shown with its zero value, and the store generates identifiers. Responses of handlers are
// not validated.
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

// Conditional returns the JSON names of the fields of a struct that rules about several fields have or name, and whether
// the user has a rule about the struct as a whole. Schemas cannot express these rules.
func Conditional(api *compiled.API, of *model.Struct) (fields []string, isWhole bool) {
	isWhole = slices.ContainsFunc(api.Rules, func(rule validation.Rule) bool { return check.StructOf(rule) == of.Go })
	for _, f := range of.Fields {
		for _, c := range f.Rules.All {
			if !namesFields(c.Name) {
				continue
			}
			fields = append(fields, f.Name)
			for _, other := range of.Fields {
				if slices.Contains(strings.Fields(c.Param), other.GoPath) {
					fields = append(fields, other.Name)
				}
			}
		}
	}
	return fields, isWhole
}

// hasHiddenRules reports whether a struct has rules that its schema cannot express, so that bodies that follow the
// schema can be rejected.
func (s *Schemas) hasHiddenRules(of *model.Struct) bool {
	fields, isWhole := Conditional(s.api, of)
	return isWhole || len(fields) > 0
}

// namesFields reports whether a rule of validator names other fields, such as eqfield and required_if.
func namesFields(rule string) bool {
	return strings.HasPrefix(rule, "required_") || strings.HasPrefix(rule, "excluded_") || strings.Contains(rule, "field")
}

// dependsOnFields reports whether other fields decide if a value is valid. Rules that require a value do not count,
// because examples have one.
func dependsOnFields(c model.Constraint) bool {
	return slices.ContainsFunc(c.Or, dependsOnFields) || namesFields(c.Name) && !strings.HasPrefix(c.Name, "required_")
}
