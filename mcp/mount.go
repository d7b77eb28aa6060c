package mcp

import (
	"errors"
	"fmt"

	"github.com/trove-api/trove/internal/guest"
	"github.com/trove-api/trove/resource"
)

// path is where agents find the service, whatever the prefix of the API.
const path = "/mcp"

// Mount serves the API to agents at /mcp, by streamable HTTP, behind
// Config.Middleware of the API like all of its routes. Mount before the API serves, once.
//
// Its errors are a nil API, mistakes in the config, operations whose ids are no names for tools,
// schemas that would share a name, and a route that is at /mcp already, all at once. Nothing is
// served then.
func Mount(api *resource.API, config Config) error {
	if api == nil {
		return errors.New("mcp: the API is nil")
	}
	offered := guest.Of(api)
	var taken error
	for _, route := range api.Router().Routes() {
		if route.Pattern == path || route.Pattern == path+"/*" {
			taken = fmt.Errorf("%s is taken by a route that is there already, or was mounted before", path)
		}
	}
	operations, unnamed := config.operations(offered)
	if err := errors.Join(taken, config.check(offered), unnamed); err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	tools, err := toolsOf(offered, operations)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	served, err := newEndpoint(offered, config, tools)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	api.Router().Handle(path, served)
	return nil
}
