package describe

import (
	"cmp"
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
	"github.com/trove-api/trove/store"
)

// Schemas makes the schemas of an API. Structs become definitions, each made when it is first
// asked for and named at the end, when all that need a name are known. It is for one goroutine.
type Schemas struct {
	api         *compiled.API
	operators   map[store.Operator]string
	sayings     *check.Describer // made when a rule is met
	ownRules    map[string]ownRule
	unchecked   map[reflect.Type]bool // structs in answers that no rules are run over
	definitions []*Definition         // in the order of first use
	byKey       map[definitionKey]*Definition
	examples    map[*model.Field]any
	rules       *check.Compiler // judges examples; made when there is one
}

// definitionKey tells definitions apart. By names of views rather than by views: those of one kind that are made for
// several operations are the same schema.
type definitionKey struct {
	subject any    // *compiled.Resource, reflect.Type of another struct, or string
	view    string // the name of its view
	title   string // of a view that the user has named
}

// Definition is a schema of its own, to which others refer.
type Definition struct {
	schema.Definition
	definitionKey

	role    role
	goType  reflect.Type   // nil where the schema is not of a Go type
	base    string         // the name of the subject, which the role's suffix follows
	isBody  bool           // a type that is the body of an operation
	members []memberSample // of a Go type
}

// New begins the schemas of an API. Its error joins the schemas of the user's rules that are none.
func New(api *compiled.API) (*Schemas, error) {
	own, err := compileOwnRules(api.Rules)
	s := &Schemas{
		api: api, operators: operatorTexts(), ownRules: own,
		unchecked: map[reflect.Type]bool{}, byKey: map[definitionKey]*Definition{}, examples: map[*model.Field]any{},
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
	return s, err
}

// markUnchecked notes the structs that answers of handlers consist of. Those of resources are left out: what is stored
// has been checked. It goes through all that an answer holds: a schema may only promise what somebody has checked.
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
// inside of another body is a plain struct: its identifier is a member like any other there. By type in answers, as the
// same Go type may have been compiled twice, by the resource and by a handler that answers with it.
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

// structure returns the definition of a struct in a role. A struct without a name of its own is called by fallback. It
// is entered among the definitions before its members are looked at, so that a struct which holds itself refers to the
// definition that is on its way.
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
		if of != resource.Struct { // in an answer
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

// Fixed returns the definition of a schema that is not made of a Go type, which is made when it is first asked for.
func (s *Schemas) Fixed(name string, made func() *schema.Schema) *Definition {
	key := definitionKey{subject: name}
	if known, ok := s.byKey[key]; ok {
		return known
	}
	d := s.define(key, name)
	d.Schema = made()
	return d
}

// derivation is what a format makes of another definition, called by the name of that one with a
// dot and a suffix behind it.
type derivation struct {
	of     *schema.Definition
	suffix string
}

// Derived returns the definition of a schema that a format makes of another one, which is made
// when it is first asked for. It is nil where that one has another schema.
// Nil rather than an error: a schema of its own at the place of use is longer, but says the same.
func (s *Schemas) Derived(of *schema.Definition, suffix string, made *schema.Schema) *Definition {
	key := definitionKey{subject: derivation{of, suffix}}
	if known, ok := s.byKey[key]; ok {
		if !known.Schema.Equal(made) {
			return nil
		}
		return known
	}
	d := s.define(key, suffix)
	d.Schema = made
	return d
}

// The order of first use is the order in the document, which thereby follows that of the declarations.
func (s *Schemas) define(key definitionKey, base string) *Definition {
	d := &Definition{definitionKey: key, base: base}
	s.byKey[key] = d
	s.definitions = append(s.definitions, d)
	return d
}

// Ref returns a new reference to the definition, with the keywords beside it.
func (d *Definition) Ref(beside schema.Schema) *schema.Schema {
	beside.Ref = &d.Definition
	return &beside
}

// Name names every definition, and returns those of Go types before those of every API, each
// in the order of first use. Its error joins the names that two definitions would have.
// Definitions are referred to by pointer until then, so that no reference has to be changed.
func (s *Schemas) Name() ([]*Definition, error) {
	ofType := func(d *Definition) bool { return d.goType != nil }
	fixed := slices.DeleteFunc(slices.Clone(s.definitions), ofType)
	own := slices.DeleteFunc(slices.Clone(s.definitions), func(d *Definition) bool { return !ofType(d) })
	return append(own, fixed...), nameDefinitions(s.definitions)
}

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
	if d.role.request {
		object.AdditionalProperties = schema.Nothing()
	}
	for i := range d.role.view.Fields {
		seen := &d.role.view.Fields[i]
		f, m := seen.Field, memberSample{field: seen.Field, required: d.requires(seen)}
		object.Properties = append(object.Properties, schema.Property{Name: f.Name, Schema: s.property(d, seen, &m)})
		if m.required {
			object.Required = append(object.Required, f.Name)
		}
		d.members = append(d.members, m)
	}
	object.Description = describeObject(d, resource)
	if d.role.request && (s.hasUnsaid(of) || d.role.replaces() && d.role.keepsByRule(resource)) {
		object.Format = FormatConditions
	}
}

// property makes the schema of a member, and completes what examples say of it.
func (s *Schemas) property(d *Definition, seen *model.ViewField, m *memberSample) *schema.Schema {
	f := m.field
	// It is in the schema, so that a record that was read can be sent back as it is, but says
	// nothing of its values: the service passes over them.
	if d.role.request && !seen.Writable {
		return &schema.Schema{ReadOnly: true}
	}
	v := s.member(f, s.stated(d, f), position{role: d.role.member(seen), owner: d.role.view.Struct, name: f.Name, fallback: d.base + ComponentName(f.GoPath)})
	s.annotate(d, seen, v)
	m.compared = v.beside != nil
	if !d.isForSome(m) && (!f.CreateOnly || !d.role.request || !d.role.view.Named) {
		m.sample = sampleOf(f, v, d)
	}
	return v.finished()
}

// annotate adds what is said of a member beside its values. What keywords cannot say stands in sentences behind the
// author's own text, so that this comes first.
func (s *Schemas) annotate(d *Definition, seen *model.ViewField, v *value) {
	f := seen.Field
	v.schema.ReadOnly, v.schema.WriteOnly = !seen.Writable, !seen.Readable
	if f.Example != nil && fitsAlone(f.Type, d.role) {
		v.schema.Examples = []jsontext.Value{f.Example}
	}
	if d.role.request {
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
	if f.Default != nil && d.role.request && !d.role.patches {
		v.schema.Default = f.Default
	}
	if may := d.describeMember(seen); may != "" {
		v.says = append(v.says, may)
	}
	v.schema.Description = naming.Sentences(append([]string{f.Doc}, v.says...)...)
}

// fitsAlone reports whether the example of a member, which has the form of a request, also has the form of the role.
func fitsAlone(t *model.Type, r role) bool {
	for ; t != nil; t = t.Elem {
		if t.Kind == model.Object && (!r.request || r.patches) {
			return false
		}
	}
	return true
}

// describeObject returns the text of a struct's schema. The views of one struct are alike at first sight, so each says
// what it is for. The resource's own description is left to the schema without a suffix: once in a document is enough.
func describeObject(d *Definition, r *compiled.Resource) string {
	if r == nil {
		return ""
	}
	one := naming.Phrase(r.ShortName)
	if d.role.title() != "" {
		return "What is shown of a stored " + one + "."
	}
	suffix, _, below := strings.Cut(d.role.suffix(), "Below")
	if below {
		one += " below a record that the path names"
	}
	text := map[string]string{
		"Sparse":    "The members of a stored %s that a client asks for.",
		"Create":    "What a client gives for a new %s.",
		"Update":    "What a client gives in place of a stored %s.",
		"Put":       "What a client gives as the %s that the path names.",
		"PatchByID": "Changes to the stored %s that the identifier names: other members left out are kept.",
		"Patch":     "Changes to a stored %s: members left out are kept.",
	}[suffix]
	if text == "" {
		return r.Description
	}
	return fmt.Sprintf(text, one)
}
