package resource

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/uritemplate"
)

// References is how clients see references to records of other resources: fields with the word
// ref in their api tag. The zero value is [Paths].
type References int

const (
	// Addresses shows the address of the record that is referred to, "/api/users/1", in
	// answers, and takes it in bodies and filters. It is the path of that resource's first
	// Get, which must be there.
	Paths References = iota
	// Identifiers shows and takes the identifier of the record, as the field has it: 1.
	Identifiers
)

// links are the references of all declarations, once they are known.
type links struct {
	all       []link
	inverses  []inverse
	addresses map[*model.Struct]*uritemplate.Address // of the records of a resource
	whole     map[*model.Struct]bool                 // structs whose references are linked
}

// link is one reference, and where it is declared.
type link struct {
	turn      int
	where     string
	reference *model.Reference
	target    *declared
}

// linkReferences finds the resource that each reference of each struct is to, whatever the
// order of declarations.
func (c *compiler) linkReferences() {
	for _, d := range c.declared {
		c.turn = d.turn
		if d.resource.Struct != nil {
			c.linkStruct(d.where, d.resource.Struct, ofRecord)
			if d.prepare == nil {
				c.checkOptional(d.where, d.resource.Struct, map[*model.Struct]bool{})
			}
		}
	}
	c.turn = ofAll
	c.linkInverses()
}

// linkType links the references of a body or an answer of a handler.
func (c *compiler) linkType(where string, t *model.Type) {
	for ; t != nil; t = t.Elem {
		if t.Struct != nil {
			c.linkStruct(where, t.Struct, ofHandler)
		}
	}
}

// bearer is what has a reference among its members.
type bearer int

const (
	ofRecord  bearer = iota // a record itself
	ofPart                  // a struct within a record
	ofHandler               // a body or an answer of a handler
)

// linkStruct links the references of a struct and of those within it, and notes whether it has
// any.
func (c *compiler) linkStruct(where string, s *model.Struct, of bearer) {
	if c.links.whole[s] {
		return
	}
	c.links.whole[s] = true
	for _, f := range s.Fields {
		for t := f.Type; t != nil; t = t.Elem {
			if t.Struct != nil {
				c.linkStruct(where, t.Struct, max(of, ofPart))
				s.Refers = s.Refers || t.Struct.Refers
			}
		}
		if f.Reference == nil {
			continue
		}
		s.Refers = true
		f.Reference.Required = f.Refers() && f.Writable() && !f.Reference.Optional
		c.linkField(where+": "+naming.TypeName(s.Go)+"."+f.GoPath, f.Reference, of)
		if own := s.Field("_embedded"); own != nil && of == ofRecord {
			c.fail(where+": "+naming.TypeName(s.Go)+"."+own.GoPath,
				"has the JSON name %q, and %s is a reference: answers have there what a record refers to", own.Name, f.Name)
		}
	}
}

// checkOptional reports references with omitempty in the records of a resource without a Prepare hook: a body
// without them would be valid by the document, and never accepted.
func (c *compiler) checkOptional(where string, s *model.Struct, met map[*model.Struct]bool) {
	if met[s] {
		return
	}
	met[s] = true
	for _, f := range s.Fields {
		if inner := f.Type.StructIn(); inner != nil {
			c.checkOptional(where, inner, met)
		}
		if f.Reference != nil && f.Reference.Optional && f.Writable() {
			c.fail(where+": "+naming.TypeName(s.Go)+"."+f.GoPath, "has the word ref and the rule omitempty, but the resource has no Prepare hook "+
				"that could set it; remove omitempty, or use a pointer for a reference that may be null")
		}
	}
}

