package check

import (
	"slices"

	"github.com/trove-api/trove/validation"
)

// few is up to how many paths are compared one by one. Beyond it there is a set of them,
// lest a body with many mistakes takes time by their square.
const few = 16

// report gathers violations, one for each value.
type report struct {
	found []validation.Violation
	told  paths // of the first violations in found
	size  int   // how many these are
}

// isTold reports whether something was found already at the path, above it or below.
func (r *report) isTold(path string) bool {
	if len(r.found) <= few {
		return slices.ContainsFunc(r.found, func(v validation.Violation) bool {
			return v.Field == path || isBelow(path, v.Field) || isBelow(v.Field, path)
		})
	}
	for ; r.size < len(r.found); r.size++ {
		r.told.add(r.found[r.size].Field)
	}
	return r.told.leadTo(path) || r.told.holdAbove(path)
}

func (r *report) add(v validation.Violation) {
	if r.found == nil {
		r.found = make([]validation.Violation, 0, 8)
	}
	r.found = append(r.found, v)
}

// paths is a set of paths, of JSON names or of Go's. It knows what its paths are in.
type paths struct {
	exact map[string]bool
	above map[string]bool
}

func (p *paths) add(path string) {
	if p.exact == nil {
		p.exact, p.above = map[string]bool{}, map[string]bool{}
	}
	p.exact[path] = true
	for i := range len(path) {
		if path[i] == '.' || path[i] == '[' {
			p.above[path[:i]] = true
		}
	}
}

// leadTo reports whether the path is one of the set, or one of the set is in it.
func (p *paths) leadTo(path string) bool { return p.exact[path] || p.above[path] }

// holdAbove reports whether the path is in one of the set.
func (p *paths) holdAbove(path string) bool {
	for i := range len(path) {
		if (path[i] == '.' || path[i] == '[') && p.exact[path[:i]] {
			return true
		}
	}
	return false
}

// isBelow reports whether a path leads into the value at another.
func isBelow(path, above string) bool {
	return len(path) > len(above) && path[:len(above)] == above && (path[len(above)] == '.' || path[len(above)] == '[')
}
