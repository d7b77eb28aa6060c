package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/look"
	"github.com/trove-api/trove/resource"
)

// admin serves what depends on the caller. It does not change.
type admin struct {
	api      *invoke.API
	endpoint *invoke.Endpoint
	logo     string // its path; "" for none
	config   Config
	session  session
	ways     []signIn
	layouts  []*layout
	gets     []*invoke.Operation // of records
	actions  map[string]Action   // by id
	imports  *imports
}

func newAdmin(api *invoke.API, config Config) *admin {
	session, path := newSession(api, config), config.path()
	a := &admin{
		api: api, endpoint: api.Endpoint(path), config: config, session: session, ways: ways(api, config),
		layouts: layouts(api, config, session), actions: map[string]Action{},
	}
	for _, l := range a.layouts {
		a.gets = append(a.gets, l.gets...)
		maps.Copy(a.actions, l.config.Operations)
	}
	a.imports = newImports(api, path+"/import", a.layouts)
	return a
}

// serveModel sends the model for the caller.
func (a *admin) serveModel(w http.ResponseWriter, _ *http.Request, caller *invoke.Caller) {
	v := &view{admin: a, caller: caller, known: map[*invoke.Operation]*invoke.Operation{}, shows: map[*invoke.Resource]bool{}}
	send(w, caller, v.model())
}

// send sends a value as JSON.
func send(w http.ResponseWriter, caller *invoke.Caller, value any) {
	body, err := json.Marshal(value)
	if err != nil { // it has only strings, and JSON that Trove has written
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	caller.Send(w, body)
}

// Mount serves the admin of an API at Config.Path. Its files are embedded in the program. The page calls the operations
// of the API with the credentials of the person who uses it, so that they can do there what they can do with any other
// client, and no more. It shows only what rules may allow them. The Config.Middleware of the API applies, as to all its
// routes. Call it once, before the API serves requests.
//
// If it returns an error, it serves nothing. All errors are joined. They are a nil API, errors in the config, and routes
// that exist at its paths.
func Mount(api *resource.API, config Config) error {
	if api == nil {
		return errors.New("admin: the API is nil")
	}
	offered := invoke.Of(api)
	path := config.path()
	if err := offered.Describe(true, offered.Operations...); err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	if err := errors.Join(config.check(offered), checkPaths(api, offered, path)); err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	files, err := newAssets(offered, config)
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	made := newAdmin(offered, config)
	if len(config.Logo) > 0 {
		made.logo = offered.Whole(files.dir) + "/logo"
	}
	router := api.Router()
	router.Handle(path, files.page)
	router.Handle(path+"/", files.page)
	router.Handle(path+"/model", made.endpoint.Handler(made.serveModel, http.MethodGet, http.MethodHead))
	router.Handle(path+"/permissions", made.endpoint.Handler(made.servePermissions, http.MethodGet, http.MethodHead))
	router.Handle(path+"/import/{operation}", made.imports.Handler(made.imports.serve, http.MethodPost))
	for name, file := range files.byName {
		// While instances of two versions run, a page of one may load files of the other.
		router.Handle(path+"/files/{version}/"+name, file)
	}
	offered.MarkCallers(path)
	offered.AddLink("", "Admin", path)
	offered.Logo, offered.Accent = made.logo, look.Accent(config.Color)
	offered.SignInPage = offered.Whole(path) + "#/~sign-in"
	for _, l := range made.layouts {
		l.Page = offered.Whole(path) + "#/" + url.PathEscape(l.ShortName)
	}
	made.warnOfPickers()
	return nil
}

// checkPaths returns errors for an operation or routes at the paths of the admin.
func checkPaths(api *resource.API, offered *invoke.API, path string) error {
	whole := offered.Whole(path)
	for _, op := range offered.Operations {
		isAt := func(taken string) bool { return op.IsAt(whole + taken) }
		served := []string{"", "/model", "/permissions", "/import/x", "/files/x/app.js", "/files/x/vendor/preact.js"}
		if slices.ContainsFunc(served, isAt) || strings.HasPrefix(op.Path(), whole+"/") {
			return fmt.Errorf("config: Path: operation %s at %s would take requests of %s; use another path", op.ID, op.Path(), path)
		}
	}
	var errs []error
	for _, route := range api.Router().Routes() {
		if route.Pattern == path || strings.HasPrefix(route.Pattern, path+"/") {
			errs = append(errs, fmt.Errorf("%s has a route already; has the admin been mounted before?", route.Pattern))
		}
	}
	return errors.Join(errs...)
}

// mostPaths is how many records a request for permissions may name.
const mostPaths = 100

// servePermissions sends what the caller may do to records, by their paths. Missing and hidden records are absent.
func (a *admin) servePermissions(w http.ResponseWriter, r *http.Request, caller *invoke.Caller) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	paths := query["path"]
	switch {
	case err != nil || len(paths) == 0:
		a.endpoint.Reject(w, r, invoke.Invalid("The parameter path is missing or malformed.", nil))
		return
	case len(paths) > mostPaths:
		a.endpoint.Reject(w, r, invoke.Invalid(fmt.Sprintf("The parameter path may be given at most %d times.", mostPaths), nil))
		return
	}
	found := map[string]*invoke.Permissions{}
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		at := slices.IndexFunc(a.gets, func(op *invoke.Operation) bool { return op.IsAt(path) })
		if at < 0 {
			continue
		}
		allowed, failed := caller.Permissions(a.gets[at], path)
		switch {
		case failed == nil:
			found[path] = allowed
		case failed.Status >= http.StatusInternalServerError, failed.Status == http.StatusTooManyRequests:
			failed.Send(w)
			return
		}
	}
	send(w, caller, found)
}
