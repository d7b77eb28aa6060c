package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/view"
)

// member is a member of a struct's schema, for examples.
type member struct {
	field    *model.Field
	required bool
	compared bool    // by a rule, with another member
	sample   sampler // nil for a member that examples leave out
}

// fill makes the schema of a struct. resource is nil where the struct is none.
func (s *schemas) fill(d *definition, of *model.Struct, resource *compiled.Resource) {
	object := &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeObject}, Properties: openapi3.Schemas{}}
	d.schema = object
	if d.role.isRequest() {
		object.AdditionalProperties.Has = new(false)
	}
	for i := range d.role.view.Members {
		seen := &d.role.view.Members[i]
		f, m := seen.Field, member{field: seen.Field, required: seen.Required}
		object.Properties[f.Name] = s.property(d, seen, &m)
		if m.required {
			object.Required = append(object.Required, f.Name)
		}
		d.members = append(d.members, m)
		d.properties = append(d.properties, f.Name)
	}
	object.Description = describeObject(d, resource)
	if d.role.isRequest() && s.hasUnsaid(of) {
		object.Format = formatConditions
	}
}

// property makes the schema of a member, and completes what examples say of it.
func (s *schemas) property(d *definition, seen *view.Member, m *member) *openapi3.SchemaRef {
	f := m.field
	if d.role.isRequest() && !seen.Writable {
		return openapi3.NewSchemaRef("", &openapi3.Schema{ReadOnly: true})
	}
	v := s.value(f.Type, s.stated(d, f), spot{role: d.role.member(seen), owner: d.role.view.Struct, name: f.Name, fallback: d.base + cleanName(f.GoPath)})
	s.annotate(d, seen, v)
	m.compared = v.beside != nil
	m.sample = sampleOf(f, v, d)
	return v.schemaRef()
}

// annotate adds what is said of a member beside its values.
func (s *schemas) annotate(d *definition, seen *view.Member, v *value) {
	f := seen.Field
	v.schema.ReadOnly, v.schema.WriteOnly = !seen.Writable, !seen.Readable
	if f.Example != nil && fitsAlone(f.Type, d.role) {
		v.schema.Examples = []any{literal(f.Example)}
	}
	if d.role.isRequest() {
		if f.Unique {
			v.says = append(v.says, "Must be unique.")
		}
		if f.Identifier && seen.Writable && d.role.view.Named {
			v.unsaid("path-identifier", "Must be the one in the path.")
		}
	}
	if f.Default != nil && d.role.isRequest() && !d.role.patches {
		v.schema.Default = literal(f.Default)
	}
	v.schema.Description = sentences(append([]string{f.Doc}, v.says...)...)
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
func (s *schemas) checked(d *definition) bool {
	return d.role.isRequest() || !s.unchecked[d.goType]
}
