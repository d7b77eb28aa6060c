package describe

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// memberSample is a member of a struct's schema, for examples.
type memberSample struct {
	field    *model.Field
	required bool
	compared bool    // by a rule, with another member
	sample   sampler // nil for a member that examples leave out
}

// fill makes the schema of a struct. resource is nil where the struct is none.
// Schemas of requests are closed, as the service refuses members that it does not know. Those of
// answers are open: a member more in a later version must not break clients.
func (s *Schemas) fill(d *Definition, of *model.Struct, resource *compiled.Resource) {
	object := &schema.Schema{Type: []string{schema.Object}}
	d.Schema = object
	if d.role.isRequest() {
		object.AdditionalProperties = schema.Nothing()
	}
	for i := range d.role.view.Members {
		seen := &d.role.view.Members[i]
		f, m := seen.Field, memberSample{field: seen.Field, required: d.requires(seen)}
		object.Properties = append(object.Properties, schema.Property{Name: f.Name, Schema: s.property(d, seen, &m)})
		if m.required {
			object.Required = append(object.Required, f.Name)
		}
		d.members = append(d.members, m)
	}
	object.Description = describeObject(d, resource)
	if d.role.isRequest() && (s.hasUnsaid(of) || d.role.replaces() && d.role.keepsByRule(resource)) {
		object.Format = FormatConditions
	}
}

// property makes the schema of a member, and completes what examples say of it.
func (s *Schemas) property(d *Definition, seen *model.Member, m *memberSample) *schema.Schema {
	f := m.field
	// It is in the schema, so that a record that was read can be sent back as it is, but says
	// nothing of its values: the service passes over them.
	if d.role.isRequest() && !seen.Writable {
		return &schema.Schema{ReadOnly: true}
	}
	v := s.member(f, s.stated(d, f), position{role: d.role.member(seen), owner: d.role.view.Struct, name: f.Name, fallback: d.base + ComponentName(f.GoPath)})
	s.annotate(d, seen, v)
	m.compared = v.beside != nil
	if !d.isForSome(m) && (!f.CreateOnly || !d.role.isRequest() || !d.role.view.Named) {
		m.sample = sampleOf(f, v, d)
	}
	return v.finished()
}

// annotate adds what is said of a member beside its values.
// What keywords cannot say stands in sentences behind the author's own text, so that this comes
// first.
func (s *Schemas) annotate(d *Definition, seen *model.Member, v *value) {
	f := seen.Field
	v.schema.ReadOnly, v.schema.WriteOnly = !seen.Writable, !seen.Readable
	if f.Example != nil && fitsAlone(f.Type, d.role) {
		v.schema.Examples = []jsontext.Value{f.Example}
	}
	if d.role.isRequest() {
		if f.Unique {
			v.says = append(v.says, "Must be unique.")
		}
		switch {
		case !f.Identifier || !seen.Writable || !d.role.view.Named:
		case seen.Required && d.role.patches:
			v.unsaid("identifier", "Must be that of a stored record.")
		default:
			v.unsaid("path-identifier", "Must be the one in the path.")
		}
		if f.CreateOnly && d.role.view.Named {
			v.unsaid("created", "Cannot be changed once it is created.")
		}
	}
	// A patch leaves out what it does not change: no default is filled in there.
	if f.Default != nil && d.role.isRequest() && !d.role.patches {
		v.schema.Default = f.Default
	}
	if may := d.describeMember(seen); may != "" {
		v.says = append(v.says, may)
	}
	v.schema.Description = naming.Sentences(append([]string{f.Doc}, v.says...)...)
}

// fitsAlone reports whether the example of a member, which has the form of a request,
// also has the form of the role.
func fitsAlone(t *model.Type, r role) bool {
	for ; t != nil; t = t.Elem {
		if t.Kind == model.Object && (!r.isRequest() || r.patches) {
			return false
		}
	}
	return true
}

// checked reports whether the rules are run over the objects of a definition.
// Answers of handlers are not judged by rules, so that their schemas must not promise them.
func (s *Schemas) checked(d *Definition) bool {
	return d.role.isRequest() || !s.unchecked[d.goType]
}

// describeObject returns the text of a struct's schema.
// The views of one struct are alike at first sight, so each says what it is for. The resource's own
// description is left to the schema without a suffix: once in a document is enough.
func describeObject(d *Definition, r *compiled.Resource) string {
	if r == nil {
		return ""
	}
	one := naming.Phrase(r.ShortName)
	if d.role.title() != "" {
		return fmt.Sprintf("What is shown of a stored %s.", one)
	}
	suffix, _, below := strings.Cut(d.role.suffix(), "Below")
	if below {
		one += " below a record that the path names"
	}
	switch suffix {
	case "Sparse":
		return fmt.Sprintf("The members of a stored %s that a client asks for.", one)
	case "Create":
		return fmt.Sprintf("What a client gives for a new %s.", one)
	case "Update":
		return fmt.Sprintf("What a client gives in place of a stored %s.", one)
	case "Put":
		return fmt.Sprintf("What a client gives as the %s that the path names.", one)
	case "PatchByID":
		return fmt.Sprintf("Changes to the stored %s that the identifier names: other members left out are kept.", one)
	case "Patch":
		return fmt.Sprintf("Changes to a stored %s: members left out are kept.", one)
	}
	return r.Description
}
