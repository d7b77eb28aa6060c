package resource

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// lifecycle compiles what an operation says of its end.
func (c *compiler) lifecycle(where string, d definition, m operation.Metadata, op *compiled.Operation) {
	l := compiled.Lifecycle{
		Deprecated: firstTime(m.Deprecated, d.defaults.Deprecated),
		Sunset:     firstTime(m.Sunset, d.defaults.Sunset),
		Link:       cmp.Or(m.DeprecationLink, d.defaults.DeprecationLink),
	}
	switch {
	case l.Link != "" && l.Deprecated.IsZero():
		c.fail(where, "DeprecationLink is set, but Deprecated is not")
	case l.Link != "" && !isAddress(l.Link):
		c.fail(where, "DeprecationLink is %q; allowed: an address, such as \"https://example.com/deprecation\"", l.Link)
	case !l.Deprecated.IsZero() && !l.Sunset.IsZero() && l.Sunset.Before(l.Deprecated):
		c.fail(where, "Sunset is before Deprecated; an operation ends after it is deprecated")
	}
	op.Lifecycle = l
}

func isAddress(text string) bool {
	_, err := url.Parse(text)
	return err == nil && isFieldValue(text) && !strings.ContainsAny(text, "<> \"")
}

// firstTime returns the first of the times that is one.
func firstTime(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}
