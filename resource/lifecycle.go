package resource

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

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
