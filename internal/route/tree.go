// Package route finds what a router has at a path. It reads the patterns of chi and goes by
// chi's rules of which of several is first, but knows nothing of requests.
package route

import "strings"

// Tree has numbers of what is at the paths of patterns, segment by segment. The zero value
// is empty. It is safe for use by many goroutines once everything has been added.
type Tree struct{ root node }

// node is where the paths part that are alike so far.
// A few segments are compared one by one, which is quicker than a map and takes less memory.
type node struct {
	here     []target         // of paths that end
	few      []branch         // by the next segment
	many     map[string]*node // the same, where there are more than a few
	unclear  bool             // there are patterns whose next segment only chi can read
	variable *node            // whatever the next segment is
	rest     []target         // whatever all further segments are
}

// branch is where a literal segment leads.
type branch struct {
	segment string
	next    *node
}

// aFew is how many segments are compared faster than they are looked up.
const aFew = 8

// literal returns where a segment leads, nil for nowhere.
func (n *node) literal(segment string) *node {
	if n.many != nil {
		return n.many[segment]
	}
	for i := range n.few {
		if n.few[i].segment == segment {
			return n.few[i].next
		}
	}
	return nil
}

// grow returns where a segment leads, which is a new place where it led nowhere.
func (n *node) grow(segment string) *node {
	next := n.literal(segment)
	if next != nil {
		return next
	}
	next = &node{}
	switch {
	case n.many != nil:
		n.many[segment] = next
	case len(n.few) < aFew:
		n.few = append(n.few, branch{segment, next})
	default:
		n.many = map[string]*node{segment: next}
		for _, b := range n.few {
			n.many[b.segment] = b.next
		}
	}
	return next
}

// target is what a method leads to, * being any other one.
// Numbers rather than handlers, so that the tree can be tested without any.
type target struct {
	method string
	to     int
}

// Add adds what is at a pattern for a method, * being all those that it has not been given
// for. Patterns of another syntax than that of URI templates, or than /* at the end, such as
// a regular expression, are kept as places where Match does not know what is first.
func (t *Tree) Add(method, pattern string, to int) {
	n := &t.root
	for segment := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		name, isVariable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		switch {
		case segment == "*":
			n.rest = append(n.rest, target{method, to})
			return
		case !strings.ContainsAny(segment, "{*"):
			n = n.grow(segment)
		case isVariable && len(segment) == len("{}")+len(name) && !strings.ContainsAny(name, "{}:*"):
			if n.variable == nil {
				n.variable = &node{}
			}
			n = n.variable
		default:
			n.unclear = true
			return
		}
	}
	n.here = append(n.here, target{method, to})
}

// Match returns what is at a path for a method. It returns false where there is nothing, and
// where only chi knows. The path is cut into segments as it is, so it should be
// percent-encoded.
func (t *Tree) Match(method, path string) (to int, ok bool) {
	if path, ok = strings.CutPrefix(path, "/"); !ok {
		return 0, false
	}
	found, _ := t.root.match(method, path, true)
	if found == nil {
		return 0, false
	}
	return found.to, true
}

// match returns what is at the rest of a path, or else whether to look on. A variable takes
// an empty segment everywhere but at the end, as chi has it.
func (n *node) match(method, path string, more bool) (found *target, settled bool) {
	// Where a path can go on by a literal alone, as most begin, there is nothing to come back to.
	for more && n.variable == nil && n.rest == nil && !n.unclear {
		segment := path
		i := strings.IndexByte(path, '/')
		if more = i >= 0; more {
			segment, path = path[:i], path[i+1:]
		}
		if n = n.literal(segment); n == nil {
			return nil, false
		}
	}
	if !more {
		found = at(n.here, method)
		return found, found != nil
	}
	segment, rest := path, ""
	i := strings.IndexByte(path, '/')
	if more = i >= 0; more {
		segment, rest = path[:i], path[i+1:]
	}
	if next := n.literal(segment); next != nil {
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
func at(targets []target, method string) (other *target) {
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
