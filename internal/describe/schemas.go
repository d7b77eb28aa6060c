package describe

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// Schemas makes the schemas of an API. Structs become definitions: each is made on first use and named at the end, when
// all definitions are known. It is not safe for concurrent use.
type Schemas struct {
	api         *compiled.API
	brief       bool
	ownRules    map[string]validation.Rule
	unchecked   map[reflect.Type]bool // structs in responses that are not validated
	definitions []*Definition         // in the order of first use
	byKey       map[definitionKey]*Definition
	examples    map[*model.Field]any
	rules       *check.Compiler // validates examples; made with the first one
}

// definitionKey identifies a definition. It has the name of a view, because views of one kind that are made for several
// operations have the same schema.
type definitionKey struct {
	subject any    // *compiled.Resource, reflect.Type of another struct, or string
	view    string // the name of its view
	title   string // of a view that the user has named
}

// Definition is a named schema that others refer to.
type Definition struct {
	schema.Definition
	definitionKey

	role    role
	goType  reflect.Type  // nil for a schema that is not of a Go type
	base    string        // the name of the subject, which the role's suffix follows
	isBody  bool          // a type that is the body of an operation
	members []fieldSample // of a Go type
}

// New returns an API without schemas yet. Brief ones have no sentences about access rules, and none about what references
// must be. Its error joins the invalid schemas of the user's rules.
func New(api *compiled.API, brief bool) (*Schemas, error) {
	s := &Schemas{
		api: api, brief: brief, ownRules: map[string]validation.Rule{},
		unchecked: map[reflect.Type]bool{}, byKey: map[definitionKey]*Definition{}, examples: map[*model.Field]any{},
	}
	var errs []error
	for _, rule := range api.Rules {
		s.ownRules[rule.Name] = rule
		if rule.Schema == nil {
			continue
		}
		if _, err := schema.Read(schema.ValueOf(rule.Schema)); err != nil {
			errs = append(errs, fmt.Errorf("rule %q: Schema: %w", rule.Name, err))
		}
	}
	for _, r := range api.Resources {
		for _, computed := range r.Computed {
			s.markUnchecked(computed.Field.Type)
		}
		for _, op := range r.Operations {
			if !op.Hidden && op.Out != nil && op.Out.Type.Struct != r.Struct {
				s.markUnchecked(op.Out.Type)
			}
		}
	}
	return s, errors.Join(errs...)
}

// markUnchecked marks the structs in responses of handlers, except those of resources, because stored records have been
// validated.
func (s *Schemas) markUnchecked(t *model.Type) {
	if t.Elem != nil {
		s.markUnchecked(t.Elem)
	}
	if t.Struct == nil || s.unchecked[t.Struct.Go] || s.resourceOf(t.Struct, role{}) != nil {
		return
	}
	s.unchecked[t.Struct.Go] = true
	for _, f := range t.Struct.Fields {
		s.markUnchecked(f.Type)
	}
}

// resourceOf returns the resource whose schema a struct has in a role, nil for none. In requests, a resource's struct
// within another body is a plain struct: its identifier is a field like any other. In responses it compares types,
// because a Go type may be compiled twice, for the resource and for a handler that returns it.
func (s *Schemas) resourceOf(of *model.Struct, r role) *compiled.Resource {
	byStruct := func(resource *compiled.Resource) bool { return resource.Struct == of }
	byType := func(resource *compiled.Resource) bool { return resource.Struct.Go == of.Go }
	i := slices.IndexFunc(s.api.Resources, byStruct)
	if i < 0 && !r.request {
		i = slices.IndexFunc(s.api.Resources, byType)
	}
	if i < 0 {
		return nil
	}
	return s.api.Resources[i]
}

// structure returns the definition of a struct in a role. A struct without a name gets the fallback. The definition is
// registered before its fields are visited, so that a recursive struct refers to it.
func (s *Schemas) structure(of *model.Struct, r role, fallback string) *Definition {
	resource := s.resourceOf(of, r)
	if !r.keepsByRule(resource) {
		r = r.described()
	}
	base := ComponentName(naming.TypeName(of.Go))
	if of.Go.Name() == "" {
		base = fallback
	}
	key := definitionKey{of.Go, r.suffix(), r.title()}
	if resource != nil {
		key.subject, base = resource, resource.ShortName
		if of != resource.Struct { // in a response
			of, r = resource.Struct, roleOf(resource.Source.Response.View)
			key.title = r.title()
		}
	}
	if known, ok := s.byKey[key]; ok {
		return known
	}
	d := s.define(key, cmp.Or(r.title(), base))
	d.goType, d.role = of.Go, r
	s.fill(d, of, resource)
	return d
}

