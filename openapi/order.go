package openapi

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
)

// order is the order of members in the written document. kin-openapi sorts all of them
// by name.
type order struct {
	paths     []string
	schemas   []string
	responses []string
	members   map[string][]string // of each schema's object, by the schema's name
	literals  map[string][]string // of examples, by the names that they have
}

func newOrder() *order {
	return &order{members: map[string][]string{}, literals: map[string][]string{}}
}

func (b *builder) order() *order {
	o := newOrder()
	o.paths, o.responses = b.paths, b.responses
	for _, d := range b.definitions {
		o.schemas = append(o.schemas, d.Name)
		for _, p := range d.Schema.Properties {
			o.members[d.Name] = append(o.members[d.Name], p.Name)
		}
	}
	return o
}

// Orders that are the same in each document. What they do not name comes last, as it
// was.
var (
	rootOrder      = [...]string{"openapi", "info", "jsonSchemaDialect", "servers", "tags", "security", "paths", "webhooks", "components"}
	componentOrder = [...]string{"schemas", "responses", "parameters", "requestBodies", "headers", "securitySchemes"}
	methodOrder    = [...]string{"summary", "description", "servers", "parameters", "get", "post", "put", "patch", "delete"}
	contentOrder   = [...]string{compiled.MergePatch, compiled.JSON}
	keywordOrder   = [...]string{
		"$ref", "name", "in", "title", "version", "tags", "operationId", "summary", "type", "format", "description",
		"parameters", "required", "requestBody", "responses", "readOnly", "writeOnly", "headers", "content", "schema",
		"default", "example", "examples", "minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum",
	}
)

// arrange moves the members that the order of a place lists to the front, and keeps the
// others as they are.
func (o *order) arrange(members []entry, at place) {
	front := members
	for _, name := range o.of(at, members) {
		i := slices.IndexFunc(front, func(m entry) bool { return m.name == name })
		if i < 0 {
			continue
		}
		found := front[i]
		copy(front[1:], front[:i])
		front[0], front = found, front[1:]
	}
}

// place is where a value stands in the document.
type place struct {
	top     [4]string // the first names on the way
	depth   int       // how many names there are
	last    string    // the last of them
	literal bool      // inside of an example or a default
}

// member returns the place of a member.
func (p place) member(name string) place {
	inner := p
	if p.depth < len(p.top) {
		inner.top[p.depth] = name
	}
	inner.depth, inner.last = p.depth+1, name
	switch name {
	case "example", "examples", "default":
		inner.literal = p.literal || p.last != "properties" && p.last != "responses"
	}
	return inner
}

// of returns the order of the members that an object at a place has.
func (o *order) of(at place, members []entry) []string {
	switch {
	case at.literal:
		return o.ofLiteral(members)
	case at.depth == 0:
		return rootOrder[:]
	case at.top[0] == "paths" && at.depth == 1:
		return o.paths
	case at.top[0] == "paths" && at.depth == 2:
		return methodOrder[:]
	case at.last == "content":
		return contentOrder[:]
	case at.top[0] == "components" && at.depth <= 4:
		return o.ofComponents(at)
	case at.last == "properties" || at.last == "responses":
		return nil
	}
	return keywordOrder[:]
}

func (o *order) ofComponents(at place) []string {
	kind := at.top[1]
	switch {
	case at.depth == 1:
		return componentOrder[:]
	case at.depth == 2 && kind == "schemas":
		return o.schemas
	case at.depth == 2 && kind == "responses":
		return o.responses
	case at.depth == 4 && kind == "schemas" && at.last == "properties":
		return o.members[at.top[2]]
	case at.depth == 2:
		return nil
	}
	return keywordOrder[:]
}

// ofLiteral returns the order of an example's members: that of the smallest schema that
// has them all.
func (o *order) ofLiteral(members []entry) []string {
	var key strings.Builder
	for _, m := range members {
		key.WriteString(m.name)
		key.WriteByte(0)
	}
	best, known := o.literals[key.String()]
	if known {
		return best
	}
	for _, schema := range o.schemas {
		listed := o.members[schema]
		isUnknown := func(m entry) bool { return !slices.Contains(listed, m.name) }
		if (best == nil || len(listed) < len(best)) && !slices.ContainsFunc(members, isUnknown) {
			best = listed
		}
	}
	o.literals[key.String()] = best
	return best
}
