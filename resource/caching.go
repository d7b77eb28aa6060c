package resource

import (
	"cmp"
	"strings"

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

// isShared reports whether the user lets caches share what is answered.
func isShared(value string) bool {
	value = strings.ToLower(value)
	return strings.Contains(value, "public") || strings.Contains(value, "s-maxage")
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
