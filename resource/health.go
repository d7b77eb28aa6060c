package resource

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
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
	ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
	defer cancel()
	for _, resource := range a.model.Resources {
		if resource.Ping == nil {
			continue
		}
		if _, err := a.ping(ctx, resource); err != nil {
			a.model.Logger.WarnContext(ctx, "not ready", "resource", resource.ShortName, "error", err.Error())
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

// ping checks a store. After an error it returns when the store was first found not to be ready.
func (a *API) ping(ctx context.Context, resource *compiled.Resource) (since time.Time, err error) {
	if err = resource.Ping(ctx); err == nil {
		a.unready.Delete(resource)
		return time.Time{}, nil
	}
	first, _ := a.unready.LoadOrStore(resource, time.Now().UTC())
	return first.(time.Time), err //nolint:forcetypeassert // nothing else is stored
}

// Statusz returns a handler that says what is wrong, to callers whom the rule allows, as [API.Guard] checks it:
//
//	api.Router().Get("/statusz", api.Statusz(admins))
//
// The response is always a 200 with JSON: the resources that [API.Readyz] finds not to be ready, each with the problem and
// since when checks have found it, and the numbers of each database. It has no DSN, no SQL and no values. The handler waits
// at most five seconds.
func (a *API) Statusz(rule access.Rule) http.HandlerFunc {
	return a.Guard(rule)(http.HandlerFunc(a.statusz)).ServeHTTP
}

func (a *API) statusz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	status, resources, databases := "ready", map[string]any{}, map[any]any{}
	for _, resource := range a.model.Resources {
		if resource.Ping == nil {
			continue
		}
		all.Go(func() {
			since, err := a.ping(ctx, resource)
			mu.Lock()
			defer mu.Unlock()
			problem := "unreachable"
			if s, ok := resource.Store.(interface {
				Diagnose(err error) (any, string, any)
			}); ok {
				database, cause, numbers := s.Diagnose(err)
				problem, databases[database] = cause, numbers
			}
			if err != nil {
				status, resources[resource.ShortName] = "not ready", map[string]any{"problem": problem, "since": since}
			}
		})
	}
	all.Wait()
	found := map[string]any{"status": status, "resources": resources, "databases": slices.Collect(maps.Values(databases))}
	body, _ := json.Marshal(found, json.Deterministic(true)) // of strings, times and numbers
	writeStatus(w, r, string(body))
}
