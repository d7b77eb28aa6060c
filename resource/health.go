package resource

import (
	"context"
	"iter"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
)

// readyWithin limits how long the stores may take to report that they are ready.
const readyWithin = 5 * time.Second

// Healthz returns 200 while the program runs. Route it for your supervisor: api.Router().Get("/healthz", api.Healthz).
func (*API) Healthz(w http.ResponseWriter, r *http.Request) { writeStatus(w, r, `{"status":"alive"}`) }

// Readyz returns 200 if every store that is a store.Pinger is ready, else 503 with Retry-After and a problem that names
// the resource. If a resource has operations that write, its store must also be able to write, if it can report that.
// Readyz waits at most five seconds. Route it for your load balancer: api.Router().Get("/readyz", api.Readyz).
func (a *API) Readyz(w http.ResponseWriter, r *http.Request) {
	for resource, err := range a.pings(r.Context()) {
		if err != nil {
			a.model.Logger.WarnContext(r.Context(), "not ready", "resource", resource.ShortName, "error", err.Error())
			w.Header().Set("Retry-After", "1")
			WriteError(w, r, operation.Error{
				Status: problem.NotReady.Status(),
				Detail: problem.NotReady.Detail(resource.ShortName),
			})
			return
		}
	}
	writeStatus(w, r, `{"status":"ready"}`)
}

// pings checks the stores one after the other.
func (a *API) pings(ctx context.Context) iter.Seq2[*compiled.Resource, error] {
	return func(yield func(*compiled.Resource, error) bool) {
		ctx, cancel := context.WithTimeout(ctx, readyWithin)
		defer cancel()
		for _, resource := range a.model.Resources {
			if resource.Ping != nil && !yield(resource, resource.Ping(ctx)) {
				return
			}
		}
	}
}

// Statusz returns a handler that says what is wrong, to callers whom the rule allows, as [API.Guard] checks it:
//
//	api.Router().Get("/statusz", api.Statusz(admins))
//
// The response is always a 200 with JSON: the resources that [API.Readyz] finds not to be ready, each with the problem, and the
// numbers of each database. It has no DSN, no SQL and no values. The handler waits at most five seconds.
func (a *API) Statusz(rule access.Rule) http.HandlerFunc {
	return a.Guard(rule)(http.HandlerFunc(a.statusz)).ServeHTTP
}

func (a *API) statusz(w http.ResponseWriter, r *http.Request) {
	status, resources, databases := "ready", map[string]string{}, map[any]any{}
	for resource, err := range a.pings(r.Context()) {
		cause := "unreachable"
		if s, ok := resource.Store.(interface {
			Diagnose(err error) (any, string, any)
		}); ok {
			database, problem, numbers := s.Diagnose(err)
			cause, databases[database] = problem, numbers
		}
		if err != nil {
			status, resources[resource.ShortName] = "not ready", cause
		}
	}
	found := map[string]any{"status": status, "resources": resources, "databases": slices.Collect(maps.Values(databases))}
	body, _ := json.Marshal(found, json.Deterministic(true)) // of strings and numbers
	writeStatus(w, r, string(body))
}
