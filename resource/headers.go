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
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/operation"
)

// defaultCacheControl lets caches store responses but revalidate them each time, which is cheap with an ETag.
const defaultCacheControl = "no-cache"

// caching compiles the Cache-Control and preconditions of an operation.
func (o *operationCompiler) caching() {
	o.RequirePrecondition = o.Item && o.Saves && (o.metadata.RequirePrecondition || o.definition.defaults.RequirePrecondition)
	if !o.Reads {
		return
	}
	checkCacheControl(o.c.mistakes, o.where, o.metadata.CacheControl)
	o.Cache = []string{privateCache(o.c.mistakes, o.where, cmp.Or(o.metadata.CacheControl, o.definition.defaults.CacheControl, defaultCacheControl), o.Operation)}
}

// privateCache returns the Cache-Control of an operation. It adds "private" if the response depends on the caller (RFC 9111,
// section 5.2.2.7).
func privateCache(errs *mistakes, where, value string, op *compiled.Operation) string {
	if !op.Private {
		return value
	}
	kept := false
	for directive := range strings.SplitSeq(strings.ToLower(value), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name {
		case "public", "s-maxage":
			errs.fail(where, "CacheControl is %q, but the response depends on the caller; remove %s", value, name)
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
func checkCacheControl(errs *mistakes, where, value string) {
	if !isFieldValue(value) {
		errs.fail(where, "CacheControl is %q; use visible ASCII and spaces, such as \"public, max-age=60\"", value)
	}
}

// isFieldValue reports whether a text can be the value of a header field.
func isFieldValue(text string) bool {
	odd := func(r rune) bool { return r < ' ' || r > '~' }
	return strings.TrimSpace(text) == text && !strings.ContainsFunc(text, odd)
}

// lifecycle compiles the deprecation and end of an operation. Errors in the resource's settings are already reported.
func (o *operationCompiler) lifecycle() {
	o.Lifecycle = lifecycleOf(o.metadata, &o.definition.defaults)
	for _, mistake := range mistakesInEnd(o.Lifecycle) {
		if !slices.Contains(mistakesInEnd(lifecycleOf(&o.definition.defaults)), mistake) {
			o.fail("%s", mistake)
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
func (o *operationCompiler) responseHeader(declared map[string]string) {
	if len(declared) == 0 {
		return
	}
	if !observed(o.Operation) {
		o.fail("ResponseHeader needs a hook or Handler that sets the fields; add one, or remove it")
	}
	o.ResponseHeader = make(map[string]string, len(declared))
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		field := http.CanonicalHeaderKey(name)
		_, twice := o.ResponseHeader[field]
		switch at := fmt.Sprintf("ResponseHeader has %q", name); {
		case !httpfield.IsName(name):
			o.fail("%s, which is not the name of a header field; use letters, digits and -, such as \"Set-Cookie\"", at)
		case o.ReservesHeader(field):
			o.fail("%s, which only Trove sets; remove it", at)
		case twice:
			o.fail("%s twice, because case is ignored", at)
		}
		o.ResponseHeader[field] = declared[name]
	}
}