// Fixed returns the definition of a schema that is not of a Go type, from its valid JSON. It is made on first use.
func (s *Schemas) Fixed(name, text string) *Definition {
	key := definitionKey{subject: name}
	if known, ok := s.byKey[key]; ok {
		return known
	}
	d := s.define(key, name)
	d.Schema, _ = schema.Read([]byte(text))
	return d
}

// derivation identifies the schema that a format makes from another definition. Its name is that definition's, a dot and
// the suffix.
type derivation struct {
	of     *schema.Definition
	suffix string
}

// Derived returns the definition of a schema that a format makes from another one. It is nil if that name has another
// schema; the caller then uses the schema inline.
func (s *Schemas) Derived(of *schema.Definition, suffix string, made *schema.Schema) *Definition {
	return s.shared(derivation{of, suffix}, suffix, made)
}

// shared returns the definition that has a schema, nil if that of the subject is another one.
func (s *Schemas) shared(subject any, base string, of *schema.Schema) *Definition {
	d, ok := s.byKey[definitionKey{subject: subject}]
	if !ok {
		d = s.define(definitionKey{subject: subject}, base)
		d.Schema = of
	}
	if !d.Schema.Equal(of) {
		return nil
	}
	return d
}

// define adds a definition. The order of first use becomes the order in the document.
func (s *Schemas) define(key definitionKey, base string) *Definition {
	d := &Definition{definitionKey: key, base: base}
	s.byKey[key] = d
	s.definitions = append(s.definitions, d)
	return d
}

// Ref returns a new reference to the definition, with keywords next to it.
func (d *Definition) Ref(keywords schema.Schema) *schema.Schema {
	keywords.Ref = &d.Definition
	return &keywords
}

// Name names all definitions, and returns those of Go types before the others, each in the order of first use. Its error
// joins the names that two definitions would have. References are pointers to definitions and get the names, too.
func (s *Schemas) Name() ([]*Definition, error) {
	ofType := func(d *Definition) bool { return d.goType != nil }
	fixed := slices.DeleteFunc(slices.Clone(s.definitions), ofType)
	own := slices.DeleteFunc(slices.Clone(s.definitions), func(d *Definition) bool { return !ofType(d) })
	return append(own, fixed...), nameDefinitions(s.definitions)
}

// Resource returns the resource whose fields the definition has, nil for none.
func (d *Definition) Resource() *compiled.Resource {
	r, _ := d.subject.(*compiled.Resource)
	return r
}

// IsRequest reports whether clients send the values of the definition.
func (d *Definition) IsRequest() bool { return d.role.request }

// fieldSample is a field of a struct's schema, for examples.
type fieldSample struct {
	field    *model.Field
	required bool
	compared bool    // by a rule, with another field
	sample   sampler // nil for a field that examples omit
}

// fill makes the schema of a struct. The resource is nil for other structs. Schemas of requests are closed, because the
// service rejects unknown fields. Those of responses are open, because a new field must not break clients.
func (s *Schemas) fill(d *Definition, of *model.Struct, resource *compiled.Resource) {
	object := &schema.Schema{Type: []string{schema.Object}}
	d.Schema = object
	if d.role.request {
		object.AdditionalProperties = schema.Nothing()
	}
	for i := range d.role.view.Fields {
		seen := &d.role.view.Fields[i]
		f, m := seen.Field, fieldSample{field: seen.Field, required: d.requires(seen)}
		object.Properties = append(object.Properties, schema.Property{Name: f.Name, Schema: s.property(d, seen, &m)})
		if m.required {
			object.Required = append(object.Required, f.Name)
		}
		d.members = append(d.members, m)
	}
	object.Description = s.describeObject(d, resource)
	// Rules that the schema cannot express can reject bodies that follow it.
	fields, isWhole := Conditional(s.api, of)
	if d.role.request && (d.role.view.Listed || isWhole || len(fields) > 0 || d.role.keepsByRule(resource)) {
		object.Format = FormatConditions
	}
}