func (c *compiler) linkField(where string, r *model.Reference, of bearer) {
	target := c.target(where, r)
	if target == nil {
		id := &model.Field{Name: "id", Type: r.Key}
		r.Target = &model.Struct{ID: id, IDs: []*model.Field{id}} // to go on with
		return
	}
	r.Target, r.Name = target.resource.Struct, target.resource.ShortName
	c.checkKey(where, r)
	if of == ofPart && (r.Expand || r.Through != nil || r.OnDelete != model.Restrict) {
		c.fail(where, "has expand, through or ondelete; they are for references that are members of a record itself")
	}
	if target.isWhole { // else its tags may say other than was meant
		c.checkThrough(where, r)
	}
	if c.config.References == Paths {
		if c.links.addresses[r.Target] == nil {
			c.links.addresses[r.Target] = new(uritemplate.Address)
		}
		r.Address = c.links.addresses[r.Target]
	}
	c.links.all = append(c.links.all, link{c.turn, where, r, target})
}

// checkKey checks that the keys of a reference are of the type of what identifies the other records.
func (c *compiler) checkKey(where string, r *model.Reference) {
	id := r.Target.Identifier()
	if id.Accords(r.Key) {
		return
	}
	found := r.Key.Go.String()
	if r.Key.Kind == model.Key {
		found += " with the fields " + r.Key.FormOf()
	}
	if !id.IsComposite() {
		c.fail(where, "has keys of the type %s, but the identifier of %s has the type %s", found, r.Name, id.Type())
	} else {
		allowed := "one key, a struct"
		if r.Many {
			allowed = "a slice of structs"
		}
		c.fail(where, "refers to %s, which is identified by %s together, and has keys of the type %s; allowed: %s with the fields %s, in this order",
			r.Name, strings.Join(id.Names(), ", "), found, allowed, id.Form())
	}
	r.Through = nil
}

// target returns the declaration that a reference is to: by its short name, else by the name of
// its Go type. It returns nil where there is none, or several are meant.
func (c *compiler) target(where string, r *model.Reference) *declared {
	var named, typed []*declared
	var names []string
	for _, d := range c.declared {
		if d.resource.Struct == nil || d.resource.Struct.ID == nil {
			continue
		}
		names = append(names, d.resource.ShortName)
		if d.resource.ShortName == r.To {
			named = append(named, d)
		}
		if d.typeName == r.To {
			typed = append(typed, d)
		}
	}
	switch {
	case len(named) > 0:
		return named[0] // two of one name are told of already
	case len(typed) > 1:
		c.fail(where, "refers to %s, which several resources are of; name one by its ShortName: %s", r.To, strings.Join(namesOf(typed), ", "))
	case len(typed) == 0 && !c.isMistaken(r.To):
		c.fail(where, "refers to %s, which no resource is called; allowed: %s%s", r.To, strings.Join(names, ", "), naming.DidYouMean(r.To, names))
	case len(typed) == 1:
		return typed[0]
	}
	return nil
}

// isMistaken reports whether a declaration has that name whose struct is mistaken, which is
// told of already.
func (c *compiler) isMistaken(name string) bool {
	return slices.ContainsFunc(c.declared, func(d *declared) bool {
		s := d.resource.Struct
		return (s == nil || s.ID == nil) && (d.resource.ShortName == name || d.typeName == name)
	})
}

func namesOf(list []*declared) []string {
	names := make([]string, len(list))
	for i, d := range list {
		names[i] = d.resource.ShortName
	}
	return names
}

// checkThrough checks that filters and order can go by the members that a reference names. Of
// several records none has the value that an order would be by: a list is only filtered.
func (c *compiler) checkThrough(where string, r *model.Reference) {
	var names []string
	for _, path := range r.Target.Paths() {
		if leaf := path.Leaf(); leaf.Filters != nil || leaf.Sort && !r.Many {
			names = append(names, path.Name)
		}
	}
	purpose := "neither filters nor orders by"
	if r.Many {
		purpose = "does not filter by, and no order goes through a list"
	}
	allowed := cmp.Or(strings.Join(names, ", "), "none as it is; give its members the word filter")
	for _, member := range r.Through {
		if !slices.Contains(names, member) {
			c.fail(where, "has through=%s, which %s %s; allowed: %s%s",
				member, r.Name, purpose, allowed, naming.DidYouMean(member, names))
		}
	}
}

