package mcp

import (
	"net/http"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/problem"
)

var (
	errHost   = problem.New(http.StatusForbidden, "The Host of the request is not allowed.")
	errOrigin = problem.New(http.StatusForbidden, "Requests from other origins are not allowed.")
)

// checkHost returns an error if Host is not a name of the service.
func (e *endpoint) checkHost(r *http.Request) error {
	if e.anyHost && !invoke.IsLocal(r) || invoke.HasHost(r, e.hosts) {
		return nil
	}
	return errHost
}

// checkOrigin returns an error if a page of another origin sent the request.
func (e *endpoint) checkOrigin(r *http.Request) error {
	if e.origins.Check(r) != nil {
		return errOrigin
	}
	return nil
}
