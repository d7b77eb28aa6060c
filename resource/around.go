package resource

import (
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/serve"
)

// wrap sets the middleware of operations. It runs when they have their ids.
func (c *compiler) wrap() {
	if len(c.config.Around) == 0 {
		return
	}
	var ids []string
	operations := map[string]*compiled.Operation{}
	for _, r := range c.model.Resources {
		for _, op := range r.Operations {
			ids = append(ids, op.ID)
			operations[op.ID] = op
		}
	}
	isWhole := len(c.mistakes) == 0 // else operations may be missing
	for i, around := range c.config.Around {
		if len(around.Operations) == 0 {
			c.fail("Config", "Around[%d] has no Operations; list their ids, or use Middleware for all requests", i)
		}
		if around.Middleware == nil {
			c.fail("Config", "Around[%d].Middleware must not be nil", i)
			continue
		}
		handler := serve.Around(around.Middleware)
		if handler == nil {
			c.fail("Config", "Around[%d].Middleware must not return nil", i)
		}
		for _, id := range around.Operations {
			if op := operations[id]; op != nil {
				op.Around = append(op.Around, handler)
			} else if isWhole {
				c.fail("Config", "Around[%d]: operation %q does not exist%s", i, id, naming.Allowed(id, ids))
			}
		}
	}
}