// address is the phase after operations: it finds what the addresses of records look like that
// others refer to.
func (c *compiler) address() {
	for i := range c.links.all {
		l := &c.links.all[i]
		if l.reference.Address == nil {
			continue
		}
		c.turn = l.turn
		switch get := l.target.resource.Item; {
		case get != nil:
			*l.reference.Address = uritemplate.AddressOf(get.Template, strings.Join(l.target.resource.ID.Names(), ";"), get.Suffixes())
		case !c.hasMistake(l.target.turn):
			c.fail(l.where, "refers to %s, which has no Get whose address could stand for a record; add one, or set References of the Config to resource.Identifiers",
				l.reference.Name)
		}
	}
	c.addressInverses()
	c.model.ByStruct = make(map[*model.Struct]*compiled.Resource, len(c.model.Resources))
	for _, r := range c.model.Resources {
		c.model.ByStruct[r.Struct] = r
		r.Read = readRule(r)
		if r.Item != nil {
			place := uritemplate.AddressOf(r.Item.Template, strings.Join(r.ID.Names(), ";"), r.Item.Suffixes())
			r.Address = &place
			continue
		}
		for _, op := range r.Operations {
			r.Home = cmp.Or(r.Home, compiled.HomeOf(op))
		}
	}
	c.reach()
	c.depend()
}

// readRule returns the rule by which a record is seen: that of the Get whose address stands for
// it, else of any operation that reads one.
func readRule(r *compiled.Resource) *gate.Rule {
	if r.Item != nil {
		if r.Item.Gate == nil {
			return nil
		}
		return r.Item.Gate.Read
	}
	for _, op := range r.Operations {
		if op.Gate != nil && op.Gate.Read != nil {
			return op.Gate.Read
		}
	}
	return nil
}

// depend notes which answers depend on who asks since rules of other resources do.
func (c *compiler) depend() {
	for _, r := range c.model.Resources {
		for _, op := range r.Operations {
			personal := dependsOn(op.Expansions) || len(r.Reached) > 0 && slices.ContainsFunc(op.Through(), func(field string) bool {
				return r.Reached[field] != nil && isPersonal(r.Reached[field])
			})
			for i := range op.Parents {
				personal = personal || isPersonal(op.Parents[i].Resource)
			}
			personal = personal || c.filtersPersonally(op)
			if !personal || op.Private {
				continue
			}
			if op.Private = true; op.Cache != nil {
				op.Cache = []string{c.private("resource "+r.ShortName+": operation "+op.ID, op.Cache[0], op)}
			}
		}
	}
}

// filtersPersonally reports whether what a filter finds depends on which records of another
// resource the caller may see.
func (c *compiler) filtersPersonally(op *compiled.Operation) bool {
	return op.Pages && slices.ContainsFunc(op.Parameters.List, func(p *parameters.Parameter) bool {
		if p.Kind != parameters.Filter || p.Path.Leaf().Reference == nil {
			return false
		}
		target := c.model.ByStruct[p.Path.Leaf().Reference.Target]
		return target != nil && target.Read.IsPersonal()
	})
}

func dependsOn(list []*compiled.Expansion) bool {
	return slices.ContainsFunc(list, func(e *compiled.Expansion) bool { return isPersonal(e.Resource) || dependsOn(e.Inner) })
}

func isPersonal(r *compiled.Resource) bool { return r.Read.IsPersonal() || r.Gate.IsPersonal() }

func (c *compiler) hasMistake(turn int) bool {
	return slices.ContainsFunc(c.mistakes, func(m mistake) bool { return m.turn == turn })
}

func hasReference(s *model.Struct, met map[*model.Struct]bool) bool {
	if s == nil || met[s] {
		return false
	}
	met[s] = true
	return slices.ContainsFunc(s.Fields, func(f *model.Field) bool {
		return f.Reference != nil || hasReference(f.Type.StructIn(), met)
	})
}
