package describe

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// Schemas makes the schemas of an API. Structs become definitions, each made when it is first
// asked for and named at the end, when all that need a name are known. It is for one goroutine.
type Schemas struct {
	api         *compiled.API
	sayings     *check.Sayings // made when a rule is met
	ownRules    map[string]ownRule
	unchecked   map[reflect.Type]bool // structs in answers that no rules are run over
	definitions []*Definition         // in the order of first use
	byKey       map[definitionKey]*Definition
	examples    map[*model.Field]any
	rules       *check.Compiler // judges examples; made when there is one
}

// definitionKey tells definitions apart.
// By names of views rather than by views: those of one kind that are made for several operations
// are the same schema.
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
		api:       api,
		ownRules:  own,
		unchecked: map[reflect.Type]bool{},
		byKey:     map[definitionKey]*Definition{},
		examples:  map[*model.Field]any{},
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

// markUnchecked notes the structs that answers of handlers consist of. Those of resources
// are left out: what is stored has been checked.
// It goes through all that an answer holds: a schema may only promise what somebody has checked.
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

// resourceOf returns the resource whose schema a struct has in a role, nil for none. In
// requests, a resource's struct inside of another body is a plain struct: its identifier
// is a member like any other there.
// By type in answers, as the same Go type may have been compiled twice, by the resource and by a
// handler that answers with it.
func (s *Schemas) resourceOf(of *model.Struct, r role) *compiled.Resource {
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
// It is entered among the definitions before its members are looked at, so that a struct which
// holds itself refers to the definition that is on its way.
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
			of, r = resource.Struct, roleOf(resource.Source.Answer.View)
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

// Fixed returns the definition of a schema that is not made of a Go type, which is made when
// it is first asked for.
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

// The order of first use is the order in the document, which thereby follows that of the
// declarations.
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
