package invoke

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
)

// Shown describes an operation to the caller. Its bodies, responses and parameters have no fields that the caller may see
// or set in no record. Callers who may not read the documentation get none of its texts either.
func (c *Caller) Shown(o *Operation) *Operation {
	made := *o
	made.Body, made.Response = c.Schema(o.Body), c.Schema(o.Response)
	if !c.MayReadDocs() {
		made.Summary, made.Description = naming.Label(o.ID), ""
	}
	made.Variables = make([]Parameter, len(o.Variables))
	for i, p := range o.Variables {
		made.Variables[i] = c.texts(p)
	}
	made.Parameters = nil
	for _, p := range o.Parameters {
		if c.confine(o, &p) {
			made.Parameters = append(made.Parameters, c.texts(p))
		}
	}
	return &made
}

// texts returns a parameter with the texts that the caller may read.
func (c *Caller) texts(p Parameter) Parameter {
	if p.Schema = c.Schema(p.Schema); !c.MayReadDocs() {
		p.Description = ""
	}
	return p
}

// confine removes the choices of a parameter that the caller may not use, and reports whether they may use the parameter.
func (c *Caller) confine(o *Operation, p *Parameter) bool {
	if p.Field != "" && !c.shows(o.Resource, p.Field) {
		return false
	}
	if p.Kind == string(parameters.Deleted) && !c.passes(o.Operation.Resource.Deleted) {
		return false
	}
	if p.Choices == nil {
		return true
	}
	sees := func(path string) bool { return c.shows(o.Resource, path) }
	seen := slices.DeleteFunc(slices.Clone(p.Choices), func(name string) bool { return !p.offers(name, sees) })
	switch {
	case len(seen) == len(p.Choices):
		return true
	case p.Kind == "q":
		p.Description = "" // it names them
	case len(seen) > 0:
		of, items := *p.Schema, *p.Schema.Items
		items.Enum, of.Items, of.Examples = schema.ValuesOf(seen...), &items, nil
		p.Schema = &of
	}
	p.Choices = seen
	return len(seen) > 0
}

// shows reports whether the caller may see what a path of fields names in some record. It returns false if a rule panics.
func (c *Caller) shows(r *Resource, path string) bool {
	return c.holds(func() bool { return c.endpoint.api.Shows(c.asRules(), r.Resource, path) })
}

// Schema returns a schema as the caller may see it: see [Caller.Shown].
func (c *Caller) Schema(of *schema.Schema) *schema.Schema {
	if of == nil {
		return nil
	}
	of = c.withoutEmbedded(of)
	made := of.Copy(c.Schema)
	if of.Ref != nil {
		made.Ref = c.definition(of.Ref)
	}
	if !c.MayReadDocs() {
		made.Title, made.Description, made.Examples = "", "", nil
	}
	return made
}

// withoutEmbedded returns the schema of a record without the embedded records that the caller may not see.
func (c *Caller) withoutEmbedded(of *schema.Schema) *schema.Schema {
	if len(of.AllOf) != 2 || of.AllOf[0].Ref == nil {
		return of
	}
	r, _ := c.endpoint.api.describedBy(of.AllOf[0].Ref)
	records := of.AllOf[1].Property("_embedded")
	if r == nil || records == nil {
		return of
	}
	left := *records
	left.Properties = slices.DeleteFunc(slices.Clone(records.Properties), func(p schema.Property) bool { return !c.shows(r, p.Name+".") })
	left.Required = slices.DeleteFunc(slices.Clone(records.Required), func(name string) bool { return left.Property(name) == nil })
	if len(left.Properties) == 0 {
		return of.AllOf[0]
	}
	made, envelope := *of, *of.AllOf[1]
	envelope.Properties = []schema.Property{{Name: "_embedded", Schema: &left}}
	made.AllOf = []*schema.Schema{of.AllOf[0], &envelope}
	return &made
}

// definition returns a definition as the caller may see it. Those of recursive types refer to themselves.
func (c *Caller) definition(d *schema.Definition) *schema.Definition {
	if known := c.shown[d]; known != nil {
		return known
	}
	if c.shown == nil {
		c.shown = map[*schema.Definition]*schema.Definition{}
	}
	made := &schema.Definition{Name: d.Name}
	c.shown[d] = made
	of := *d.Schema
	known := c.endpoint.api.definitions[d]
	if known != nil && known.Tree() != nil {
		records := c.endpoint.api.resourceOf(known.Tree())
		of.Properties = slices.DeleteFunc(slices.Clone(of.Properties), func(p schema.Property) bool {
			return !describe.IsTreeWord(p.Name) && !c.shows(records, p.Name)
		})
	}
	if known != nil && known.Row() != nil {
		rows := c.endpoint.api.resourceOf(known.Row())
		of.Properties = slices.Clone(of.Properties)
		for i := range of.Properties { // objects of values by field
			inner := *of.Properties[i].Schema
			inner.Properties = slices.DeleteFunc(slices.Clone(inner.Properties), func(p schema.Property) bool { return !c.shows(rows, p.Name) })
			of.Properties[i].Schema = &inner
		}
	}
	if r, isBody := c.endpoint.api.describedBy(d); r != nil {
		c.leaveFields(&of, r, isBody)
	}
	made.Schema = c.Schema(&of)
	return made
}

// leaveFields removes the fields of a resource that the caller may not see, or set in a body.
func (c *Caller) leaveFields(of *schema.Schema, r *Resource, isBody bool) {
	all := of.Properties
	of.Properties = nil
	for _, p := range all {
		f := r.Field(p.Name)
		switch {
		case f == nil:
		case isBody && (p.Schema.ReadOnly || !c.Sets(f)), !isBody && !c.Sees(f):
			continue
		default:
			p.Schema = c.Described(p.Schema, f)
		}
		of.Properties = append(of.Properties, p)
	}
	of.Required = slices.DeleteFunc(slices.Clone(of.Required), func(name string) bool { return of.Property(name) == nil })
}

// Described returns the schema of a field. Generated sentences that name a field that the caller may not see are left out.
func (c *Caller) Described(of *schema.Schema, f *Field) *schema.Schema {
	for _, other := range f.Resource.Fields {
		if other != f && !c.Sees(other) && names(of.Description, other.Name) && !names(f.Doc, other.Name) {
			made := *of
			made.Description = f.Doc
			return &made
		}
	}
	return of
}

// names reports whether a text has a name as a word.
func names(text, name string) bool {
	isPart := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		end := at + i + len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:at+i]) // U+FFFD at the start of the text
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !isPart(before) && !isPart(after) {
			return true
		}
		at = end
	}
}

// describedBy returns the resource whose fields a definition describes, nil for none, and whether it describes bodies of
// requests.
func (a *API) describedBy(d *schema.Definition) (of *Resource, isBody bool) {
	made := a.definitions[d]
	if made == nil || made.Resource() == nil {
		return nil, false
	}
	return a.resourceOf(made.Resource()), made.IsRequest()
}
