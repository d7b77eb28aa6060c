package resource

import (
	"net/http"
	"slices"
	"strings"
)

// treeRoute is what serves a pattern for a method. The method * means all others.
type treeRoute struct {
	method, pattern string
	handler         http.Handler // nil if only the router knows
}

// routeTree finds the route at a path without a request. It reads chi's patterns and follows chi's rules of precedence. The
// zero value is empty. It is safe for concurrent use once all routes are added.
type routeTree struct {
	here     []treeRoute // paths that end here
	literals []branch    // by the next segment, sorted
	unclear  bool        // some patterns have a next segment that only chi can read
	variable *routeTree  // matches any segment
	rest     []treeRoute // matches all remaining segments
}

// branch is where a literal segment leads.
type branch struct {
	segment string
	next    *routeTree
}

// add adds a route. Where a pattern has a syntax other than that of URI templates or a trailing /*, such as a regular
// expression, match leaves the decision to chi.
func (t *routeTree) add(route treeRoute) {
	for segment := range strings.SplitSeq(strings.TrimPrefix(route.pattern, "/"), "/") {
		name, isVariable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		switch {
		case segment == "*":
			t.rest = append(t.rest, route)
			return
		case !strings.ContainsAny(segment, "{*"):
			i, known := t.literal(segment)
			if !known {
				t.literals = slices.Insert(t.literals, i, branch{segment, &routeTree{}})
			}
			t = t.literals[i].next
		case isVariable && len(segment) == len("{}")+len(name) && !strings.ContainsAny(name, "{}:*"):
			if t.variable == nil {
				t.variable = &routeTree{}
			}
			t = t.variable
		default:
			t.unclear = true
			return
		}
	}
	t.here = append(t.here, route)
}

// match returns the route at a path for a method, and whether the result is final. The route is nil if nothing is at
// the path, or if only chi knows. The path should be percent-encoded, because it is cut into segments as it is.
func (t *routeTree) match(method, path string) (found *treeRoute, settled bool) {
	if path == "" {
		found = at(t.here, method)
		return found, found != nil
	}
	if path[0] != '/' {
		return nil, false
	}
	segment, rest := path[1:], ""
	if i := strings.IndexByte(segment, '/'); i >= 0 {
		segment, rest = segment[:i], segment[i:]
	}
	if i, ok := t.literal(segment); ok {
		if found, settled = t.literals[i].next.match(method, rest); settled {
			return found, true
		}
	}
	if t.unclear {
		return nil, true
	}
	if t.variable != nil && (segment != "" || rest != "") { // a variable matches an empty segment except at the end
		if found, settled = t.variable.match(method, rest); settled {
			return found, true
		}
	}
	found = at(t.rest, method)
	return found, found != nil
}

// literal returns the index of a segment among the literals, or the index at which to insert it.
func (t *routeTree) literal(segment string) (i int, known bool) {
	end := len(t.literals)
	for i < end { // three times as fast as slices.BinarySearchFunc
		if middle := (i + end) / 2; t.literals[middle].segment < segment {
			i = middle + 1
		} else {
			end = middle
		}
	}
	return i, i < len(t.literals) && t.literals[i].segment == segment
}

// at returns the route for a method, nil for none.
func at(routes []treeRoute, method string) (other *treeRoute) {
	for i := range routes {
		switch routes[i].method {
		case method:
			return &routes[i]
		case "*":
			other = &routes[i]
		}
	}
	return other
}
