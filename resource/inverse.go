package resource

import (
	"maps"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// inverse is a field that shows the path of the records that reference this one.
type inverse struct {
	of    *declared
	where string
	from  *declared    // whose records refer to it
	by    *model.Field // the reference
	path  *uritemplate.RecordPath
}

// linkInverses adds the inverse fields to the structs of resources. Their value is the identifier, written as the path
// of a subresource.
func (c *compiler) linkInverses() {
	for _, d := range c.declared {
		c.turn = d.turn
		if d.resource.Struct == nil || d.resource.Struct.ID == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(d.inverse)) {
			c.linkInverse(d, name, d.inverse[name])
		}
	}
	c.turn = ofAll
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
	c.links.inverses = append(c.links.inverses, inverse{d, where, from, by, address})
	s.Inverses = append(s.Inverses, &model.Field{
		Name: name, GoPath: s.ID.GoPath, Index: index, Type: key, ReadOnly: true,
		Doc:       "The path of the " + naming.Phrase(from.resource.PluralName) + " that refer to this record.",
		Reference: &model.Reference{To: from.resource.ShortName, Key: key, Target: s, Name: d.resource.ShortName, Path: address},
	})
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
