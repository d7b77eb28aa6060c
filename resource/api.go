package resource

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/serve"
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
	guards        sync.Mutex // of guardErrors
	guardErrors   []error    // of rules passed to Guard
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
	// Transition is the step of a workflow that the operation is, if its When and its operation.Set are about one field:
	// "status: requested → approved, by staff". It is "" for other operations.
	Transition string
}

// Routes returns all operations, in the order of their declaration, in a new slice. It does not have your own routes.
func (a *API) Routes() []Route {
	var routes []Route
	for op := range a.model.Operations() {
		routes = append(routes, Route{
			Resource: op.Resource.ShortName, Operation: op.ID, Method: op.Method,
			Path: op.Path(), Status: op.Status, Documented: !op.Hidden, Transition: op.Transition(),
		})
	}
	return routes
}

// WriteRoutes writes [API.Routes] as a table with the columns method, path, operation and status, and a column with the
// transitions if there are some. It returns the error of the writer.
func (a *API) WriteRoutes(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	routes, head := a.Routes(), "METHOD\tPATH\tOPERATION\tSTATUS"
	steps := slices.ContainsFunc(routes, func(route Route) bool { return route.Transition != "" })
	if steps {
		head += "\tTRANSITION"
	}
	// A tabwriter reports errors when it is flushed.
	_, _ = fmt.Fprintln(table, head)
	for _, route := range routes {
		line := fmt.Sprintf("%s\t%s\t%s\t%d", route.Method, route.Path, route.Operation, route.Status)
		if steps {
			line += "\t" + cmp.Or(route.Transition, "-")
		}
		_, _ = fmt.Fprintln(table, line)
	}
	return table.Flush()
}

// WriteError responds with a problem (RFC 9457), as operations do. Use it in middleware and in your own routes. A
// status outside 400 to 599 is sent as 500. Set header fields such as Retry-After on w before the call.
func WriteError(w http.ResponseWriter, r *http.Request, e operation.Error) {
	problem.Of(e).Write(w, r)
}

func writeStatus(w http.ResponseWriter, r *http.Request, body string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	writeBody(w, r, format.JSON, []byte(body))
}

func writeBody(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // an error means that the client is gone
	}
}

// plainPath matches paths that are the same in URLs, templates and routes.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)*$`)

// checkPublicURL sets the origin and the base, which also comes before the prefix.
func (c Config) checkPublicURL(api *compiled.API, fail func(string, ...any)) {
	if c.PublicURL == "" {
		return
	}
	const example = "https://example.com/shop"
	u, err := url.Parse(c.PublicURL)
	if err != nil {
		fail("PublicURL is not a URL; allowed: a URL such as %q", example)
		return
	}
	origin, base := u.Scheme+"://"+hostIn(u), strings.TrimSuffix(path.Clean("/"+u.EscapedPath()), "/")
	found := c.PublicURL
	if u.User != nil {
		found = u.Redacted()
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", !httpfield.IsPlainHost(u.Host),
		u.User != nil, u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		fail("PublicURL is %q; allowed: http or https, a host and a path, such as %q", found, example)
	case !plainPath.MatchString(base):
		fail("PublicURL is %q; its path may have only letters, digits, -, _, . and ~, such as %q", found, example)
	case c.PublicURL != origin+base:
		fail("PublicURL is %q; write it as %q", found, origin+base)
	case base != "" && strings.HasPrefix(api.Prefix+"/", base+"/"): // else a stripped path could look whole
		fail("Prefix is %q, but the path of PublicURL, %q, is added to it; write it as %q", api.Prefix, base,
			cmp.Or(strings.TrimPrefix(api.Prefix, base), "/"))
	default:
		api.Origin, api.Base, api.Prefix = origin, base, base+api.Prefix
		if err := api.CrossOrigin.AddTrustedOrigin(origin); err != nil {
			fail("PublicURL is %q; allowed: a URL such as %q", found, example)
		}
	}
}

