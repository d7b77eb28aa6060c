// Package route finds what a router has at a path. It reads the patterns of chi and follows chi's rules of precedence, but
// knows nothing of requests.
package route

import (
	"net/http"
	"slices"
	"strings"
)

// Route is what is at a pattern for a method, * being any other one.
type Route struct {
	Method, Pattern string
	Handler         http.Handler // nil if only the router knows
}

// Tree has routes by their paths, segment by segment. The zero value is empty. It is safe for use by many goroutines once
// everything has been added.
type Tree struct {
	here     []Route  // of paths that end
	literals []branch // by the next segment, sorted
	unclear  bool     // there are patterns whose next segment only chi can read
	variable *Tree    // whatever the next segment is
	rest     []Route  // whatever all further segments are
}

// branch is where a literal segment leads.
type branch struct {
	segment string
	next    *Tree
}

// Add adds a route. Patterns of another syntax than that of URI templates, or than /* at the end, such as a regular
// expression, are kept as places where Match does not know what takes precedence.
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

// Match returns the route at a path for a method, and whether a router need not look on. The route is nil if nothing is there,
// and if only chi knows. The path is cut into segments as it is, so it should be percent-encoded.
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
	if t.variable != nil && (segment != "" || rest != "") { // a variable takes an empty segment everywhere but at the end
		if found, settled = t.variable.Match(method, rest); settled {
			return found, true
		}
	}
	found = at(t.rest, method)
	return found, found != nil
}

// literal returns the index of a segment among the literals, or the one where it belongs.
func (t *Tree) literal(segment string) (i int, known bool) {
	end := len(t.literals)
	for i < end { // by hand, because the search of package slices takes three times as long
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
