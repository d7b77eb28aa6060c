package resource

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// nesting is a list of an operation's body that is being compiled.
type nesting struct {
	*operationCompiler
	*compiled.Nested

	turn int
	of   *inverse
}

// nested finds the lists of an operation's body.
func (o *operationCompiler) nested() {
	if o.Custom || !o.Kind.TakesBody() || o.Membership != nil {
		return // reported as a setting of other operations
	}
	known := slices.Sorted(maps.Keys(o.definition.inverse))
	for i, name := range o.metadata.Nested {
		at := slices.IndexFunc(o.c.links.inverses, func(i inverse) bool { return i.of.resource == o.Resource && i.field.Name == name })
		if at < 0 {
			if !slices.Contains(known, name) { // else the Inverse is reported
				o.fail("Nested has %q, which is not in Inverse of the resource%s", name, naming.Allowed(name, known))
			}
			continue
		}
		of := &o.c.links.inverses[at]
		switch {
		case slices.Contains(o.metadata.Nested[:i], name):
			o.fail("Nested has %q twice", name)
		case o.Input != nil:
			o.fail("Nested has %q, but the body is not the record; remove Input or Nested", name)
		case of.by.Reference.Many:
			o.fail("Nested has %q, but %s.%s is a list of references, so a record can be in several lists; use a reference to one record",
				name, of.from.resource.ShortName, of.by.Name)
		default:
			n := nesting{o, &compiled.Nested{Name: name, Field: of.by}, o.c.turn, of}
			o.Nested, o.c.links.nestings = append(o.Nested, n.Nested), append(o.c.links.nestings, n)
			// The response embeds the list, unless it does not show the path of the list, or an Output shows its records.
			shown := of.from.resource.Embedded
			if shown == nil || o.Output != nil || o.Out == nil || o.Out.View.Field(of.field) == nil {
				continue
			}
			list, reference := *of.field, *of.field.Reference
			reference.Many, reference.Most = true, o.API.MaxNested
			list.Reference = &reference
			o.Expansions = append(o.Expansions, compiled.NewExpansion(compiled.Expansion{
				Path: name, Field: &list, Resource: of.from.resource, Shown: shown, Always: true, Nested: n.Nested,
			}))
		}
	}
}

// nest is the phase after elements. It finds the operations that save the records of lists in bodies.
func (c *compiler) nest() {
	for _, n := range c.links.nestings {
		if c.turn = n.turn; c.isPartial(n.of.from) {
			continue
		}
		n.where = n.of.of.where + ": " + n.ID
		if n.compile(); n.Create != nil && (n.Change != nil || n.Kind == operation.KindPost) {
			n.list()
		}
	}
	c.turn = ofAll
}

// compile finds the operations of the list's records. It reports missing ones, and stores that cannot save together.
func (n nesting) compile() {
	r := n.of.from.resource
	if through := n.of.from.store.Through; n.of.from != n.of.of && (through == nil || through(n.Field.Name, n.of.of.store.Itself) != nil) {
		n.fail("Nested has %q, but the stores of %s and %s cannot save together; "+
			"keep both in memory or in one database, and implement store.Joiner in wrappers", n.Name, n.Resource.ShortName, r.ShortName)
	}
	isOther := func(f *model.Field) bool { return f != n.Field }
	n.Named = !r.ID.Generated() && !slices.ContainsFunc(r.ID.FromService(), isOther)
	key := *r.Source.Views.View(model.MergeNaming)
	key.Fields = slices.Clone(key.Fields)
	for i := range key.Fields {
		m := &key.Fields[i]
		if m.Writable, m.Needed, m.Required = m.Field.Identifier && isOther(m.Field), false, false; m.Writable {
			n.Keys = append(n.Keys, m.Field)
		}
	}
	n.Key = r.Source.Codec.Decoder(&key)
	if n.List = below(r, n.Field); n.List != nil && n.List.Custom { // without one the Inverse is reported
		n.fail("Nested has %q, but the collection of %s below %s has a Handler; add one without", n.Name, r.ShortName, n.Field.Name)
	}
	n.Create = n.saving(operation.KindPost)
	if n.Kind == operation.KindPost {
		return
	}
	if n.Change = n.saving(n.Kind, operation.KindPatch, operation.KindPut); n.Change != nil {
		n.Delete = n.saving(operation.KindDelete)
	}
}

// saving returns the operation that saves records of the list, of the first kind that there is: below the record of the body,
// else one of all records. It reports if there is none.
func (n nesting) saving(kinds ...operation.Kind) *compiled.Operation {
	r := n.of.from.resource
	for _, kind := range kinds {
		var found *compiled.Operation
		for _, op := range r.Operations {
			isBelow := len(op.Parents) == 1 && sets(op, n.Field)
			isOther := op.Kind != kind || op.Custom || op.Membership != nil || op.Input != nil || op.Nested != nil
			if isOther || op.RequirePrecondition || len(op.Parents) > 0 && !isBelow { // elements of a body have no If-Match
				continue
			}
			if found == nil || isBelow && found.Parents == nil {
				found = op
			}
		}
		if found != nil {
			return n.belowBody(*found)
		}
	}
	n.fail("Nested has %q, but %s has no %s without Handler, Input, Nested and RequirePrecondition; add one to its Operations", n.Name, r.ShortName, kinds[0])
	return nil
}

// belowBody returns an operation as it saves records below that of the body, which the body does not name.
func (n nesting) belowBody(op compiled.Operation) *compiled.Operation {
	op.Parents = []compiled.Parent{{Variable: n.Field.Name, Resource: n.Resource, Field: n.Field, Below: compiled.OwnRecord}}
	op.AllowCreate, op.Missing, op.Expansions = false, nil, nil
	if op.In == nil {
		return &op
	}
	name, _, _ := strings.Cut(op.In.View.Name, "Below")
	view := op.In.View.Without([]string{n.Field.Name}, name+"Within"+n.Resource.ShortName)
	if m := view.Field(n.Field); m != nil {
		m.Writable = false
	}
	op.In = op.Resource.Source.Value(view)
	return &op
}

// list makes the list a field of the body, for documents. Elements of a Put or Patch may have an identifier.
func (n nesting) list() {
	r := n.of.from.resource
	inner, doc := n.Create.In.View, "The "+naming.Phrase(r.PluralName)+". A path, as in responses, is ignored."
	if n.Change != nil {
		view := *n.Change.In.View
		inner, doc = &view, doc+" Those that the list omits are deleted; without a list, all stay as they are."
		view.Fields, view.Listed = slices.Clone(view.Fields), true
		for _, f := range n.Keys {
			m := view.Field(f)
			m.Writable, m.Needed, m.Required = true, n.Named, n.Named
		}
	}
	if n.Listing == nil {
		n.Listing = n.In.View.Without(nil, n.In.View.Name+"With")
	}
	n.Listing.Name += naming.Capital(n.Name)
	*n.Listing.Field(n.of.field) = model.ViewField{Readable: true, Writable: true, Listed: true, Inner: inner, Field: &model.Field{
		Name: n.Name, GoPath: naming.Capital(n.Name), Doc: doc,
		Type:  &model.Type{Go: reflect.SliceOf(r.Struct.Go), Kind: model.List, Elem: r.Source.Type},
		Rules: model.Rules{All: []model.Constraint{{Name: "max", Param: strconv.Itoa(n.API.MaxNested)}}},
	}}
}
