package invoke

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Resource is a compiled resource with its fields and operations. It does not change.
type Resource struct {
	*compiled.Resource

	Fields     []*Field     // without hidden ones
	Operations []*Operation // in the order of declaration
}

// Singular returns the name in words, such as "Dragon treasure".
func (r *Resource) Singular() string { return naming.SentenceCase(r.ShortName) }

// Plural returns the plural of the name in words, such as "Dragon treasures".
func (r *Resource) Plural() string { return naming.SentenceCase(r.PluralName) }

// Field is a top-level field of the records of a resource: one of the struct, an inverse or a computed one. It does not
// change.
type Field struct {
	*model.Field

	Resource *Resource
	Inverse  bool      // the field shows the path of the records that refer to this one
	Computed bool      // responses have it in addition to the fields of the struct
	To       *Resource // what a reference leads to: for an inverse, the records that refer to this one; nil for other fields

	read, write *authz.Rule // nil for none
}

// Resource returns the resource with a name. The error suggests another name.
func (a *API) Resource(name string) (*Resource, error) {
	names := make([]string, len(a.Resources))
	for i, r := range a.Resources {
		if names[i] = r.ShortName; names[i] == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("resource %q does not exist%s", name, naming.Allowed(name, names))
}

// Field returns the field with a name, nil for none.
func (r *Resource) Field(name string) *Field {
	if i := slices.IndexFunc(r.Fields, func(f *Field) bool { return f.Name == name }); i >= 0 {
		return r.Fields[i]
	}
	return nil
}

// Columns lists the fields that lists of the resource show.
func (r *Resource) Columns() (names []string) {
	for _, o := range r.Operations {
		if o.Kind != operation.KindGetCollection || o.Hidden {
			continue
		}
		for _, p := range o.Record().Properties {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// Schemas returns the names of the fields of records, bodies and responses, and their schemas without references to
// definitions; an empty one if none is known.
func (r *Resource) Schemas() (names []string, by map[string]*schema.Schema) {
	by = map[string]*schema.Schema{}
	add := func(name string, of *schema.Schema) {
		switch known := by[name]; {
		case known == nil:
			names = append(names, name)
		case !known.IsEmpty():
			return
		}
		by[name] = of
	}
	for _, f := range r.Fields {
		add(f.Name, &schema.Schema{})
	}
	for _, o := range r.Operations {
		if o.Custom || o.Hidden {
			continue
		}
		var all []schema.Property
		if o.Response != nil && !o.Aggregates {
			all = append(all, o.Record().Properties...)
		}
		if o.Body != nil && o.Body.Ref != nil {
			all = append(all, o.Body.Ref.Schema.Properties...)
		}
		for _, p := range all {
			if p.Schema.Ref != nil {
				p.Schema = p.Schema.Ref.Schema
			}
			add(p.Name, p.Schema)
		}
	}
	return names, by
}

func (a *API) resourceOf(r *compiled.Resource) *Resource {
	return a.Resources[slices.Index(a.API.Resources, r)]
}

// describeFields sets the fields of a resource. Rules of fields are by name.
func (a *API) describeFields(r *Resource) {
	add := func(made *Field) {
		if made.Hidden {
			return
		}
		made.Resource = r
		rules := r.Gate.Rules(made.Name)
		made.read, made.write = rules.Read, rules.Write
		r.Fields = append(r.Fields, made)
	}
	for _, f := range r.Struct.Fields {
		made := &Field{Field: f}
		if f.Reference != nil {
			made.To = a.resourceOf(a.ByStruct[f.Reference.Target])
		}
		add(made)
	}
	for _, f := range r.Struct.Inverses {
		to, _ := a.Resource(f.Reference.To) // New has found it
		add(&Field{Field: f, Inverse: true, To: to})
	}
	for _, c := range r.Computed {
		add(&Field{Field: c.Field, Computed: true})
	}
}

// Takes reports whether a body of the operation sets a field, and whether the body must have it. It is about bodies that
// are records of the resource.
func (o *Operation) Takes(f *Field) (takes, required bool) {
	if o.In == nil {
		return false, false
	}
	m := o.In.View.Field(f.Field)
	return m != nil && m.Writable, m != nil && m.Writable && m.Required
}

// Returns reports whether responses of the operation can show a field. It is about responses that are records of the
// resource.
func (o *Operation) Returns(f *Field) bool {
	if !o.HasResponseBody() {
		return false
	}
	m := o.Out.View.Field(f.Field)
	return m != nil && m.Readable
}

// Record returns the schema of the records in responses, without those that are embedded in them; an empty one for none.
func (o *Operation) Record() *schema.Schema {
	of := o.Alone()
	if of != nil && o.Lists && of.Items != nil {
		of = of.Items
	}
	if of != nil && of.Ref != nil {
		return of.Ref.Schema
	}
	return &schema.Schema{}
}

// Alone returns the schema of the response without the records that are embedded in it.
func (o *Operation) Alone() *schema.Schema { return alone(o.Response) }

func alone(of *schema.Schema) *schema.Schema {
	switch {
	case of == nil:
	case len(of.AllOf) == 2 && of.AllOf[1].Property("_embedded") != nil:
		return of.AllOf[0]
	case of.Items != nil && len(of.Items.AllOf) == 2:
		list := *of
		list.Items = alone(of.Items)
		return &list
	}
	return of
}

// Sees reports whether the caller may see a field in some record, as far as rules decide without a record. It returns
// false if a rule panics.
func (c *Caller) Sees(f *Field) bool { return c.passes(f.read) }

// Sets reports whether the caller may set a field in some record, as far as rules decide without a record. It returns
// false if a rule panics.
func (c *Caller) Sets(f *Field) bool { return c.passes(f.write) }

func (c *Caller) passes(rule *authz.Rule) bool {
	return rule == nil || c.holds(func() bool { return rule.Decide(c.asRules()) != authz.Denied })
}

// asRules returns the caller as rules see them.
func (c *Caller) asRules() *authz.Caller {
	if c.gate == nil {
		c.gate = c.client.Gate(c.request.Context())
	}
	return c.gate
}

// operatorOf returns the name of what a filter does: "between", or that of its operator as one word, such as
// "greaterEqual".
func operatorOf(p *parameters.Parameter) string {
	switch {
	case p.Between:
		return "between"
	case p.Operator == store.EqualFold:
		return "equalFold"
	}
	words := strings.Fields(strings.ReplaceAll(string(p.Operator), " or ", " "))
	for i := range words[1:] {
		words[i+1] = naming.Capital(words[i+1])
	}
	return strings.Join(words, "")
}
