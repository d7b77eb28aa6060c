package resource

import (
	"fmt"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// link is the phase after models, when every resource is known by its name. It reports duplicate names and resolves
// references.
func (c *compiler) link() {
	for _, d := range c.declared {
		r := d.resource
		switch other := c.names[r.ShortName]; {
		case r.Struct == nil || r.Struct.ID == nil:
		case other == nil:
			c.names[r.ShortName] = r
		default:
			c.turn = d.turn
			c.duplicate(other, r)
		}
	}
	c.turn = ofAll
	c.linkReferences()
}

// duplicate reports two resources with one name.
func (c *compiler) duplicate(first, second *compiled.Resource) {
	if first.Struct.Go == second.Struct.Go {
		c.note("", fmt.Errorf("resource %q is declared twice", second.ShortName))
		return
	}
	c.note("", fmt.Errorf("resource %q is declared twice, for %s and %s; set ShortName on one", second.ShortName, first.Struct.Go, second.Struct.Go))
}

// turnOf returns the turn of a resource's declaration.
func (c *compiler) turnOf(r *compiled.Resource) int {
	for _, d := range c.declared {
		if d.resource == r {
			return d.turn
		}
	}
	return ofAll
}

// checkIDs reports operations with the same id in the document. It skips resources with the same name, which are already
// reported.
func (c *compiler) checkIDs() {
	ids := make(map[string]*compiled.Operation, 6*len(c.model.Resources))
	for _, r := range c.model.Resources {
		if c.names[r.ShortName] != r {
			continue
		}
		for _, op := range r.Operations {
			if c.misplaced[op] {
				continue
			}
			if other, taken := ids[op.ID]; taken && op.Name == "" {
				op.ID = c.idByShape(op, other)
			}
			if other, taken := ids[op.ID]; taken {
				c.turn = c.turnOf(r)
				c.fail(r.ShortName, "two operations have the id %s, at %s and %s; set Name on one",
					op.ID, describeRoute(other), describeRoute(op))
			}
			ids[op.ID] = op
		}
	}
	c.turn = ofAll
}

// idByShape returns the id of an operation without a name, if another operation has the usual id: it adds the View,
// Output or Input in which the two differ.
func (c *compiler) idByShape(op, other *compiled.Operation) string {
	shape := ""
	switch {
	case titleOf(op) != titleOf(other):
		shape = titleOf(op)
	case op.Output != nil && op.Output != other.Output:
		_, out := op.Output.Types()
		shape = naming.TypeName(out)
	case op.Input != nil && op.Input != other.Input:
		_, in := op.Input.Types()
		shape = naming.TypeName(in)
	}
	if shape == "" {
		return op.ID
	}
	own := op.Resource.ShortName
	if op.Kind == operation.KindGetCollection {
		shape, own = c.plurals.Name(shape), op.Resource.PluralName
	}
	verb := strings.TrimSuffix(op.ID, own)
	return verb + op.Resource.ShortName + naming.Capital(strings.TrimPrefix(shape, op.Resource.ShortName))
}

// titleOf returns the name of the view of an operation's responses, "" for none.
func titleOf(op *compiled.Operation) string {
	if op.Out == nil || op.Out.View == nil {
		return ""
	}
	return op.Out.View.Title
}

// checkRoutes reports operations with the same method and path. It skips those with the same id, which are already
// reported.
func (c *compiler) checkRoutes() {
	type route struct{ method, shape string }
	served := make(map[route]*compiled.Operation, 6*len(c.model.Resources))
	for _, r := range c.model.Resources {
		for _, op := range r.Operations {
			if c.misplaced[op] {
				continue
			}
			at := route{op.Method, op.Template.Shape()}
			if other, taken := served[at]; taken && other.ID != op.ID {
				c.turn = c.turnOf(r)
				c.fail(r.ShortName, "the operations %s and %s have the same route %s; set URITemplate on one, or ShortName",
					op.ID, other.ID, describeRoute(op))
			}
			served[at] = op
		}
	}
	c.turn = ofAll
}

func describeRoute(op *compiled.Operation) string {
	return fmt.Sprintf("%s %s", op.Method, op.Path())
}
