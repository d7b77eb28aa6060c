package resource

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
)

// API is a compiled API. It is an http.Handler that serves all operations under their complete paths, including the
// prefix. In another router, mount it at "/". It is safe for concurrent use.
type API struct {
	internals // for packages of Trove that walk the model

	model         *compiled.API
	router        *chi.Mux
	hasMiddleware bool
	hasIndex      bool                // no operation is at the prefix
	handler       http.Handler        // the router's middleware and routes
	endings       []string            // suffixes of all operations, the longest first
	suffixes      map[string][]string // of formats, by the patterns of operations
	routes        func() *routeTree
}

type internals = compiled.Internals

// New compiles an API. It reports all errors in the config and the declarations at once, one line each. They are in the
// order of the declarations and of the fields in their structs. The error unwraps to all of them, for errors.Is and
// errors.As. New registers nothing outside of the API, and never panics.
func New(config Config, declarations ...Declaration) (*API, error) {
	model, formats, err := compile(config, declarations)
	if err != nil {
		return nil, err
	}
	api := &API{internals: compiled.InternalsOf(model), model: model, router: chi.NewRouter(), hasMiddleware: len(config.Middleware) > 0}
	api.routes = sync.OnceValue(func() *routeTree {
		api.settleRoutes()
		return api.tree()
	})
	api.route(config.Middleware)
	if err := api.documents(formats); err != nil {
		return nil, err
	}
	return api, nil
}

// Router returns the router, for your own routes: other paths, or methods that a path does not have. Operations take
// precedence; [API.Check] reports routes that they shadow. Add routes before the API serves. Set middleware in
// [Config.Middleware], because chi accepts none after the first route.
func (a *API) Router() chi.Router { return a.router }

// Route is an operation and where it is served.
type Route struct {
	// Resource is the short name of the resource.
	Resource string
	// Operation is the operation's id in the OpenAPI document, such as "listDragonTreasures".
	Operation string
	// Method is the HTTP method. HEAD is also served for every GET, and OPTIONS for every path.
	Method string
	// Path is the path's template with the prefix, such as "/api/dragon_treasures/{id}".
	Path string
	// Status is the HTTP status of a successful response.
	Status int
	// Documented reports whether the OpenAPI document has the operation. It is false for Hidden operations.
	Documented bool
}

// Routes returns all operations, in the order of their declaration, in a new slice. It does not have your own routes.
func (a *API) Routes() []Route {
	var routes []Route
	for _, r := range a.model.Resources {
		for _, op := range r.Operations {
			routes = append(routes, Route{
				Resource: r.ShortName, Operation: op.ID, Method: op.Method,
				Path: op.Path(), Status: op.Status, Documented: !op.Hidden,
			})
		}
	}
	return routes
}

// WriteRoutes writes [API.Routes] as a table with the columns method, path, operation and status. It returns the error
// of the writer.
func (a *API) WriteRoutes(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	// A tabwriter reports errors when it is flushed.
	_, _ = fmt.Fprintln(table, "METHOD\tPATH\tOPERATION\tSTATUS")
	for _, route := range a.Routes() {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%d\n", route.Method, route.Path, route.Operation, route.Status)
	}
	return table.Flush()
}

// WriteError responds with a problem (RFC 9457), as operations do. Use it in middleware and in your own routes. A
// status outside 400 to 599 is sent as 500. Set header fields such as Retry-After on w before the call.
func WriteError(w http.ResponseWriter, r *http.Request, e operation.Error) {
	problem.Of(e).Write(w, r)
}

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
		if err := resource.Ping(ctx); err != nil {
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

func writeStatus(w http.ResponseWriter, r *http.Request, body string) {
	header := w.Header()
	header.Set("Content-Type", format.JSON)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(body)) // an error means that the client is gone
	}
}
