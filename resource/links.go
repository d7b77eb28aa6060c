package resource

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// References is how clients see references to records of other resources, which are fields with the word ref in their
// api tag. The default is [Paths].
type References int

const (
	// Paths shows the path of the referenced record, such as "/api/users/1", in responses, and accepts it in bodies and
	// filters. The path is that of the other resource's first Get, which must exist.
	Paths References = iota
	// Identifiers shows and accepts the identifier of the record, such as 1.
	Identifiers
)

// links holds the references of all declarations.
type links struct {
	all      []link
	inverses []inverse
	nestings []nesting
	paths    map[*model.Struct]*uritemplate.RecordPath // of the records of a resource
	linked   map[*model.Struct]bool                    // structs whose references are linked
}

// link is one reference, with the field of its errors.
type link struct {
	turn      int
	at        model.Declaration
	reference *model.Reference
	target    *declared
}

// linkReferences finds the resource of each reference, regardless of the order of declarations.
func (c *compiler) linkReferences() {
	c.visit(func(d *declared) {
		if d.resource.Struct != nil {
			c.linkStruct(d.resource.Struct, ofRecord, d.prepare != nil)
		}
	})
	// The value of an inverse is the identifier, written as the path of a subresource.
	c.visit(func(d *declared) {
		if d.resource.Struct == nil || d.resource.Struct.ID == nil {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(d.inverse)) {
			c.linkInverse(d, name, d.inverse[name])
		}
	})
}

// bearer is what contains a reference.
type bearer int

const (
	ofRecord  bearer = iota // the record itself
	ofPart                  // a nested struct
	ofHandler               // a body or response of a handler
)

// linkStruct links the references of a struct and of nested structs, and sets Refers if it has any. Prepares is whether a
// hook can set them.
func (c *compiler) linkStruct(s *model.Struct, of bearer, prepares bool) {
	if c.links.linked[s] {
		return
	}
	c.links.linked[s] = true
	for _, f := range s.Fields {
		for t := f.Type; t != nil; t = t.Elem {
			if t.Struct != nil {
				c.linkStruct(t.Struct, max(of, ofPart), prepares)
				s.Refers = s.Refers || t.Struct.Refers
			}
		}
		if f.Reference == nil {
			continue
		}
		s.Refers = true
		f.Reference.Required = f.Refers() && f.Writable() && !f.Reference.Optional
		c.linkField(fieldAt(s.Go, f), f.Reference, of, prepares || !f.Writable())
		if of == ofRecord && f.Reference.Name != "" {
			f.Reference.Target.Referring = append(f.Reference.Target.Referring, &model.Referring{
				Resource: find(c.declared, s).resource.ShortName, Name: s.NameOf(f), From: s, Field: f,
			})
		}
		if own := s.Field("_embedded"); own != nil && of == ofRecord {
			c.failAt(fieldAt(s.Go, own), "the JSON name %q is reserved for embedded records, because %s is a reference", own.Name, f.Name)
		}
	}
}

// linkField links a reference. It reports one with omitempty that clients set, unless a Prepare hook can set it: a body
// without it would be valid according to the document, but never accepted.
func (c *compiler) linkField(at model.Declaration, r *model.Reference, of bearer, isSet bool) {
	if r.Optional && !isSet {
		c.failAt(at, "a reference with omitempty needs a Prepare hook that sets it; "+
			"remove omitempty, or use a pointer for a reference that can be null")
	}
	target := c.target(r, func(format string, args ...any) { c.failAt(at, format, args...) })
	if target == nil {
		id := &model.Field{Name: "id", Type: r.Key}
		r.Target = &model.Struct{ID: id, IDs: []*model.Field{id}} // so that compilation can continue
		return
	}
	r.Target, r.Name = target.resource.Struct, target.resource.ShortName
	checkKey(c.mistakes, at, r)
	if of == ofPart && (r.Expand || r.Through != nil || r.OnDelete != model.Restrict) {
		c.failAt(at, "expand, through and ondelete are only for references of the record itself, not in nested structs")
	}
	checkThrough(c.mistakes, at, r, target.isValid)
	if c.config.References == Paths {
		if c.links.paths[r.Target] == nil {
			c.links.paths[r.Target] = new(uritemplate.RecordPath)
		}
		r.Path = c.links.paths[r.Target]
	}
	c.links.all = append(c.links.all, link{c.turn, at, r, target})
}

// checkKey checks that the keys of a reference have the type of the other record's identifier.
func checkKey(errs *mistakes, at model.Declaration, r *model.Reference) {
	id := r.Target.Identifier()
	if id.Accords(r.Key) {
		return
	}
	found := r.Key.Go.String()
	if r.Key.Kind == model.Key {
		found += " with the fields " + r.Key.Identifier().Form()
	}
	if !id.IsComposite() {
		errs.failAt(at, "the type of the key is %s, but the identifier of %s is %s", found, r.Name, id.Type())
	} else {
		allowed := "a struct"
		if r.Many {
			allowed = "a slice of structs"
		}
		errs.failAt(at, "references %s by its composite identifier %s, but the type of the key is %s; use %s with the fields %s, in this order",
			r.Name, strings.Join(id.Names(), ", "), found, allowed, id.Form())
	}
	r.Through = nil
}

