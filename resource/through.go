package resource

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// goThrough checks that the stores of a resource can be asked by what its records refer to, where
// filters or order are to go through a reference. One that they cannot go through has no
// parameters, so that it is told once.
func (c *compiler) goThrough(d *declared) {
	for _, f := range d.resource.Struct.Fields {
		if f.Reference == nil || f.Reference.Through == nil {
			continue
		}
		where := d.where + ": " + naming.TypeName(d.record) + "." + f.GoPath
		if !c.canGoThrough(where, d, f) {
			f.Reference.Through = nil
		}
	}
}

func (c *compiler) canGoThrough(where string, d *declared, f *model.Field) bool {
	at := slices.IndexFunc(c.declared, func(other *declared) bool { return other.resource.Struct == f.Reference.Target })
	if at < 0 || d.store.Records == nil || c.declared[at].store.Records == nil { // told of already
		return false
	}
	if d.store.Through == nil {
		c.fail(where, "has through=%s, but the store does not say that it can be asked by what records refer to; "+
			"keep the records of both resources in memory, or in tables of one database, or make the store a store.Joiner",
			strings.Join(f.Reference.Through, "|"))
		return false
	}
	if err := d.store.Through(f.Name, c.declared[at].store.Itself); err != nil {
		c.fail(where, "has through=%s, but the store cannot be asked by the records of %s: %w; "+
			"keep the records of both in memory, or in tables of one database", strings.Join(f.Reference.Through, "|"), f.Reference.Name, err)
		return false
	}
	return true
}

// reach notes the resources that the collections of others reach through references, and checks
// that nothing is asked there which clients may not know, or the store not answer.
func (c *compiler) reach() {
	for _, d := range c.declared {
		c.turn = d.turn
		for _, f := range d.resource.Struct.Fields {
			if f.Reference == nil || f.Reference.Through == nil || !reaches(d.resource, f.Name) {
				continue
			}
			target := c.model.ByStruct[f.Reference.Target]
			if target == nil { // told of already
				continue
			}
			if d.resource.Reached == nil {
				d.resource.Reached = map[string]*compiled.Resource{}
			}
			d.resource.Reached[f.Name] = target
			where := d.where + ": " + naming.TypeName(d.record) + "." + f.GoPath
			c.checkShown(where, f, target)
			c.checkReached(where, d, f, target)
		}
	}
	c.turn = ofAll
}

// reaches reports whether a collection of a resource can be asked through a reference.
func reaches(r *compiled.Resource, field string) bool {
	return slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool { return slices.Contains(op.Through(), field) })
}

// checkShown checks that filters and order go by no member that the other resource's view leaves
// out of each answer.
func (c *compiler) checkShown(where string, f *model.Field, target *compiled.Resource) {
	if target.Item == nil || target.Item.HasOutput || !target.Item.Narrows() {
		return
	}
	for _, name := range f.Reference.Through {
		if path, ok := target.Struct.Path(name); ok && target.Item.Out.View.Member(path.Fields[0]) == nil {
			c.fail(where, "has through=%s, which the view %s of the Get of %s leaves out, but filters and order would tell",
				name, target.Item.Out.View.Title, target.ShortName)
		}
	}
}

// checkReached checks that the store can answer what the other resource's rules of access ask.
func (c *compiler) checkReached(where string, d *declared, f *model.Field, target *compiled.Resource) {
	asked, _ := target.Read.Asks()
	hidden, _ := target.Gate.Asks()
	if asked = append(asked, hidden...); len(asked) > 0 && d.store.QueryChecker != nil {
		c.noteStore(where, &d.definition, d.store.QueryChecker.CheckQuery(store.Query{
			Where: []store.Condition{{Through: f.Name, Any: [][]store.Condition{asked}}},
		}))
	}
}
