package openapi

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
)

// shared are the places of a document that have a parameter, a response or a header field of one name: groups of
// those that say the same, in the order in which they were met.
type shared struct {
	kind, name string
	groups     [][]*object
}

// share notes what several operations may have in common, under the name that it has as a component of a kind; "" is
// never one.
func (b *builder) share(kind, name string, at *object) {
	if name == "" || at.get("$ref") != nil {
		return
	}
	s := b.shared[kind+"/"+name]
	if s == nil {
		s = &shared{kind: kind, name: name}
		b.shared[kind+"/"+name] = s
	}
	i := slices.IndexFunc(s.groups, func(group []*object) bool { return reflect.DeepEqual(group[0], at) })
	if i < 0 {
		s.groups = append(s.groups, []*object{at})
		return
	}
	s.groups[i] = append(s.groups[i], at)
}

// promoted returns the components of a kind that are made of what is said most often under a name, twice at least.
// Those places refer to them from then on.
func (b *builder) promoted(kind string) object {
	var components object
	for _, s := range b.shared {
		if s.kind != kind {
			continue
		}
		most := slices.MaxFunc(s.groups, func(a, b []*object) int { return len(a) - len(b) }) // the first of several
		if len(most) < 2 {
			continue
		}
		components = append(components, member{s.name, *most[0]})
		for _, at := range most {
			*at = object{{"$ref", "#/components/" + kind + "/" + s.name}}
		}
	}
	return components
}

// componentOf returns the name that a parameter has as a component, "" for one that never is: filters by fields, except
// by the identifier, and parameters of an operation's own are about its resource and stay with it. Generators make
// types of components, which resources must not be called like.
func componentOf(op *compiled.Operation, p *object) string {
	name, in := p.get("name").(string), p.get("in")
	words := strings.ReplaceAll(name, "-", "")
	if in == "path" && op.Resource.ID.Has(name) {
		return op.Resource.ShortName + naming.Capital(words) + "Parameter"
	}
	switch name {
	case "If-Match", "If-None-Match", "Idempotency-Key":
		return words + "Parameter"
	}
	for _, known := range op.Parameters.List {
		if known.Name != name || in != "query" {
			continue
		}
		switch known.Kind {
		case parameters.Page, parameters.Offset, parameters.ItemsPerPage, parameters.Pagination, parameters.Partial, parameters.Cursor:
			return naming.Capital(describe.ComponentName(words)) + "Parameter"
		case parameters.Filter:
			if op.Resource.ID.Has(name) {
				return naming.Capital(describe.ComponentName(words)) + "FilterParameter"
			}
		}
	}
	return ""
}
