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

// defaultCacheControl lets caches store responses but revalidate them each time, which is cheap with an ETag.
const defaultCacheControl = "no-cache"

// caching compiles the Cache-Control and preconditions of an operation.
func (c *compiler) caching(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	reads := op.Reads
	changes := op.Item && op.Saves
	switch {
	case m.RequirePrecondition && !changes:
		c.fail(where, "RequirePrecondition is only for operations that change the record in their path")
	case m.CacheControl != "" && !reads:
		c.fail(where, "CacheControl is only for Get and GetCollection")
	}
	op.RequirePrecondition = changes && (m.RequirePrecondition || d.defaults.RequirePrecondition)
	if !reads {
		return
	}
	c.checkCacheControl(where, m.CacheControl)
	op.Cache = []string{c.private(where, cmp.Or(m.CacheControl, d.defaults.CacheControl, defaultCacheControl), op)}
}

// private returns the Cache-Control of an operation. It adds "private" if the response depends on the caller (RFC 9111,
// section 5.2.2.7).
func (c *compiler) private(where, value string, op *compiled.Operation) string {
	if !op.Private {
		return value
	}
	kept := false
	for directive := range strings.SplitSeq(strings.ToLower(value), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name {
		case "public", "s-maxage":
			c.fail(where, "CacheControl is %q, but the response depends on the caller; remove %s", value, name)
		case "private", "no-store":
			kept = true
		}
	}
	if kept {
		return value
	}
	return "private, " + value
}

// checkCacheControl checks the Cache-Control of an operation or a resource; "" is valid.
func (c *compiler) checkCacheControl(where, value string) {
	if !isFieldValue(value) {
		c.fail(where, "CacheControl is %q; use visible ASCII and spaces, such as \"public, max-age=60\"", value)
	}
}

// isFieldValue reports whether a text can be the value of a header field.
func isFieldValue(text string) bool {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	return strings.TrimSpace(text) == text && !strings.ContainsFunc(text, odd)
}

// lifecycle compiles the deprecation and end of an operation. Errors in the resource's settings are already reported.
func (c *compiler) lifecycle(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	op.Lifecycle = lifecycleOf(m, &d.defaults)
	for _, mistake := range mistakesInEnd(op.Lifecycle) {
		if !slices.Contains(mistakesInEnd(lifecycleOf(&d.defaults)), mistake) {
			c.fail(where, "%s", mistake)
		}
	}
}

// lifecycleOf takes each setting from the first level that has it.
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

// mistakesInEnd lists the errors in a lifecycle.
func mistakesInEnd(l compiled.Lifecycle) []string {
	var mistakes []string
	fail := func(format string, args ...any) { mistakes = append(mistakes, fmt.Sprintf(format, args...)) }
	switch {
	case l.Link != "" && l.Deprecated.IsZero():
		fail("DeprecationLink needs Deprecated; set both or neither")
	case l.Link != "" && !isURL(l.Link):
		fail("DeprecationLink is %q; use a URL such as \"https://example.com/deprecation\"", l.Link)
	}
	if !l.Deprecated.IsZero() && !l.Sunset.IsZero() && l.Sunset.Before(l.Deprecated) {
		fail("Sunset is before Deprecated; an operation must end after it is deprecated")
	}
	for _, at := range []struct {
		name string
		time time.Time
	}{{"Deprecated", l.Deprecated}, {"Sunset", l.Sunset}} {
		if year := at.time.UTC().Year(); year < 1 || year > 9999 { // HTTP dates have four digits for the year
			fail("%s is in the year %d; allowed: 1 to 9999", at.name, year)
		}
	}
	return mistakes
}

func isURL(text string) bool {
	_, err := url.Parse(text)
	return err == nil && isFieldValue(text) && !strings.ContainsAny(text, "<> \"")
}

// responseHeader compiles the descriptions of header fields that hooks and handlers of an operation set.
func (c *compiler) responseHeader(where string, declared map[string]string, op *compiled.Operation) {
	if len(declared) == 0 {
		return
	}
	if !observed(op) {
		c.fail(where, "ResponseHeader needs a hook or Handler that sets the fields; add one, or remove it")
	}
	op.ResponseHeader = make(map[string]string, len(declared))
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		field := http.CanonicalHeaderKey(name)
		_, twice := op.ResponseHeader[field]
		switch at := fmt.Sprintf("ResponseHeader has %q", name); {
		case !compiled.IsFieldName(name):
			c.fail(where, "%s, which is not the name of a header field; use letters, digits and -, such as \"Set-Cookie\"", at)
		case op.ReservesHeader(field):
			c.fail(where, "%s, which only Trove sets; remove it", at)
		case twice:
			c.fail(where, "%s twice, because case is ignored", at)
		}
		op.ResponseHeader[field] = declared[name]
	}
}
