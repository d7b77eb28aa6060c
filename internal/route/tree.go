// Package route finds the route at a path. It reads chi's patterns and follows chi's rules of precedence, without a
// request.
package route

import (
	"net/http"
	"slices"
	"strings"
)

// Route is what serves a pattern for a method. The method * means all others.
type Route struct {
	Method, Pattern string
	Handler         http.Handler // nil if only the router knows
}

// Tree holds routes by their path segments. The zero value is empty. It is safe for concurrent use once all routes are
// added.
type Tree struct {
	here     []Route  // paths that end here
	literals []branch // by the next segment, sorted
	unclear  bool     // some patterns have a next segment that only chi can read
	variable *Tree    // matches any segment
	rest     []Route  // matches all remaining segments
}

// branch is where a literal segment leads.
type branch struct {
	segment string
	next    *Tree
}

// Add adds a route. Where a pattern has a syntax other than that of URI templates or a trailing /*, such as a regular
// expression, Match leaves the decision to chi.
func (t *Tree) Add(route Route) {
	for segment := range strings.SplitSeq(strings.TrimPrefix(route.Pattern, "/"), "/") {
		name, isVariable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		switch {
		case segment == "*":
			t.rest = append(t.rest, route)
			return
		case !strings.ContainsAny(segment, "{*"):
			i, known := t.literal(segment)
			if !known {
				t.literals = slices.Insert(t.literals, i, branch{segment, &Tree{}})
			}
			t = t.literals[i].next
		case isVariable && len(segment) == len("{}")+len(name) && !strings.ContainsAny(name, "{}:*"):
			if t.variable == nil {
				t.variable = &Tree{}
			}
			t = t.variable
		default:
			t.unclear = true
			return
		}
	}
	t.here = append(t.here, route)
}

// Match returns the route at a path for a method, and whether the result is final. The route is nil if nothing is at
// the path, or if only chi knows. The path should be percent-encoded, because it is cut into segments as it is.
func (t *Tree) Match(method, path string) (found *Route, settled bool) {
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
		if found, settled = t.literals[i].next.Match(method, rest); settled {
			return found, true
		}
	}
	if t.unclear {
		return nil, true
	}
	if t.variable != nil && (segment != "" || rest != "") { // a variable matches an empty segment except at the end
		if found, settled = t.variable.Match(method, rest); settled {
			return found, true
		}
	}
	found = at(t.rest, method)
	return found, found != nil
}

// literal returns the index of a segment among the literals, or the index at which to insert it.
func (t *Tree) literal(segment string) (i int, known bool) {
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
func at(routes []Route, method string) (other *Route) {
	for i := range routes {
		switch routes[i].Method {
		case method:
			return &routes[i]
		case "*":
			other = &routes[i]
		}
	}
	return other
}