// hostIn returns the host of a URL as browsers write it in Origin: in lower case, and without the usual port.
func hostIn(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Host), ":")
	if usual := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; usual != "" {
		host = strings.TrimSuffix(host, usual)
	}
	return host
}

// rebase is the first middleware of an API whose clients see a base before its paths, which a proxy may have removed. It
// gives a request to an operation the path that clients see, and a request to any other route the path of the route.
func (a *API) rebase(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method, moved := serve.RoutingOf(r).Overrides() // by a router around the API
		own := a.model.Own(cmp.Or(moved, r.URL.EscapedPath()))
		// A path of a route that begins with the base itself keeps the base, so that it is not removed twice.
		isWhole := a.leadsToOperation(cmp.Or(method, r.Method), a.model.Whole(own)) || a.model.Own(own) != own
		seen := func(path string) string {
			if path = a.model.Own(path); isWhole {
				return a.model.Whole(path)
			}
			return path
		}
		at := *r.URL
		if at.Path = seen(at.Path); at.RawPath != "" {
			at.RawPath = seen(at.RawPath)
		}
		if moved != "" {
			chi.RouteContext(r.Context()).RoutePath = seen(moved)
		}
		r = r.WithContext(r.Context())
		r.URL = &at
		next.ServeHTTP(w, r)
	})
}

// leadsToOperation reports whether a request with a path that clients see is for an operation, or has a method that the
// operations at the path do not have.
func (a *API) leadsToOperation(method, escaped string) bool {
	path, _, _ := a.path(method, escaped)
	if found, _ := a.routes().match(method, path); found != nil && method != http.MethodOptions {
		_, isOperation := found.handler.(*serve.Operation)
		return isOperation
	}
	_, ours := a.suffixes[a.pattern(path)]
	return ours
}

// Check returns the errors in the routes added to [API.Router], joined. A route with the method and path of an
// operation is an error, because the operation is called instead. So is a rule of [API.Guard] that cannot hold. Call it
// after adding all routes; openapi.Mount does too. Errors in routes added later are logged to Config.Logger when the API
// first serves. It returns nil if every route is reachable.
func (a *API) Check() error {
	errs, _ := a.takenOver()
	return errors.Join(append(errs, a.failedGuards()...)...)
}

// settleRoutes restores operations that the user's routes replaced, and logs them. It runs before the first request.
func (a *API) settleRoutes() {
	errs, taken := a.takenOver()
	for _, err := range errs {
		a.model.Logger.Error("a route is never called", "error", err.Error())
	}
	for _, err := range a.failedGuards() {
		a.model.Logger.Error("a route always fails", "error", err.Error())
	}
	if taken {
		a.routeOperations()
	}
}

// takenOver returns the errors in the user's own routes, and whether they replaced any operation. A router mounted
// below the path of a record also replaces the path itself, which is not an error if it has no route there.
func (a *API) takenOver() (errs []error, taken bool) {
	routes := a.router.Routes()
	byPattern := make(map[string]chi.Route, len(routes))
	for _, route := range routes {
		byPattern[route.Pattern] = route
	}
	for op := range a.model.Operations() {
		servers := map[string]http.Handler{op.Method: op.Server}
		if op.Method == http.MethodGet {
			servers[http.MethodHead] = op.Server
		}
		if op.Query != nil {
			servers[serve.MethodQuery] = op.Query
		}
		for _, method := range methods {
			path := a.model.Own(op.Path())
			if servers[method] == nil || byPattern[path].Handlers[method] == servers[method] {
				continue
			}
			taken = true
			if route := inPlaceOf(method, path, routes); route != "" {
				errs = append(errs, fmt.Errorf("%s: the operation %s at %s %s shadows your route %s; "+
					"change the route's path, or remove the operation",
					op.Resource.ShortName, op.ID, method, op.Path(), route))
			}
		}
	}
	return errs, taken
}

var variable = regexp.MustCompile(`\{[^}]*\}`)

// shapeOf returns a pattern with {} for each variable, because chi keeps one route for each shape.
func shapeOf(pattern string) string { return variable.ReplaceAllString(pattern, "{}") }

