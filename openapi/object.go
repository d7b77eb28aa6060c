package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
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
	for _, f := range of.Fields {
		if !d.role.has(f) {
			continue
		}
		m := member{field: f, required: d.requires(f)}
		object.Properties[f.Name] = s.property(d, of, &m)
		if m.required {
			object.Required = append(object.Required, f.Name)
		}
		d.members = append(d.members, m)
		d.properties = append(d.properties, f.Name)
	}
	object.Description = describeObject(d, resource)
	if d.role.isRequest() && (s.hasUnsaid(of) || d.replaces() && keepsByRule(resource)) {
		object.Format = formatConditions
	}
}

// property makes the schema of a member, and completes what examples say of it.
func (s *schemas) property(d *definition, of *model.Struct, m *member) *openapi3.SchemaRef {
	f := m.field
	if d.role.isRequest() && f.ReadOnly {
		return openapi3.NewSchemaRef("", &openapi3.Schema{ReadOnly: true})
	}
	v := s.value(f.Type, s.stated(d, f), spot{role: d.role.member(f.Type), owner: of, name: f.Name, fallback: d.base + cleanName(f.GoPath)})
	s.annotate(d, f, v)
	m.compared = v.beside != nil
	if !d.isForSome(m) {
		m.sample = sampleOf(f, v, d)
	}
	return v.schemaRef()
}

// annotate adds what is said of a member beside its values.
func (s *schemas) annotate(d *definition, f *model.Field, v *value) {
	v.schema.ReadOnly, v.schema.WriteOnly = f.ReadOnly, f.WriteOnly
	if f.Example != nil && fitsAlone(f.Type, d.role) {
		v.schema.Examples = []any{literal(f.Example)}
	}
	if d.role.isRequest() {
		if f.Unique {
			v.says = append(v.says, "Must be unique.")
		}
		if f.Identifier && f.Writable() && d.role != created {
			v.unsaid("path-identifier", "Must be the one in the path.")
		}
	}
	if f.Default != nil && (d.role == created || d.role == replaced || d.role == placed) {
		v.schema.Default = literal(f.Default)
	}
	if may := d.describeMember(f); may != "" {
		v.says = append(v.says, may)
	}
	v.schema.Description = sentences(append([]string{f.Doc}, v.says...)...)
}

// fitsAlone reports whether the example of a member, which has the form of a request,
// also has the form of the role.
func fitsAlone(t *model.Type, r role) bool {
	for ; t != nil; t = t.Elem {
		if t.Kind == model.Object && r != created && r != replaced && r != placed {
			return false
		}
	}
	return true
}

// checked reports whether the rules are run over the objects of a definition.
func (s *schemas) checked(d *definition) bool {
	return d.role.isRequest() || !s.unchecked[d.goType]
}
