package resource

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/serve"
)

// Guard returns middleware for your own routes. It authenticates the caller by the schemes of [Config.Authentication], as
// operations do, and checks a rule:
//
//	api.Router().With(api.Guard(access.Authenticated)).Get("/report", report)
//
// The handler finds the principal with operation.PrincipalFrom. A caller whom the rule denies gets a 401 with challenges,
// or a 403 if signing in cannot help. Invalid credentials are a 401 for every rule, access.Public too. Errors are
// problems (RFC 9457) that no cache stores. Other responses have Cache-Control: private and Vary, which the handler may
// change. Config.Observers are called for each request, with the pattern of the route and no operation. Middleware such
// as middleware.Rate goes in front of the guard.
//
// The rule must need no record, and a scheme must provide the principals that it is about. [API.Check] and openapi.Mount
// report rules that do not. Their routes respond with a 500, which is logged. Guard is safe for concurrent use.
func (a *API) Guard(rule access.Rule) func(http.Handler) http.Handler {
	compiler := authz.Compiler{Schemes: a.model.Authentication}
	compiledRule, err := compiler.WithoutRecord(rule, "a route of your own")
	if rule == nil {
		err = errors.New("the rule is nil; access.Public allows everyone")
	}
	if err != nil {
		err = fmt.Errorf("resource: Guard: %w", err)
		a.guards.Lock()
		a.guardErrors = append(a.guardErrors, err)
		a.guards.Unlock()
		failing := serve.NewReception(a.model, "")
		return func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { failing.Reject(w, r, err) })
		}
	}
	if compiled.IsOpen(rule) {
		compiledRule = nil
	}
	return func(next http.Handler) http.Handler {
		pattern := func(r *http.Request) string {
			if route := chi.RouteContext(r.Context()); route != nil {
				return route.RoutePattern()
			}
			return r.Pattern
		}
		return serve.Watched(a.model, pattern, serve.Guard(a.model, "", compiledRule, next).ServeHTTP)
	}
}

// failedGuards returns the errors of rules passed to Guard.
func (a *API) failedGuards() []error {
	a.guards.Lock()
	defer a.guards.Unlock()
	return slices.Clone(a.guardErrors)
}
