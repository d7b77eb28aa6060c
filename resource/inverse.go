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

// inverse is a member that shows where the records are that refer to one.
type inverse struct {
	of      *declared
	where   string
	from    *declared    // whose records refer to it
	by      *model.Field // the reference
	address *uritemplate.Address
}

// linkInverses gives the structs of resources their members that show where others are. What
// stands there is the identifier, written as the address of a subresource.
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
		c.fail(where, "has the name %q; a name has no dots, brackets, quotes or backslashes", name)
		return
	case s.Field(name) != nil:
		c.fail(where, "has %q, which is a member of the record already", name)
		return
	}
	resourceName, member, dotted := strings.Cut(of, ".")
	if !dotted || member == "" {
		c.fail(where, "has %q for %q; write it as the name of a resource and of its reference, as in \"DragonTreasure.owner\"", of, name)
		return
	}
	from := c.target(where, &model.Reference{To: resourceName})
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
		c.fail(where, "has %q for %q, which is no reference to one %s; allowed: %s%s", of, name, d.resource.ShortName,
			strings.Join(allowed, ", "), naming.DidYouMean(member, allowed))
		return
	}
	address, index, key := new(uritemplate.Address), s.ID.Index, s.ID.Type
	if s.Identifier().IsComposite() { // then the whole record tells
		index, key = nil, &model.Type{Go: s.Go, Kind: model.Key}
	}
	c.links.inverses = append(c.links.inverses, inverse{d, where, from, by, address})
	s.Inverses = append(s.Inverses, &model.Field{
		Name: name, GoPath: s.ID.GoPath, Index: index, Type: key, ReadOnly: true,
		Doc:       "Where the " + naming.Phrase(from.resource.PluralName) + " are that refer to it.",
		Reference: &model.Reference{To: from.resource.ShortName, Key: key, Target: s, Name: d.resource.ShortName, Address: address},
	})
}

// addressInverses finds the collections that inverse members show the addresses of.
func (c *compiler) addressInverses() {
	for i := range c.links.inverses {
		inverse := &c.links.inverses[i]
		c.turn = inverse.of.turn
		collection := below(inverse.from.resource, inverse.by)
		switch {
		case collection != nil:
			*inverse.address = uritemplate.AddressOf(collection.Template, inverse.by.Name, collection.Suffixes())
		case !c.hasMistake(inverse.from.turn):
			name := inverse.from.resource.ShortName
			c.fail(inverse.where, "names %s.%s, but no collection of %s is below that reference; add operation.GetCollection{URITemplate: %q} to its Operations",
				name, inverse.by.Name, name,
				"/"+c.plurals.Path(inverse.of.resource.ShortName)+"/{"+inverse.by.Name+"}/"+c.plurals.Path(name))
		}
	}
	c.turn = ofAll
}

// below returns the first collection of a resource below a reference alone, nil for none.
func below(r *compiled.Resource, by *model.Field) *compiled.Operation {
	for _, op := range r.Operations {
		if op.Kind == operation.KindGetCollection && len(op.Parents) == 1 && sets(op, by) {
			return op
		}
	}
	return nil
}
