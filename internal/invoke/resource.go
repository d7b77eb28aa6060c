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
	"github.com/trove-api/trove/store"
)

// Resource describes a resource, for protocols that show records to people. It does not change.
type Resource struct {
	Name        string
	Singular    string // in words, such as "Dragon treasure"
	Plural      string // in words, such as "Dragon treasures"
	Description string
	Identifier  []string     // the names of its fields
	Title       string       // the field whose value names a record; "" for none
	Fields      []*Field     // without hidden ones
	Operations  []*Operation // in the order of declaration

	of *compiled.Resource
}

// Field is a top-level field of the records of a resource: one of the struct, an inverse or a computed one. It does not
// change.
type Field struct {
	Name       string
	Label      string // in words, such as "Published at"
	Doc        string // the author's description
	Resource   *Resource
	Reference  *Reference // nil for other fields
	Computed   bool
	WriteOnly  bool
	CreateOnly bool

	of          *model.Field
	read, write *authz.Rule // nil for none
}

// Reference is what a field refers to.
type Reference struct {
	To          *Resource
	Many        bool
	Inverse     bool // the field shows the path of the records that refer to this one
	Identifiers bool // values are identifiers, not paths
	Nullable    bool
	// OnDelete is what deleting the target does to records with the reference: "restrict", "cascade" or "null".
	OnDelete string
}

// Parent is a record above those of an operation, which a variable of the path names.
type Parent struct {
	Variable  string
	Resource  *Resource
	Reference *Field // to the parent, of the operation's records or of another parent
	IsDirect  bool   // the operation's records have the reference
}

// Resource returns the resource with a name, nil for none.
func (a *API) Resource(name string) *Resource {
	if i := slices.IndexFunc(a.Resources, func(r *Resource) bool { return r.Name == name }); i >= 0 {
		return a.Resources[i]
	}
	return nil
}

// DidYouMean returns the end of a message about an unknown word: a suggestion, "" if no option is similar.
func DidYouMean(word string, options []string) string { return naming.DidYouMean(word, options) }

// Allowed returns the end of a message about an unknown word: a suggestion, else all options.
func Allowed(word string, options []string) string { return naming.Allowed(word, options) }

// ResourceNamed returns the resource with a name. The error suggests another name.
func (a *API) ResourceNamed(name string) (*Resource, error) {
	if r := a.Resource(name); r != nil {
		return r, nil
	}
	names := make([]string, len(a.Resources))
	for i, r := range a.Resources {
		names[i] = r.Name
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

// describeResources sets the resources and what operations have of them.
func (a *API) describeResources() {
	for _, r := range a.model.Resources {
		a.Resources = append(a.Resources, &Resource{
			Name: r.ShortName, Singular: naming.SentenceCase(r.ShortName), Plural: naming.SentenceCase(r.PluralName),
			Description: r.Description, Identifier: r.ID.Names(), Title: r.TitleField(), of: r,
		})
	}
	for _, r := range a.Resources {
		a.describeFields(r)
	}
	for _, o := range a.Operations {
		r := a.resourceOf(o.op.Resource)
		o.Of, r.Operations = r, append(r.Operations, o)
		for i := range o.op.Parents {
			p := &o.op.Parents[i]
			o.Parents = append(o.Parents, Parent{
				Variable: p.Variable, Resource: a.resourceOf(p.Resource), Reference: a.fieldOf(p.Field), IsDirect: p.Below == compiled.OwnRecord,
			})
		}
		if m := o.op.Membership; m != nil {
			o.ListField = r.Field(m.Field.Name)
		}
	}
}

func (a *API) resourceOf(r *compiled.Resource) *Resource {
	return a.Resources[slices.Index(a.model.Resources, r)]
}

// fieldOf returns the top-level field of a resource that describes a field of its struct, nil for none.
func (a *API) fieldOf(f *model.Field) *Field {
	for _, r := range a.Resources {
		if i := slices.IndexFunc(r.Fields, func(own *Field) bool { return own.of == f }); i >= 0 {
			return r.Fields[i]
		}
	}
	return nil
}

// describeFields sets the fields of a resource. Rules of fields are by name.
func (a *API) describeFields(r *Resource) {
	fields := slices.Concat(r.of.Struct.Fields, r.of.Struct.Inverses)
	for _, c := range r.of.Computed {
		fields = append(fields, c.Field)
	}
	for i, f := range fields {
		if f.Hidden {
			continue
		}
		made := &Field{
			Name: f.Name, Label: naming.Label(f.Name), Doc: f.Doc, Resource: r, of: f,
			Computed: i >= len(fields)-len(r.of.Computed), WriteOnly: f.WriteOnly, CreateOnly: f.CreateOnly,
		}
		if ref := f.Reference; ref != nil {
			made.Reference = &Reference{
				To: a.target(f, r), Many: ref.Many, Inverse: slices.Contains(r.of.Struct.Inverses, f), Identifiers: ref.Path == nil,
				Nullable: f.Type != nil && f.Type.Nullable, OnDelete: string(ref.OnDelete),
			}
		}
		if r.of.Gate != nil {
			for j := range r.of.Gate.List {
				if rules := &r.of.Gate.List[j]; rules.Field.Name == f.Name {
					made.read, made.write = rules.Read, rules.Write
				}
			}
		}
		r.Fields = append(r.Fields, made)
	}
}

// target returns the resource that a reference of a resource leads to. An inverse leads to the records that refer to it.
func (a *API) target(f *model.Field, r *Resource) *Resource {
	if slices.Contains(r.of.Struct.Inverses, f) {
		return a.Resource(f.Reference.To)
	}
	if of := a.model.ByStruct[f.Reference.Target]; of != nil {
		return a.resourceOf(of)
	}
	return a.Resource(f.Reference.Name)
}

// Takes reports whether a body of the operation sets a field, and whether the body must have it. It is about bodies that
// are records of the resource.
func (o *Operation) Takes(f *Field) (takes, required bool) {
	if o.op.In == nil {
		return false, false
	}
	m := o.op.In.View.Field(f.of)
	return m != nil && m.Writable, m != nil && m.Writable && m.Required
}

// Returns reports whether responses of the operation can show a field. It is about responses that are records of the
// resource.
func (o *Operation) Returns(f *Field) bool {
	if !o.op.HasResponseBody() {
		return false
	}
	m := o.op.Out.View.Field(f.of)
	return m != nil && m.Readable
}

// Offers lists the media types of responses, the default first.
func (o *Operation) Offers() []string { return o.op.Offers() }

// Accepts lists the media types of bodies, the default first.
func (o *Operation) Accepts() []string { return o.op.MediaTypes }

// Sees reports whether the caller may see a field in some record, as far as rules decide without a record. It returns
// false if a rule panics.
func (c *Caller) Sees(f *Field) bool { return c.passes(f.read) }

// Sets reports whether the caller may set a field in some record, as far as rules decide without a record. It returns
// false if a rule panics.
func (c *Caller) Sets(f *Field) bool { return c.passes(f.write) }

// Reads reports whether the caller may read some record of a resource, as far as rules decide without a record. It
// returns false if a rule panics.
func (c *Caller) Reads(r *Resource) bool { return c.passes(r.of.Read) }

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

// Label writes the name of a field for people, such as "Published at".
func Label(name string) string { return naming.Label(name) }
