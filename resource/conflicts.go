package resource

import (
	"fmt"

	"github.com/trove-api/trove/internal/compiled"
)

// checkNames checks that no two resources or operations have the same name in the
// document.
func (c *compiler) checkNames() {
	resources := make(map[string]string, len(c.model.Resources))
	ids := make(map[string]*compiled.Operation, 6*len(c.model.Resources))
	for _, r := range c.model.Resources {
		if other, taken := resources[r.ShortName]; taken {
			c.fail("resource "+r.ShortName, "%s and %s have the same short name; set ShortName on one", other, r.Struct.Go)
			continue
		}
		resources[r.ShortName] = r.Struct.Go.String()
		for _, op := range r.Operations {
			if other, taken := ids[op.ID]; taken {
				c.fail("resource "+r.ShortName, "two operations have the id %s, at %s and %s; set Name on one",
					op.ID, describeRoute(other), describeRoute(op))
			}
			ids[op.ID] = op
		}
	}
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
