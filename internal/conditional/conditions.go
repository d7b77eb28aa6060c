package conditional

import (
	"net/http"
	"time"
)

// Conditions are those of one request. The zero value has none.
type Conditions struct {
	match, noneMatch         *field
	modifiedSince, unchanged time.Time // of If-Modified-Since, If-Unmodified-Since
}

// Names of the fields, as net/http writes them.
const (
	ifMatch           = "If-Match"
	ifNoneMatch       = "If-None-Match"
	ifModifiedSince   = "If-Modified-Since"
	ifUnmodifiedSince = "If-Unmodified-Since"
)

// Read reads the conditions of a request, those of times only where somebody knows when
// what it is about was changed. It returns the name of a field that is not well formed,
// else "". A time that is none is passed over, and so is one beside the entity tags that
// say it better (RFC 9110, section 13.1).
func Read(header http.Header, times bool) (c Conditions, malformed string) {
	var ok bool
	if c.match, ok = read(header[ifMatch]); !ok {
		return Conditions{}, ifMatch
	}
	if c.noneMatch, ok = read(header[ifNoneMatch]); !ok {
		return Conditions{}, ifNoneMatch
	}
	if times && c.match == nil {
		c.unchanged = timeIn(header[ifUnmodifiedSince])
	}
	if times && c.noneMatch == nil {
		c.modifiedSince = timeIn(header[ifModifiedSince])
	}
	return c, ""
}

// read reads the lines of a field, nil where there are none.
func read(lines []string) (*field, bool) {
	if lines == nil {
		return nil, true
	}
	f, ok := parse(lines)
	return &f, ok
}

// timeIn returns the time in the lines of a field, the zero time where there is none.
func timeIn(lines []string) time.Time {
	if len(lines) != 1 {
		return time.Time{}
	}
	t, _ := http.ParseTime(lines[0]) // the zero time with an error
	return t
}

// None reports whether the request has no conditions.
func (c Conditions) None() bool { return c == Conditions{} }

// Guards reports whether the request says which state it changes: by If-Match, where "*"
// says in so many words that any will do, or by "If-None-Match: *", that there is none yet.
// A time guards nothing, for two changes within a second have one (RFC 9110, section
// 13.1.4), nor does a tag in If-None-Match, which lets all states pass but that one.
func (c Conditions) Guards() bool {
	return c.match != nil || c.noneMatch != nil && c.noneMatch.any
}

// OnlyWeak reports whether If-Match has weak tags alone, which never match.
func (c Conditions) OnlyWeak() bool {
	return c.match != nil && !c.match.any && !c.match.has(func(t tag) bool { return !t.weak })
}

// Selected is the record or the collection that a request is about.
type Selected struct {
	Exists   bool
	State    string    // of a record; "" for what has no state of its own
	Tag      string    // of the answer, quoted
	Modified time.Time // zero where nobody knows
}

// Holds reports whether a change may be made to what is selected. Tags are compared by
// their state, strongly.
func (c Conditions) Holds(s Selected) bool {
	same := func(t tag) bool { return s.Exists && s.State != "" && StateOf(t.opaque) == s.State }
	switch {
	case c.match != nil && !s.passes(c.match, func(t tag) bool { return !t.weak && same(t) }):
		return false
	case c.noneMatch != nil && s.passes(c.noneMatch, same):
		return false
	}
	return c.unchangedSince(s)
}

// Verdict is what the conditions of a reader come to.
type Verdict int

const (
	// Send says that the answer is sent as it is.
	Send Verdict = iota
	// NotModified says that the client has it already.
	NotModified
	// Failed says that the client wants another one.
	Failed
)

// Evaluate evaluates the conditions of a reader, in the order of RFC 9110, section 13.2.2.
func (c Conditions) Evaluate(s Selected) Verdict {
	same := func(t tag) bool { return `"`+t.opaque+`"` == s.Tag }
	sameState := func(t tag) bool { return !t.weak && (same(t) || s.State != "" && StateOf(t.opaque) == s.State) }
	switch {
	case c.match != nil && !s.passes(c.match, sameState), !c.unchangedSince(s):
		return Failed
	case c.noneMatch != nil && s.passes(c.noneMatch, same):
		return NotModified
	case !c.modifiedSince.IsZero() && !s.Modified.IsZero() && !s.Modified.Truncate(time.Second).After(c.modifiedSince):
		return NotModified
	}
	return Send
}

// passes reports whether a field names what is selected.
func (s Selected) passes(f *field, same func(tag) bool) bool {
	return f.any && s.Exists || f.has(same)
}

// unchangedSince evaluates If-Unmodified-Since, which nobody can where the time of the last
// change is not known.
func (c Conditions) unchangedSince(s Selected) bool {
	return c.unchanged.IsZero() || s.Modified.IsZero() || !s.Modified.Truncate(time.Second).After(c.unchanged)
}
