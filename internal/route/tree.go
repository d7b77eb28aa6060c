// Package route finds what a router has at a path. It reads the patterns of chi and follows chi's rules of precedence, but
// knows nothing of requests.
package route

import (
	"slices"
	"strings"
)

// Tree has what is at the paths of patterns, segment by segment. The zero value is empty. It is safe for use by many
// goroutines once everything has been added.
type Tree[T any] struct {
	here     []target[T] // at paths that end
	literals []branch[T] // by the next segment, sorted
	unclear  bool        // there are patterns whose next segment only chi can read
	variable *Tree[T]    // whatever the next segment is
	rest     []target[T] // whatever all further segments are
}

// branch is where a literal segment leads.
type branch[T any] struct {
	segment string
	next    *Tree[T]
}

// target is what is at a path for a method, * being any other one.
type target[T any] struct {
	method string
	value  T
}

// Add adds what is at a pattern for a method, * being all those that it has not been given for. Patterns of another syntax
// than that of URI templates, or than /* at the end, such as a regular expression, are kept as places where Match does not
// know what takes precedence.
func (t *Tree[T]) Add(method, pattern string, value T) {
	for segment := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		name, isVariable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		switch {
		case segment == "*":
			t.rest = append(t.rest, target[T]{method, value})
			return
		case !strings.ContainsAny(segment, "{*"):
			i, known := t.literal(segment)
			if !known {
				t.literals = slices.Insert(t.literals, i, branch[T]{segment, &Tree[T]{}})
			}
			t = t.literals[i].next
		case isVariable && len(segment) == len("{}")+len(name) && !strings.ContainsAny(name, "{}:*"):
			if t.variable == nil {
				t.variable = &Tree[T]{}
			}
			t = t.variable
		default:
			t.unclear = true
			return
		}
	}
	t.here = append(t.here, target[T]{method, value})
}

// Match returns what is at a path for a method, or else whether a router need not look on: found is nil where nothing is, and
// where only chi knows. The path is cut into segments as it is, so it should be percent-encoded.
func (t *Tree[T]) Match(method, path string) (found *T, settled bool) {
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
func (t *Tree[T]) literal(segment string) (i int, known bool) {
	return slices.BinarySearchFunc(t.literals, segment, func(b branch[T], segment string) int { return strings.Compare(b.segment, segment) })
}

// at returns what a method leads to, nil for nothing.
func at[T any](targets []target[T], method string) (other *T) {
	for i := range targets {
		switch targets[i].method {
		case method:
			return &targets[i].value
		case "*":
			other = &targets[i].value
		}
	}
	return other
}
