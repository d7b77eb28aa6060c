package resource

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"

	"github.com/go-chi/chi/v5"
)

// Check returns the errors in the routes added to [API.Router], joined. A route with the method and path of an
// operation is an error, because the operation is called instead. Call it after adding all routes; openapi.Mount does
// too. Errors in routes added later are logged to Config.Logger when the API first serves. It returns nil if every
// route is reachable.
func (a *API) Check() error {
	errs, _ := a.takenOver()
	return errors.Join(errs...)
}

// settleRoutes restores operations that the user's routes replaced, and logs them. It runs before the first request.
func (a *API) settleRoutes() {
	errs, taken := a.takenOver()
	for _, err := range errs {
		a.model.Logger.Error("a route is never called", "error", err.Error())
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
	for _, r := range a.model.Resources {
		for _, op := range r.Operations {
			methods := []string{op.Method}
			if op.Method == http.MethodGet {
				methods = append(methods, http.MethodHead)
			}
			for _, method := range methods {
				path := a.model.Own(op.Path())
				if byPattern[path].Handlers[method] == op.Server {
					continue
				}
				taken = true
				if route := inPlaceOf(method, path, routes); route != "" {
					errs = append(errs, fmt.Errorf("%s: the operation %s at %s %s shadows your route %s; "+
						"change the route's path, or remove the operation",
						r.ShortName, op.ID, method, op.Path(), route))
				}
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
