// Package httpfield reads header fields (RFC 9110): Accept and Content-Type (sections 12.5.1 and 8.3), Accept-Encoding, and
// conditional requests (section 13), for which it also makes entity tags.
//
// An entity tag names the state of a record and, where that does not determine the whole response, the representation:
// "state" or "state.representation". Conditions of a reader compare the whole tag. Those of a writer compare the state
// alone, so that a tag from any response guards a change.
package httpfield

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
)

// Conditions are the conditions of one request. The zero value has none.
type Conditions struct {
	Given bool // there is at least one

	match, noneMatch         *field
	modifiedSince, unchanged time.Time // of If-Modified-Since, If-Unmodified-Since
}

// field is a field of a request that lists entity tags (RFC 9110, section 8.8.3).
type field struct {
	any  bool // "*"
	tags []tag
}

// tag is one entity tag of a list.
type tag struct {
	weak   bool
	opaque string
}

// Names of the fields, as net/http writes them.
const (
	ifMatch           = "If-Match"
	ifNoneMatch       = "If-None-Match"
	ifModifiedSince   = "If-Modified-Since"
	ifUnmodifiedSince = "If-Unmodified-Since"
)

// ReadConditions reads the conditions of a request. It reads those with times only if times is set. It returns the name of a
// malformed field, else "". It ignores an invalid time, and a time next to entity tags, which are more precise (RFC
// 9110, section 13.1).
func ReadConditions(header http.Header, times bool) (c Conditions, malformed string) {
	if lines := header[ifMatch]; lines != nil {
		if c.match = parseTags(lines); c.match == nil {
			return Conditions{}, ifMatch
		}
	}
	if lines := header[ifNoneMatch]; lines != nil {
		if c.noneMatch = parseTags(lines); c.noneMatch == nil {
			return Conditions{}, ifNoneMatch
		}
	}
	if times {
		if lines := header[ifUnmodifiedSince]; c.match == nil && len(lines) == 1 {
			c.unchanged, _ = http.ParseTime(lines[0]) // the zero time with an error
		}
		if lines := header[ifModifiedSince]; c.noneMatch == nil && len(lines) == 1 {
			c.modifiedSince, _ = http.ParseTime(lines[0])
		}
	}
	c.Given = c.match != nil || c.noneMatch != nil || !c.unchanged.IsZero() || !c.modifiedSince.IsZero()
	return c, ""
}

// parseTags reads the lines of a field, nil if they are malformed.
func parseTags(lines []string) *field {
	rest := strings.Trim(strings.Join(lines, ","), " \t")
	if rest == "*" {
		return &field{any: true}
	}
	f := &field{}
	for {
		rest = strings.TrimLeft(rest, " \t,") // a list may have empty elements
		switch {
		case rest == "" && len(f.tags) > 0:
			return f
		case rest == "":
			return nil
		}
		var t tag
		rest, t.weak = strings.CutPrefix(rest, "W/")
		end := 1 + strings.IndexFunc(rest[min(len(rest), 1):], func(r rune) bool { return r <= ' ' || r == '"' || r == 0x7f })
		if end == 0 || rest[0] != '"' || rest[end] != '"' {
			return nil
		}
		t.opaque, rest = rest[1:end], strings.TrimLeft(rest[end+1:], " \t")
		if rest != "" && rest[0] != ',' {
			return nil
		}
		f.tags = append(f.tags, t)
	}
}

// Guards reports whether the request names the state that it changes: by If-Match, where "*" explicitly accepts
// any, or by "If-None-Match: *", if there must be none. A time guards nothing, because two changes within a second
// have the same one (RFC 9110, section 13.1.4). Nor does a tag in If-None-Match, which accepts all other states.
func (c Conditions) Guards() bool {
	return c.match != nil || c.noneMatch != nil && c.noneMatch.any
}

// OnlyWeak reports whether If-Match has only weak tags, which never match.
func (c Conditions) OnlyWeak() bool {
	return c.match != nil && !c.match.any && !slices.ContainsFunc(c.match.tags, func(t tag) bool { return !t.weak })
}

// Selected is the record or collection of a request.
type Selected struct {
	Exists   bool
	State    string    // of a record; "" for a response without a state
	Tag      string    // of the response, quoted
	Modified time.Time // zero if unknown
}

// Holds reports whether the conditions allow a change. Tags are compared by their state, strongly.
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

// Evaluate evaluates a reader's conditions, in the order of RFC 9110, section 13.2.2. It returns 0 if the response is sent,
// else 304 or 412.
func (c Conditions) Evaluate(s Selected) int {
	same := func(t tag) bool { return `"`+t.opaque+`"` == s.Tag }
	sameState := func(t tag) bool { return !t.weak && (same(t) || s.State != "" && StateOf(t.opaque) == s.State) }
	switch {
	case c.match != nil && !s.passes(c.match, sameState), !c.unchangedSince(s):
		return http.StatusPreconditionFailed
	case c.noneMatch != nil && s.passes(c.noneMatch, same):
		return http.StatusNotModified
	case !c.modifiedSince.IsZero() && !s.Modified.IsZero() && !s.Modified.Truncate(time.Second).After(c.modifiedSince):
		return http.StatusNotModified
	}
	return 0
}

// passes reports whether a field lists the selected record or collection.
func (s Selected) passes(f *field, same func(tag) bool) bool {
	return f.any && s.Exists || slices.ContainsFunc(f.tags, same)
}

// unchangedSince evaluates If-Unmodified-Since, which holds if the time of the last change is unknown.
func (c Conditions) unchangedSince(s Selected) bool {
	return c.unchanged.IsZero() || s.Modified.IsZero() || !s.Modified.Truncate(time.Second).After(c.unchanged)
}

// separator separates the state from the representation in a tag.
const separator = "."

// AppendState appends the state of a record: its version, if any, and a hash of its content.
func AppendState(b []byte, version string, content []byte) []byte {
	if version != "" {
		b = append(append(b, version...), '-')
	}
	return appendSum(b, xxhash.Sum64(content))
}

// AppendKeyedState appends the state of a record whose content is not public. Without the key, a client cannot find
// the content by trying. The result for a key is the same on every machine and in every release.
func AppendKeyedState(b []byte, version string, content, key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write(content) // a hash never fails
	var room [sha256.Size]byte
	if version != "" {
		b = append(append(b, version...), '-')
	}
	return appendSum(b, binary.LittleEndian.Uint64(mac.Sum(room[:0])))
}

// AppendRepresentation appends to a state what distinguishes its representations.
func AppendRepresentation(b, content []byte) []byte {
	return AppendHash(append(b, separator...), content)
}

// AppendHash appends a short hash of a content. It is the same on every machine and in every release. It is not
// secret, and does not resist forgery.
func AppendHash(b, content []byte, more ...[]byte) []byte {
	sum := xxhash.Sum64(content)
	for _, text := range more {
		var chain [8]byte
		binary.LittleEndian.PutUint64(chain[:], sum)
		digest := xxhash.New()
		_, _ = digest.Write(chain[:]) // a hash never fails
		_, _ = digest.Write(text)
		sum = digest.Sum64()
	}
	return appendSum(b, sum)
}

// appendSum appends a hash in base 32 (RFC 4648, section 7), five bits a character.
func appendSum(b []byte, sum uint64) []byte {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	var text [13]byte
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = digits[sum&31]
		sum >>= 5
	}
	return append(b, text[:]...)
}

// StateOf returns the state in a tag, with or without its quotation marks.
func StateOf(tag string) string {
	state, _, _ := strings.Cut(strings.Trim(tag, `"`), separator)
	return state
}