// target returns the declaration that a reference means: by its short name, else by the name of its Go type. It reports
// an unknown or ambiguous name and returns nil.
func (c *compiler) target(r *model.Reference, fail func(format string, args ...any)) *declared {
	var named, typed []*declared
	var names []string
	for _, d := range c.declared {
		if d.resource.Struct == nil || d.resource.Struct.ID == nil {
			continue
		}
		if !slices.Contains(names, d.resource.ShortName) {
			names = append(names, d.resource.ShortName)
		}
		if d.resource.ShortName == r.To {
			named = append(named, d)
		}
		if d.typeName == r.To {
			typed = append(typed, d)
		}
	}
	switch {
	case len(named) > 0:
		return named[0] // duplicates are already reported
	case len(typed) > 1:
		fail("references type %s, which several resources have; use the ShortName of one: %s", r.To, strings.Join(namesOf(typed), ", "))
	case len(typed) == 0 && !isMistaken(c.declared, r.To):
		fail("references resource %q, which does not exist%s", r.To, naming.Allowed(r.To, names))
	case len(typed) == 1:
		return typed[0]
	}
	return nil
}

// isMistaken reports whether a declaration of that name has an invalid struct, which is already reported.
func isMistaken(all []*declared, name string) bool {
	return slices.ContainsFunc(all, func(d *declared) bool {
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

// checkThrough checks that collections or aggregates can use the fields that through names. A list of references cannot be
// sorted or grouped, because it has several values.
func checkThrough(errs *mistakes, at model.Declaration, r *model.Reference, isValid bool) {
	var names []string
	for _, path := range r.Target.Paths() {
		if leaf := path.Leaf(); leaf.Filters != nil || !r.Many && (leaf.Sort || leaf.Group || leaf.Aggregate) {
			names = append(names, path.Name)
		}
	}
	words := "filter, sort, group or aggregate"
	if r.Many {
		words = "filter"
	}
	for _, field := range r.Through {
		if !isValid && r.Target.Field(field) != nil { // its tag may be what is wrong
			continue
		}
		if !slices.Contains(names, field) {
			hint := cmp.Or(naming.Allowed(field, names), "; add one to the field")
			errs.failAt(at, "through=%s needs a field of %s with %s%s", field, r.Name, words, hint)
		}
	}
}

// linkPaths is the phase after operations. It determines the paths of records that others reference.
func (c *compiler) linkPaths() {
	for i := range c.links.all {
		l := &c.links.all[i]
		if l.reference.Path == nil {
			continue
		}
		c.turn = l.turn
		switch get := l.target.resource.Item; {
		case get != nil:
			*l.reference.Path = uritemplate.RecordPathOf(get.Template, strings.Join(l.target.resource.ID.Names(), ";"), get.Suffixes())
		case !c.isPartial(l.target):
			c.failAt(l.at, "references %s, which has no Get and so no path; add a Get, or set Config.References to resource.Identifiers",
				l.reference.Name)
		}
	}
	c.pathsOfInverses()
	c.model.ByStruct = make(map[*model.Struct]*compiled.Resource, len(c.model.Resources))
	for _, r := range c.model.Resources {
		c.model.ByStruct[r.Struct] = r
		if r.Item != nil {
			place := uritemplate.RecordPathOf(r.Item.Template, strings.Join(r.ID.Names(), ";"), r.Item.Suffixes())
			r.RecordPath = &place
			if r.Item.Gate != nil {
				r.Read = r.Item.Gate.Read
			}
			continue
		}
		for _, op := range r.Operations {
			r.Home = cmp.Or(r.Home, compiled.HomeOf(op))
			if op.Gate != nil { // without a Get, the rule is that of any operation that reads a record
				r.Read = cmp.Or(r.Read, op.Gate.Read)
			}
		}
	}
	findReached(c.mistakes, c.model, c.declared)
	markPrivate(c.mistakes, c.model)
}

// isPartial reports whether a resource lacks operations because of errors that are already reported.
func (c *compiler) isPartial(d *declared) bool {
	return d.resource.Source == nil || slices.ContainsFunc(d.resource.Operations, func(op *compiled.Operation) bool { return c.misplaced[op] })
}

// markPrivate marks responses as private if they depend on the rules of other resources.
func markPrivate(errs *mistakes, api *compiled.API) {
	for _, r := range api.Resources {
		for _, op := range r.Operations {
			personal := dependsOn(op.Expansions) || len(r.Reached) > 0 && slices.ContainsFunc(op.Through(), func(field string) bool {
				return r.Reached[field] != nil && isPersonal(r.Reached[field])
			})
			for i := range op.Parents {
				personal = personal || isPersonal(op.Parents[i].Resource)
			}
			personal = personal || filtersPersonally(api, op)
			if !personal || op.Private {
				continue
			}
			if op.Private = true; op.Cache != nil {
				op.Cache = []string{privateCache(errs, r.ShortName+": operation "+op.ID, op.Cache[0], op)}
			}
		}
	}
}

// filtersPersonally reports whether a filter's result depends on which records of another resource the caller may see.
func filtersPersonally(api *compiled.API, op *compiled.Operation) bool {
	return op.Pages && slices.ContainsFunc(op.Parameters.List, func(p *parameters.Parameter) bool {
		if p.Kind != parameters.Filter || p.Path.Leaf().Reference == nil {
			return false
		}
		target := api.ByStruct[p.Path.Leaf().Reference.Target]
		return target != nil && target.Read.IsPersonal()
	})
}

func dependsOn(list []*compiled.Expansion) bool {
	return slices.ContainsFunc(list, func(e *compiled.Expansion) bool { return isPersonal(e.Resource) || dependsOn(e.Inner) })
}

func isPersonal(r *compiled.Resource) bool { return r.Read.IsPersonal() || r.Gate.IsPersonal() }

// inverse is a field that shows the path of the records that reference this one.
type inverse struct {
	of    *declared
	where string
	field *model.Field // shows the path
	from  *declared    // whose records refer to it
	by    *model.Field // the reference
	path  *uritemplate.RecordPath
}

func (c *compiler) linkInverse(d *declared, name, of string) {
	where, s := d.where+": Inverse", d.resource.Struct
	switch {
	case name == "" || strings.ContainsAny(name, `'"\`+"`.[]\x00"):
		c.fail(where, "the name %q is not allowed; names cannot be empty or contain dots, brackets, quotes or backslashes", name)
		return
	case s.Field(name) != nil:
		c.fail(where, "the record already has a field %q", name)
		return
	}
	resourceName, member, dotted := strings.Cut(of, ".")
	if !dotted || member == "" {
		c.fail(where, "%q of %q is not a reference; write a resource and its reference, such as \"DragonTreasure.owner\"", of, name)
		return
	}
	from := c.target(&model.Reference{To: resourceName}, func(format string, args ...any) { c.fail(where, format, args...) })
	if from == nil {
		return
	}
	by := from.resource.Struct.Field(member)
	if by == nil || !canBeParent(by) || by.Reference.Target != s {
		var allowed []string
		for _, f := range from.resource.Struct.Fields {
			if canBeParent(f) && f.Reference.Target == s {
				allowed = append(allowed, f.Name)
			}
		}
		c.fail(where, "%q of %q is not a reference to %s%s", of, name, d.resource.ShortName, naming.Allowed(member, allowed))
		return
	}
	address, index, key := new(uritemplate.RecordPath), s.ID.Index, s.ID.Type
	if s.Identifier().IsComposite() { // then all its fields are needed
		index, key = nil, &model.Type{Go: s.Go, Kind: model.Key}
	}
	made := &model.Field{
		Name: name, GoPath: s.ID.GoPath, Index: index, Type: key, ReadOnly: true,
		Doc:       "The path of the " + naming.Phrase(from.resource.PluralName) + " that refer to this record.",
		Reference: &model.Reference{To: from.resource.ShortName, Key: key, Target: s, Name: d.resource.ShortName, Path: address},
	}
	c.links.inverses = append(c.links.inverses, inverse{d, where, made, from, by, address})
	s.Inverses = append(s.Inverses, made)
}

// pathsOfInverses finds the collections whose paths inverse fields show.
func (c *compiler) pathsOfInverses() {
	for i := range c.links.inverses {
		inverse := &c.links.inverses[i]
		c.turn = inverse.of.turn
		collection := below(inverse.from.resource, inverse.by)
		switch {
		case collection != nil:
			*inverse.path = uritemplate.RecordPathOf(collection.Template, inverse.by.Name, collection.Suffixes())
		case !c.isPartial(inverse.from):
			name := inverse.from.resource.ShortName
			c.fail(inverse.where, "%s.%s needs a collection of %s below that reference; add operation.GetCollection{URITemplate: %q} to its Operations",
				name, inverse.by.Name, name,
				"/"+c.plurals.Path(inverse.of.resource.ShortName)+"/{"+inverse.by.Name+"}/"+c.plurals.Path(name))
		}
	}
	c.turn = ofAll
}

// below returns the first collection of a resource with just that reference in its path, nil for none.
func below(r *compiled.Resource, by *model.Field) *compiled.Operation {
	for _, op := range r.Operations {
		if op.Kind == operation.KindGetCollection && len(op.Parents) == 1 && sets(op, by) {
			return op
		}
	}
	return nil
}
