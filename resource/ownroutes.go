package resource

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"

	"github.com/go-chi/chi/v5"
)

// Check returns, joined, what is wrong with the routes that [API.Router] was given: one at
// the method and path of an operation is never called, for the document promises the
// operation there. Call it when all routes are in place, or leave it to openapi.Mount, which
// does. What was added later is written to Config.Logger as an error when the API first
// serves. It is nil where everything is called.
func (a *API) Check() error {
	errs, _ := a.takenOver()
	return errors.Join(errs...)
}

// settleRoutes gives operations back what routes of the user's own took from them, and
// tells of it. It runs before the first request.
func (a *API) settleRoutes() {
	errs, taken := a.takenOver()
	for _, err := range errs {
		a.model.Logger.Error("a route is never called", "error", err.Error())
	}
	if taken {
		a.routeOperations()
	}
}

// takenOver returns the mistakes in the user's own routes, and whether they took over
// anything: what is mounted below the path of a record takes over the path itself, too,
// which is no mistake where it has nothing to say there.
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
				if byPattern[op.Path()].Handlers[method] == op.Handle {
					continue
				}
				taken = true
				if route := inPlaceOf(method, op.Path(), routes); route != "" {
					errs = append(errs, fmt.Errorf("resource %s: operation %s is at %s %s, so that "+
						"the route of your own there, %s, is never called; give it another path, or leave the operation out",
						r.ShortName, op.ID, method, op.Path(), route))
				}
			}
		}
	}
	return errs, taken
}

var variable = regexp.MustCompile(`\{[^}]*\}`)

// shapeOf returns a pattern with {} for each variable: chi keeps one route for each shape.
func shapeOf(pattern string) string { return variable.ReplaceAllString(pattern, "{}") }

// inPlaceOf returns the pattern of the route that would be called in place of an operation, "" for none.
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
