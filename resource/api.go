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
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/route"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// API is a compiled API: an http.Handler that serves every operation of its resources
// under their whole paths, prefix included. Mounted in another router it goes at "/".
// It is safe for use by many goroutines once it serves.
type API struct {
	held // for packages of Trove that walk the model

	model         *compiled.API
	router        *chi.Mux
	hasMiddleware bool
	handler       http.Handler        // the router's middleware and routes
	endings       []string            // suffixes of all operations, the longest first
	suffixes      map[string][]string // of formats, by the patterns of operations
	routes        func() *route.Tree
}

type held = compiled.Held

// New compiles an API. All mistakes in the config and the declarations, nil entries
// among them, are returned at once, joined by errors.Join; then the API is nil. It
// registers nothing outside of the API, and never panics.
func New(config Config, declarations ...Declaration) (*API, error) {
	model, formats, err := compile(config, declarations)
	if err != nil {
		return nil, err
	}
	api := &API{held: compiled.Hold(model), model: model, router: chi.NewRouter(), hasMiddleware: len(config.Middleware) > 0}
	api.routes = sync.OnceValue(func() *route.Tree {
		api.settleRoutes()
		return routesOf(api.router)
	})
	api.route(config.Middleware)
	if err := api.documents(formats); err != nil {
		return nil, err
	}
	return api, nil
}

// Router returns the router, for routes of your own beside those of the resources: at
// paths of their own, or with methods that a path does not have. Those of operations stay
// the operations', as [API.Check] tells. Add them before the API serves. Middleware goes
// into [Config], since chi takes none after the first route.
func (a *API) Router() chi.Router { return a.router }

// Route is one operation as it is served.
type Route struct {
	// Resource is the short name of the resource.
	Resource string
	// Operation is the operation's id in the document, such as "listDragonTreasures".
	Operation string
	// Method is the HTTP method. HEAD goes with every GET, and OPTIONS with every path.
	Method string
	// Path is the path's template with the prefix: "/api/dragon_treasures/{id}".
	Path string
	// Status is the status of success.
	Status int
	// Documented is false for an operation that is hidden from the document.
	Documented bool
}

// Routes lists the operations in the order of their declaration.
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

// WriteRoutes writes [API.Routes] as a table for people: method, path, operation and status, a line each below a line
// that names these columns. Its error is that of the writer.
func (a *API) WriteRoutes(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	// A tabwriter keeps all text until it is flushed, and its error with it.
	_, _ = fmt.Fprintln(table, "METHOD\tPATH\tOPERATION\tSTATUS")
	for _, route := range a.Routes() {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%d\n", route.Method, route.Path, route.Operation, route.Status)
	}
	return table.Flush()
}

// WriteError answers a request with a problem (RFC 9457), as operations do: for
// middleware and for routes of your own, such as a limit of rates. A status that is no
// error is sent as 500. Header fields, such as Retry-After, are set on w before.
func WriteError(w http.ResponseWriter, r *http.Request, refusal operation.Error) {
	problem.Of(refusal).Write(w, r)
}

// QueryFrom returns what the client asks for of a handler that answers a [store.Page]: filters, order
// and window of the request, left to what the rules of access let its caller see. Conditions may be
// added to its Where; whoever takes some away shows what is hidden. It is the zero Query where
// the context is not that of such a handler.
func QueryFrom(ctx context.Context) store.Query { return execute.QueryFrom(ctx) }

// readyWithin is how long the stores may take to say that they are in reach.
const readyWithin = 5 * time.Second

// Healthz answers 200 as long as the program serves at all. Route it where a supervisor
// asks: api.Router().Get("/healthz", api.Healthz).
func (*API) Healthz(w http.ResponseWriter, r *http.Request) { writeStatus(w, r, `{"status":"alive"}`) }

// Readyz answers 200 if every store that is a store.Pinger can be used now, else 503 with
// Retry-After, as a problem that names the resources. If a resource has operations that write, its
// store must also be able to write, if it can tell. It waits five seconds at most.
// Route it where a load balancer asks: api.Router().Get("/readyz", api.Readyz).
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
				Status: failure.NotReady.Status(),
				Detail: failure.NotReady.Detail(resource.ShortName),
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
		_, _ = w.Write([]byte(body)) // the client may be gone, which is nobody's fault
	}
}