// property makes the schema of a field, and completes its part of examples.
func (s *Schemas) property(d *Definition, seen *model.ViewField, m *fieldSample) *schema.Schema {
	f := m.field
	// A record that was read can be sent back unchanged; the service ignores the value.
	if d.role.request && !seen.Writable {
		return &schema.Schema{ReadOnly: true}
	}
	v := s.field(f, s.stated(d, f), position{
		role: role{d.role.request, d.role.patches, seen.Inner}, owner: d.role.view.Struct, name: f.Name, fallback: d.base + ComponentName(f.GoPath),
	})
	s.annotate(d, seen, v)
	m.compared = v.beside != nil
	isForSome := d.role.request && !m.required && !compiled.IsOpen(d.fieldRules(f).Write) // most callers would get a 403
	if !isForSome && (!f.CreateOnly || !d.role.request || !d.role.view.Named) {
		m.sample = sampleOf(f, v, d)
	}
	made := v.finished()
	if seen.Listed {
		made.Type = append(made.Type, schema.String)
	}
	return made
}

// annotate adds what a schema says about a field in addition to its values. Sentences follow the author's text.
func (s *Schemas) annotate(d *Definition, seen *model.ViewField, v *value) {
	f := seen.Field
	v.schema.ReadOnly, v.schema.WriteOnly = !seen.Writable, !seen.Readable
	if f.Example != nil && fitsAlone(f.Type, d.role) {
		v.schema.Examples = []jsontext.Value{f.Example}
	}
	if d.role.request {
		if f.Unique && (!f.Identifier || !d.role.view.Listed) {
			v.sentences = append(v.sentences, "Must be unique.")
		}
		switch {
		case !f.Identifier || !seen.Writable || !d.role.view.Named:
		case d.role.view.Listed:
			v.mark("identifier", "The record of the list that the element changes; omit it to create one.")
		case seen.Required && d.role.patches:
			v.mark("identifier", "Must identify an existing record.")
		default:
			v.mark("path-identifier", "Must equal the identifier in the path.")
		}
		if f.CreateOnly && d.role.view.Named {
			v.mark("created", "Cannot be changed after creation.")
		}
	}
	// A patch fills in no defaults for what it omits.
	if f.Default != nil && d.role.request && !d.role.patches && (!d.role.view.Listed || !d.role.view.Merges) {
		v.schema.Default = f.Default
	}
	if !s.brief {
		v.sentences = append(v.sentences, describeRules(d, seen)...)
	}
	v.schema.Description = naming.Sentences(append([]string{s.doc(d, f)}, v.sentences...)...)
}

// doc returns the author's text of a field. An inverse has none.
func (s *Schemas) doc(d *Definition, f *model.Field) string {
	if slices.Contains(d.role.view.Struct.Inverses, f) {
		for _, r := range s.api.Resources {
			if r.ShortName == f.Reference.To {
				return "The path of the " + nounsOf(r).many + " that refer to this record."
			}
		}
	}
	return f.Doc
}

// fitsAlone reports whether the example of a field, which has the form of a request, is also valid in the role.
func fitsAlone(t *model.Type, r role) bool {
	for ; t != nil; t = t.Elem {
		if t.Kind == model.Object && (!r.request || r.patches) {
			return false
		}
	}
	return true
}

// describeObject returns the text of a struct's schema. Each view has its own, because they look alike. Only the schema
// without a suffix has the resource's description.
func (s *Schemas) describeObject(d *Definition, r *compiled.Resource) string {
	if r == nil {
		return ""
	}
	suffix, _, _ := strings.Cut(d.role.suffix(), "With") // of a body with lists, or in one
	suffix, _, under := strings.Cut(suffix, "Below")
	var text string
	an := nounsOf(r).an
	switch {
	case d.role.request && d.role.view.Listed:
		text = "One of the " + nounsOf(r).many + " of a list. With the identifier of an existing one, it has the changes to it. Others are created."
	case d.role.title() != "":
		text = "View of " + an + "."
	case suffix == "Sparse":
		text = "Selected fields of " + an + "."
	case suffix == "Create":
		text = "Fields to create " + an + "."
	case suffix == "Update":
		text = "Fields to replace " + an + "."
	case suffix == "Put":
		text = "Fields to create or replace " + an + "."
	case suffix == "Patch":
		text = "Changes to " + an + ". Omitted fields keep their values."
	case suffix == "PatchByID":
		text = "Changes to " + an + ", named by its identifier. Omitted fields keep their values."
	default:
		return r.Description
	}
	if under {
		text += " The path names the parent."
	}
	return text
}
