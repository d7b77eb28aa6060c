package resource

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// defaultCacheControl lets caches keep answers, and ask each time whether they are still
// the ones: answers have an ETag, so that this costs little.
const defaultCacheControl = "no-cache"

// caching compiles what an operation says to caches, and what it asks of those who change
// a record.
func (c *compiler) caching(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	reads := op.Reads
	changes := op.Item && op.Saves
	switch {
	case m.RequirePrecondition && !changes:
		c.fail(where, "RequirePrecondition is set; allowed on operations that change the record of their path")
	case m.CacheControl != "" && !reads:
		c.fail(where, "CacheControl is set; allowed on Get and GetCollection")
	}
	op.RequirePrecondition = changes && (m.RequirePrecondition || d.defaults.RequirePrecondition)
	if !reads {
		return
	}
	c.checkCacheControl(where, m.CacheControl)
	op.Cache = []string{c.private(where, cmp.Or(m.CacheControl, d.defaults.CacheControl, defaultCacheControl), op)}
}

// private returns what an operation says to caches, which share no answer that depends on who
// asks (RFC 9111, section 5.2.2.7).
func (c *compiler) private(where, value string, op *compiled.Operation) string {
	if !op.Private {
		return value
	}
	kept := false
	for directive := range strings.SplitSeq(strings.ToLower(value), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name {
		case "public", "s-maxage":
			c.fail(where, "CacheControl is %q, but what is answered depends on who asks; leave %s out", value, name)
		case "private", "no-store":
			kept = true
		}
	}
	if kept {
		return value
	}
	return "private, " + value
}

// checkCacheControl checks what an operation or a resource says to caches; "" is nothing.
func (c *compiler) checkCacheControl(where, value string) {
	if !isFieldValue(value) {
		c.fail(where, "CacheControl is %q; allowed: visible ASCII and spaces, such as \"public, max-age=60\"", value)
	}
}

// isFieldValue reports whether a text can be the value of a header field.
func isFieldValue(text string) bool {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	return strings.TrimSpace(text) == text && !strings.ContainsFunc(text, odd)
}

// lifecycle compiles what an operation says of its end. What its resource says of it wrongly
// has been told there.
func (c *compiler) lifecycle(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	op.Lifecycle = lifecycleOf(m, &d.defaults)
	for _, mistake := range mistakesInEnd(op.Lifecycle) {
		if !slices.Contains(mistakesInEnd(lifecycleOf(&d.defaults)), mistake) {
			c.fail(where, "%s", mistake)
		}
	}
}

// lifecycleOf takes each thing from the first of the levels that says it.
func lifecycleOf(levels ...*operation.Metadata) compiled.Lifecycle {
	var l compiled.Lifecycle
	for _, level := range levels {
		if l.Deprecated.IsZero() {
			l.Deprecated = level.Deprecated
		}
		if l.Sunset.IsZero() {
			l.Sunset = level.Sunset
		}
		l.Link = cmp.Or(l.Link, level.DeprecationLink)
	}
	return l
}

// mistakesInEnd lists what is wrong with what is said of an end.
func mistakesInEnd(l compiled.Lifecycle) []string {
	var mistakes []string
	fail := func(format string, args ...any) { mistakes = append(mistakes, fmt.Sprintf(format, args...)) }
	switch {
	case l.Link != "" && l.Deprecated.IsZero():
		fail("DeprecationLink is set, but Deprecated is not")
	case l.Link != "" && !isAddress(l.Link):
		fail("DeprecationLink is %q; allowed: an address, such as \"https://example.com/deprecation\"", l.Link)
	}
	if !l.Deprecated.IsZero() && !l.Sunset.IsZero() && l.Sunset.Before(l.Deprecated) {
		fail("Sunset is before Deprecated; an operation ends after it is deprecated")
	}
	for _, at := range []struct {
		name string
		time time.Time
	}{{"Deprecated", l.Deprecated}, {"Sunset", l.Sunset}} {
		if year := at.time.UTC().Year(); year < 1 || year > 9999 { // a date of HTTP has four digits for it
			fail("%s is in the year %d; allowed: 1 to 9999", at.name, year)
		}
	}
	return mistakes
}

func isAddress(text string) bool {
	_, err := url.Parse(text)
	return err == nil && isFieldValue(text) && !strings.ContainsAny(text, "<> \"")
}

// responseHeader compiles which fields functions are said to set in the answers of an operation.
func (c *compiler) responseHeader(where string, declared map[string]string, op *compiled.Operation) {
	if len(declared) == 0 {
		return
	}
	if !op.Observed {
		c.fail(where, "ResponseHeader is set, but no function of the operation could set a field; give it a Handler, or leave it out")
	}
	op.ResponseHeader = make(map[string]string, len(declared))
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		field := http.CanonicalHeaderKey(name)
		_, twice := op.ResponseHeader[field]
		switch at := fmt.Sprintf("ResponseHeader has %q", name); {
		case !compiled.IsFieldName(name):
			c.fail(where, "%s, which is no name of a field; allowed: letters, digits and -, such as \"Set-Cookie\"", at)
		case op.ReservesHeader(field):
			c.fail(where, "%s, which is Trove's own to set; leave it out", at)
		case twice:
			c.fail(where, "%s twice: the case of its letters does not count", at)
		}
		op.ResponseHeader[field] = declared[name]
	}
}