// inPlaceOf returns the pattern of the route that would be called instead of an operation, "" for none.
func inPlaceOf(method, path string, routes []chi.Route) (pattern string) {
	shape := shapeOf(path)
	for _, route := range routes {
		switch shapeOf(route.Pattern) {
		case shape:
			if route.Handlers[method] != nil {
				return route.Pattern
			}
		case shape + "/*":
			if pattern == "" && (route.SubRoutes == nil || route.SubRoutes.Match(chi.NewRouteContext(), method, "/")) {
				pattern = route.Pattern
			}
		}
	}
	return pattern
}

const (
	// headerBytes is enough for cookies and tokens. Headers are read into memory before a request can be rejected.
	headerBytes = 16 << 10
	// headerTime limits reading the header, bodyTime the whole request. A body has at most 1 MiB by default.
	headerTime, bodyTime = 5 * time.Second, 30 * time.Second
	// responseTime limits how long a client may take to read the response, from its request on, or a part of a stream.
	responseTime = time.Minute
	// idleTime is how long an unused connection stays open.
	idleTime = 2 * time.Minute
	// graceTime is how long running requests may take during shutdown.
	graceTime = 10 * time.Second
)

// Serve serves HTTP until ctx ends, with limits that net/http does not set by default. It then lets running requests
// finish, for at most 10 seconds. It returns nil if they do, else context.DeadlineExceeded. If the listener fails, it
// returns that error at once. Streams are aborted when ctx ends, because they may take longer.
//
// A client has 5 seconds to send the header of a request, which has at most 16 KiB. It has 30 seconds for the whole
// request, and a minute to read the response. A stream may take longer, if its client reads each part within a minute.
// Idle connections close after two minutes. Serve closes the listener. For other limits, use your own http.Server.
//
// If the listener has a loopback address, such as 127.0.0.1:8000, the Host of a request must be localhost, a name below it,
// a loopback address, or one of the hosts, which have no port. Other requests return 421. Otherwise web pages that the
// user of the machine visits could use the service under their own host name (DNS rebinding). So name the public hosts
// behind a proxy on the same machine that forwards Host; "*" accepts all. If the handler is an [API], the host of
// [Config.PublicURL] is one of them. With any other listener, hosts have no effect. A URL instead of a host is an error.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, hosts ...string) error {
	if i := slices.IndexFunc(hosts, func(host string) bool { return strings.Contains(host, "/") }); i >= 0 {
		_ = listener.Close()
		return fmt.Errorf("resource.Serve: the host is %q; write only the name, such as api.example.com", hosts[i])
	}
	if httpfield.IsLoopback(listener.Addr()) {
		if api, ok := handler.(*API); ok {
			hosts = slices.Concat(hosts, api.model.Hosts())
		}
		handler = local(handler, hosts)
	}
	server := &http.Server{
		Handler: handler, MaxHeaderBytes: headerBytes, ReadHeaderTimeout: headerTime,
		ReadTimeout: bodyTime, WriteTimeout: responseTime, IdleTimeout: idleTime,
		BaseContext: func(net.Listener) context.Context { return serve.WithEnding(context.Background(), ctx) },
	}
	finished := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
		defer cancel()
		finished <- server.Shutdown(grace)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		stop() // the listener failed, and finished is not read
		return err
	}
	return <-finished
}

// local returns a handler for a listener that only programs of the same machine reach. It returns 421 for requests
// whose Host is neither a loopback name nor one of the hosts; "*" allows all.
func local(next http.Handler, hosts []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "" && !httpfield.HasHost(r, hosts) { // browsers always send it
			problem.New(http.StatusMisdirectedRequest, "The Host of the request is not a name of this service. "+
				"If a proxy on the same machine forwards it, set resource.Config.PublicURL, or the flag -hosts.").Write(w, r)
			return
		}
		next.ServeHTTP(w, httpfield.HostChecked(r))
	})
}
