// Package route finds what a router has at a path. It reads the patterns of chi and goes by
// chi's rules of which of several is first, but knows nothing of requests.
package route

import "strings"

// Tree has what is at the paths of patterns, segment by segment. The zero value is empty.
// It is safe for use by many goroutines once everything has been added.
type Tree[T any] struct{ root node[T] }

// node is where the paths part that are alike so far.
type node[T any] struct {
	here     []target[T]         // of paths that end
	literals map[string]*node[T] // by the next segment
	unclear  bool                // there are patterns whose next segment only chi can read
	variable *node[T]            // whatever the next segment is
	rest     []target[T]         // whatever all further segments are
}

// target is what a method leads to, * being any other one.
type target[T any] struct {
	method string
	to     T
}

// Add adds what is at a pattern for a method, * being all those that it has not been given
// for. Patterns of another syntax than that of URI templates, or than /* at the end, such as
// a regular expression, are kept as places where Match does not know what is first.
func (t *Tree[T]) Add(method, pattern string, to T) {
	n := &t.root
	for segment := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		name, isVariable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		switch {
		case segment == "*":
			n.rest = append(n.rest, target[T]{method, to})
			return
		case !strings.ContainsAny(segment, "{*"):
			if n.literals == nil {
				n.literals = map[string]*node[T]{}
			}
			if n.literals[segment] == nil {
				n.literals[segment] = &node[T]{}
			}
			n = n.literals[segment]
		case isVariable && len(segment) == len("{}")+len(name) && !strings.ContainsAny(name, "{}:*"):
			if n.variable == nil {
				n.variable = &node[T]{}
			}
			n = n.variable
		default:
			n.unclear = true
			return
		}
	}
	n.here = append(n.here, target[T]{method, to})
}

// Match returns what is at a path for a method. It returns false where there is nothing, and
// where only chi knows. The path is cut into segments as it is, so it should be
// percent-encoded.
func (t *Tree[T]) Match(method, path string) (to T, ok bool) {
	if path, ok = strings.CutPrefix(path, "/"); !ok {
		return to, false
	}
	found, _ := t.root.match(method, path, true)
	if found == nil {
		return to, false
	}
	return found.to, true
}

// match returns what is at the rest of a path, or else whether to look on. A variable takes
// an empty segment everywhere but at the end, as chi has it.
func (n *node[T]) match(method, path string, more bool) (found *target[T], settled bool) {
	if !more {
		found = at(n.here, method)
		return found, found != nil
	}
	segment, rest := path, ""
	i := strings.IndexByte(path, '/')
	if more = i >= 0; more {
		segment, rest = path[:i], path[i+1:]
	}
	if next := n.literals[segment]; next != nil {
		if found, settled = next.match(method, rest, more); settled {
			return found, true
		}
	}
	if n.unclear {
		return nil, true
	}
	if n.variable != nil && (segment != "" || more) {
		if found, settled = n.variable.match(method, rest, more); settled {
			return found, true
		}
	}
	found = at(n.rest, method)
	return found, found != nil
}

// at returns what a method leads to, nil for nothing.
func at[T any](targets []target[T], method string) (other *target[T]) {
	for i := range targets {
		switch targets[i].method {
		case method:
			return &targets[i]
		case "*":
			other = &targets[i]
		}
	}
	return other
}
