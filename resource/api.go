package resource

import (
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/route"
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
	routes        func() *route.Tree[target]
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
	api.routes = sync.OnceValue(func() *route.Tree[target] {
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
