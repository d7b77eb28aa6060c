package openapi

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// schemas makes the schemas of a document. Structs become components, each made when it
// is first asked for and named at the end, when all that need a name are known.
type schemas struct {
	api         *compiled.API
	ownRules    map[string]ownRule
	unchecked   map[reflect.Type]bool // structs in answers that no rules are run over
	definitions []*definition         // in the order of first use
	byKey       map[definitionKey]*definition
	rules       *check.Compiler // judges examples; made when there is one
}

// definitionKey tells definitions apart.
type definitionKey struct {
	subject any // *compiled.Resource, reflect.Type of another struct, or string
	role    role
}

// definition is a schema that becomes a component.
type definition struct {
	definitionKey

	goType     reflect.Type // nil where the schema is not of a Go type
	base       string       // the name of the subject, which the role's suffix follows
	isBody     bool         // a type that is the body of an operation
	name       string       // of the component, once it is known
	schema     *openapi3.Schema
	properties []string // their names, in order
	members    []member // of a Go type
	references []reference
}

// reference is a place where a definition is referred to.
type reference struct {
	at       *openapi3.SchemaRef
	siblings *openapi3.Schema // keywords beside $ref; nil for none
}

func newSchemas(api *compiled.API) (*schemas, error) {
	own, err := compileOwnRules(api.Rules)
	s := &schemas{
		api:       api,
		ownRules:  own,
		unchecked: map[reflect.Type]bool{},
		byKey:     map[definitionKey]*definition{},
	}
	for _, r := range api.Resources {
		for _, op := range r.Operations {
			if !op.Hidden && op.Out != nil && op.Out.Type.Struct != r.Struct {
				s.markUnchecked(op.Out.Type)
			}
		}
	}
	return s, err
}

// markUnchecked notes the structs that answers of handlers consist of. Those of resources
// are left out: what is stored has been checked.
func (s *schemas) markUnchecked(t *model.Type) {
	if t.Elem != nil {
		s.markUnchecked(t.Elem)
	}
	if t.Struct == nil || s.unchecked[t.Struct.Go] || s.resourceOf(t.Struct, answered) != nil {
		return
	}
	s.unchecked[t.Struct.Go] = true
	for _, f := range t.Struct.Fields {
		s.markUnchecked(f.Type)
	}
}

// resourceOf returns the resource whose schema a struct has in a role, nil for none. In
// requests, a resource's struct inside of another body is a plain struct: its identifier
// is a member like any other there.
func (s *schemas) resourceOf(of *model.Struct, r role) *compiled.Resource {
	byStruct := func(resource *compiled.Resource) bool { return resource.Struct == of }
	byType := func(resource *compiled.Resource) bool { return resource.Struct.Go == of.Go }
	i := slices.IndexFunc(s.api.Resources, byStruct)
	if i < 0 && !r.isRequest() {
		i = slices.IndexFunc(s.api.Resources, byType)
	}
	if i < 0 {
		return nil
	}
	return s.api.Resources[i]
}

// structure returns the definition of a struct in a role. A struct without a name of its
// own is called by fallback.
func (s *schemas) structure(of *model.Struct, r role, fallback string) *definition {
	resource := s.resourceOf(of, r)
	if r == replaced && replacesAlike(of, map[*model.Struct]bool{}) && !keepsByRule(resource) {
		r = created
	}
	base := cleanName(naming.TypeName(of.Go))
	if of.Go.Name() == "" {
		base = fallback
	}
	key := definitionKey{of.Go, r}
	if resource != nil {
		key.subject, base, of = resource, resource.ShortName, resource.Struct
	}
	if known, ok := s.byKey[key]; ok {
		return known
	}
	d := s.define(key, base)
	d.goType = of.Go
	s.fill(d, of, resource)
	return d
}

// fixed returns the definition of a schema that is not made of a Go type.
func (s *schemas) fixed(name string, schema func() (*openapi3.Schema, []part)) *definition {
	key := definitionKey{subject: name}
	if known, ok := s.byKey[key]; ok {
		return known
	}
	d := s.define(key, name)
	object, parts := schema()
	d.schema, d.properties = object, complete(object, parts)
	return d
}

func (s *schemas) define(key definitionKey, base string) *definition {
	d := &definition{definitionKey: key, base: base}
	s.byKey[key] = d
	s.definitions = append(s.definitions, d)
	return d
}

// ref returns a new reference to the definition, with keywords beside it unless
// siblings is nil or empty.
func (d *definition) ref(siblings *openapi3.Schema) *openapi3.SchemaRef {
	at := &openapi3.SchemaRef{}
	if siblings != nil && reflect.ValueOf(siblings).Elem().IsZero() {
		siblings = nil
	}
	d.references = append(d.references, reference{at, siblings})
	return at
}

// components names every definition, points all references to it, and returns the
// schemas by name.
func (s *schemas) components() (openapi3.Schemas, error) {
	if err := nameDefinitions(s.definitions); err != nil {
		return nil, err
	}
	components := openapi3.Schemas{}
	for _, d := range s.definitions {
		components[d.name] = openapi3.NewSchemaRef("", d.schema)
		for _, reference := range d.references {
			if err := reference.pointTo(d.name); err != nil {
				return nil, fmt.Errorf("schema %s: %w", d.name, err)
			}
		}
	}
	return components, nil
}

// pointTo completes a reference. kin-openapi takes keywords beside $ref from JSON only.
func (r reference) pointTo(name string) error {
	r.at.Ref = "#/components/schemas/" + name
	if r.siblings == nil {
		return nil
	}
	siblings, err := r.siblings.MarshalJSON()
	if err != nil {
		return err
	}
	return r.at.UnmarshalJSON(append([]byte(`{"$ref":"`+r.at.Ref+`",`), siblings[1:]...))
}
