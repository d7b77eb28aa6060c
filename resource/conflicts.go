package resource

import (
	"fmt"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// link is the phase after models: by now every resource is known by its name. No two have the
// same, and what structs say of one another is found.
func (c *compiler) link() {
	for _, d := range c.declared {
		r := d.resource
		switch other := c.names[r.ShortName]; {
		case r.Struct == nil || r.Struct.ID == nil:
		case other == nil:
			c.names[r.ShortName] = r
		default:
			c.fail("resource "+r.ShortName, "%s and %s have the same short name; set ShortName on one", other.Struct.Go, r.Struct.Go)
		}
	}
	c.linkReferences()
}

// checkIDs checks that no two operations have the same id in the document. Those of two
// resources of one name are told of already.
func (c *compiler) checkIDs() {
	ids := make(map[string]*compiled.Operation, 6*len(c.model.Resources))
	for _, r := range c.model.Resources {
		if c.names[r.ShortName] != r {
			continue
		}
		for _, op := range r.Operations {
			if other, taken := ids[op.ID]; taken && op.Name == "" {
				op.ID = c.idByShape(op, other)
			}
			if other, taken := ids[op.ID]; taken {
				c.fail("resource "+r.ShortName, "two operations have the id %s, at %s and %s; set Name on one",
					op.ID, describeRoute(other), describeRoute(op))
			}
			ids[op.ID] = op
		}
	}
}

// idByShape returns the id of an operation without a name, of which another one has the usual id: by the
// View, Output or Input in which it differs from that one.
func (c *compiler) idByShape(op, other *compiled.Operation) string {
	shape := ""
	mine, theirs := c.drafts[op], c.drafts[other]
	switch {
	case titleOf(op) != titleOf(other):
		shape = titleOf(op)
	case op.HasOutput && mine.Output != theirs.Output:
		_, out := mine.Output.Types()
		shape = naming.TypeName(out)
	case op.HasInput && mine.Input != theirs.Input:
		_, in := mine.Input.Types()
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

// titleOf returns the name of the view that an operation answers by, "" for none.
func titleOf(op *compiled.Operation) string {
	if op.Out == nil || op.Out.View == nil {
		return ""
	}
	return op.Out.View.Title
}

// checkRoutes checks that no two operations are served at the same method and path. Two
// of one id are told of already.
func (c *compiler) checkRoutes() {
	type route struct{ method, shape string }
	served := make(map[route]*compiled.Operation, 6*len(c.model.Resources))
	for _, r := range c.model.Resources {
		for _, op := range r.Operations {
			at := route{op.Method, op.Template.Shape()}
			if other, taken := served[at]; taken && other.ID != op.ID {
				c.fail("resource "+r.ShortName, "operation %s and operation %s of resource %s are both at %s; set URITemplate on one, or ShortName",
					op.ID, other.ID, other.Resource.ShortName, describeRoute(op))
			}
			served[at] = op
		}
	}
}

func describeRoute(op *compiled.Operation) string {
	return fmt.Sprintf("%s %s", op.Method, op.Path())
}
