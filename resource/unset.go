package resource

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// inherited are the fields of a resource that its operations take over.
var inherited = []string{
	"ExtraProperties", "Processor", "Pagination", "Order", "SparseFields", "View", "Output", "Input", "RequirePrecondition",
	"CacheControl", "Idempotency", "Deprecated", "Sunset", "DeprecationLink", "Timeout", "Access", "Formats",
}

// merged are those of them that an operation may set and still take the rest over.
var merged = []string{"ExtraProperties", "Pagination"}

// without returns the definition as an operation sees it that does not take over the fields
// of its Unset.
func (c *compiler) without(where string, m *operation.Metadata, d *definition) *definition {
	if m.Unset == nil {
		return d
	}
	copied := *d
	d = &copied
	theirs, own := reflect.ValueOf(&d.defaults).Elem(), reflect.ValueOf(m).Elem()
	for i, name := range m.Unset {
		switch {
		case !slices.Contains(inherited, name):
			c.fail(where, "Unset has %q; allowed: %s%s", name, strings.Join(inherited, ", "), naming.DidYouMean(name, inherited))
			continue
		case slices.Contains(m.Unset[:i], name):
			c.fail(where, "Unset has %q twice", name)
		case !own.FieldByName(name).IsZero() && !slices.Contains(merged, name):
			c.fail(where, "Unset has %q, which the operation sets itself; drop one of the two", name)
		case theirs.FieldByName(name).IsZero() && (name != "Access" || !hasRules(d.access)):
			c.fail(where, "Unset has %q, which the resource does not set", name)
		}
		theirs.FieldByName(name).SetZero()
		if name == "Access" { // the rules of a resource are one for each verb
			d.access = access.Rules{Members: d.access.Members}
		}
	}
	return d
}
