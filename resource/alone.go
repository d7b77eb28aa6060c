package resource

import (
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

// fork is where the patterns of routes part, segment by segment.
type fork struct {
	next     map[string]*fork // by the next segment; those with a variable are under anything
	patterns []string         // that end here
	rests    []string         // that go on with an asterisk
}

// anything is the segment of patterns that have a variable in it.
const anything = "{}"

func newFork(routes []chi.Route) *fork {
	f := &fork{}
	for _, route := range routes {
		f.add(route.Pattern, route.Pattern)
		if within, ok := strings.CutSuffix(route.Pattern, "/*"); ok { // chi mounts a handler there, too
			f.add(within, route.Pattern)
		}
	}
	return f
}

// add notes that a pattern matches what the path does.
func (f *fork) add(path, pattern string) {
	for segment := range strings.SplitSeq(path, "/") {
		switch {
		case strings.Contains(segment, "*"):
			f.rests = append(f.rests, pattern)
			return
		case strings.Contains(segment, "{"):
			segment = anything
		}
		if f.next == nil {
			f.next = map[string]*fork{}
		}
		if f.next[segment] == nil {
			f.next[segment] = &fork{}
		}
		f = f.next[segment]
	}
	f.patterns = append(f.patterns, pattern)
}

// isAlone reports whether no other route matches a path that the pattern does.
func (f *fork) isAlone(pattern string) bool {
	return !f.crosses(pattern, strings.Split(pattern, "/"))
}

// crosses reports whether another pattern than the given one matches the segments.
func (f *fork) crosses(pattern string, segments []string) bool {
	if f == nil {
		return false
	}
	if len(segments) == 0 {
		return isAnother(pattern, f.patterns)
	}
	if isAnother(pattern, f.rests) {
		return true
	}
	segment, others := segments[0], segments[1:]
	if !strings.Contains(segment, "{") {
		return f.next[segment].crosses(pattern, others) || f.next[anything].crosses(pattern, others)
	}
	for _, next := range f.next {
		if next.crosses(pattern, others) {
			return true
		}
	}
	return false
}

// isAnother reports whether there is another pattern among some.
func isAnother(pattern string, among []string) bool {
	return slices.ContainsFunc(among, func(each string) bool { return each != pattern })
}
