// Package encode writes documents as JSON and YAML in the order in which people read them, with
// lines for what they look for.
package encode

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/problem"
)

// Order is the order of members in a document. kin-openapi sorts all of them by name. It is
// for one goroutine.
type Order struct {
	Paths     []string
	Schemas   []string
	Responses []string
	Members   map[string][]string // of each schema's object, by the schema's name
	Contents  []string            // media types
	literals  map[string][]string // of examples, by the names that they have
}

// NewOrder returns the order of a document without anything of its own.
func NewOrder() *Order {
	// Pages show the first media type of a response: of an error the one that people read.
	o := &Order{Members: map[string][]string{}, literals: map[string][]string{}, Contents: []string{problem.MediaType}}
	for _, f := range format.Standard() {
		o.AddMediaTypes(&f)
	}
	return o
}

// AddMediaTypes adds those of a format to the order. A Patch has some of its own, which come
// first.
func (o *Order) AddMediaTypes(f *format.Format) {
	for _, name := range append(slices.Concat(f.Patches, f.Reads), f.MediaType) {
		if !slices.Contains(o.Contents, name) {
			o.Contents = append(o.Contents, name)
		}
	}
}

// Orders that are the same in each document. What they do not name comes last, as it
// was.
var (
	rootOrder      = [...]string{"openapi", "info", "jsonSchemaDialect", "servers", "tags", "security", "paths", "webhooks", "components"}
	componentOrder = [...]string{"schemas", "responses", "parameters", "requestBodies", "headers", "securitySchemes"}
	methodOrder    = [...]string{"summary", "description", "servers", "parameters", "get", "post", "put", "patch", "delete"}
	keywordOrder   = [...]string{
		"$ref", "name", "in", "title", "version", "tags", "operationId", "summary", "type", "format", "description",
		"parameters", "required", "requestBody", "responses", "readOnly", "writeOnly", "headers", "content", "schema",
		"default", "example", "examples", "minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum",
	}
)

// arrange moves the members that the order of a location lists to the front, and keeps the
// others as they are.
func (o *Order) arrange(members []entry, at location) {
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

// location is where a value stands in the document.
type location struct {
	top     [4]string // the first names on the way
	depth   int       // how many names there are
	last    string    // the last of them
	literal bool      // inside of an example or a default
}

// member returns the location of a member.
func (p location) member(name string) location {
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

// of returns the order of the members that an object at a location has.
func (o *Order) of(at location, members []entry) []string {
	switch {
	case at.literal:
		return o.ofLiteral(members)
	case at.depth == 0:
		return rootOrder[:]
	case at.top[0] == "paths" && at.depth == 1:
		return o.Paths
	case at.top[0] == "paths" && at.depth == 2:
		return methodOrder[:]
	case at.last == "content":
		return o.Contents
	case at.top[0] == "components" && at.depth <= 4:
		return o.ofComponents(at)
	case at.last == "properties" || at.last == "responses":
		return nil
	}
	return keywordOrder[:]
}

func (o *Order) ofComponents(at location) []string {
	kind := at.top[1]
	switch {
	case at.depth == 1:
		return componentOrder[:]
	case at.depth == 2 && kind == "schemas":
		return o.Schemas
	case at.depth == 2 && kind == "responses":
		return o.Responses
	case at.depth == 4 && kind == "schemas" && at.last == "properties":
		return o.Members[at.top[2]]
	case at.depth == 2:
		return nil
	}
	return keywordOrder[:]
}

// ofLiteral returns the order of an example's members: that of the smallest schema that
// has them all.
func (o *Order) ofLiteral(members []entry) []string {
	var key strings.Builder
	for _, m := range members {
		key.WriteString(m.name)
		key.WriteByte(0)
	}
	best, known := o.literals[key.String()]
	if known {
		return best
	}
	for _, schema := range o.Schemas {
		listed := o.Members[schema]
		isUnknown := func(m entry) bool { return !slices.Contains(listed, m.name) }
		if (best == nil || len(listed) < len(best)) && !slices.ContainsFunc(members, isUnknown) {
			best = listed
		}
	}
	o.literals[key.String()] = best
	return best
}
