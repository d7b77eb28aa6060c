package mcp

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/resource"
)

// path is the path of the endpoint's route, regardless of the prefix of the API.
const path = "/mcp"

// Mount serves the API to agents at /mcp, by streamable HTTP. The Config.Middleware of the API applies, as to all its
// routes. Call it once, before the API serves requests.
//
// Mount also serves the metadata with which agents learn how to sign in (RFC 9728), if the API has bearer tokens.
//
// If it returns an error, it serves nothing. All errors are joined. They are a nil API, errors in the config, operation
// ids that are not valid names of tools, and schemas that would share a name. A route that exists at /mcp is an error
// too.
func Mount(api *resource.API, config Config) error {
	if api == nil {
		return errors.New("mcp: the API is nil")
	}
	offered := invoke.Of(api)
	var taken error
	for _, route := range api.Router().Routes() {
		if route.Pattern == path || route.Pattern == path+"/*" {
			taken = fmt.Errorf("%s has a route already; has the API been mounted before?", path)
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
	router := api.Router()
	router.Handle(path, served)
	if at, metadata := served.endpoint.Metadata(path); metadata != nil {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
			router.Method(method, at, metadata)
		}
	}
	offered.AddLink("item", "Agents (MCP)", path) // another endpoint of the service (RFC 9727, section 2)
	return nil
}
