package openapi

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/problem"
)

// order is the order of the fields in a document, for readers. It does not change once built.
type order struct {
	paths, schemas, responses ranks
	contents                  ranks   // media types
	properties                []ranks // of each schema's object
	ofSchema                  map[string]ranks

	root, components, methods, keywords ranks
}

// ranks are the positions of names in an order. Names without one come last, sorted.
type ranks map[string]int

func rank(names ...string) ranks {
	r := make(ranks, len(names))
	r.add(names...)
	return r
}

// add appends the names that have no position yet.
func (r ranks) add(names ...string) {
	for _, name := range names {
		if _, has := r[name]; !has {
			r[name] = len(r)
		}
	}
}

func (r ranks) compare(a, b string) int {
	if r == nil {
		return 0
	}
	return cmp.Compare(r.place(a), r.place(b))
}

func (r ranks) place(name string) int {
	if place, has := r[name]; has {
		return place
	}
	return math.MaxInt
}

// newOrder returns the order of an empty document.
func newOrder() *order {
	o := &order{
		paths: ranks{}, schemas: ranks{}, responses: ranks{}, ofSchema: map[string]ranks{},
		contents:   rank(problem.MediaType), // pages show the first media type, which for errors is the readable one
		root:       rank("openapi", "info", "jsonSchemaDialect", "servers", "tags", "security", "paths", "webhooks", "components"),
		components: rank("schemas", "responses", "parameters", "requestBodies", "headers", "securitySchemes"),
		methods:    rank("summary", "description", "servers", "parameters", "get", "post", "put", "patch", "delete"),
		keywords: rank("$ref", "name", "in", "title", "version", "tags", "operationId", "summary", "type", "format", "description",
			"parameters", "required", "requestBody", "responses", "readOnly", "writeOnly", "headers", "content", "schema",
			"default", "example", "examples", "minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"),
	}
	for _, f := range format.Standard() {
		o.addMediaTypes(&f)
	}
	return o
}

// addMediaTypes adds the media types of a format to the order, those of a Patch first.
func (o *order) addMediaTypes(f *format.Format) {
	o.contents.add(append(slices.Concat(f.Patches, f.Reads), f.MediaType)...)
}

// addSchema adds a schema and its fields.
func (o *order) addSchema(name string, members ...string) {
	o.schemas.add(name)
	if len(members) > 0 {
		o.ofSchema[name] = rank(members...)
		o.properties = append(o.properties, o.ofSchema[name])
	}
}

// location is the path of a value in the document.
type location struct {
	top     [4]string // the first names
	depth   int       // the number of names
	last    string    // the last name
	literal bool      // within an example or a default
}

// field returns the location of a field.
func (p location) field(name string) location {
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

// of returns the order of the fields of an object that is not an example.
func (o *order) of(at location) ranks {
	switch {
	case at.depth == 0:
		return o.root
	case at.top[0] == "paths" && at.depth == 1:
		return o.paths
	case at.top[0] == "paths" && at.depth == 2:
		return o.methods
	case at.last == "content":
		return o.contents
	case at.top[0] == "components" && at.depth <= 4:
		return o.ofComponents(at)
	case at.last == "properties" || at.last == "responses":
		return nil
	}
	return o.keywords
}

func (o *order) ofComponents(at location) ranks {
	kind := at.top[1]
	switch {
	case at.depth == 1:
		return o.components
	case at.depth == 2 && kind == "schemas":
		return o.schemas
	case at.depth == 2 && kind == "responses":
		return o.responses
	case at.depth == 4 && kind == "schemas" && at.last == "properties":
		return o.ofSchema[at.top[2]]
	case at.depth == 2:
		return nil
	}
	return o.keywords
}

// ofLiteral returns the order of an example's fields: that of the smallest schema that has all of them.
func (w *writer) ofLiteral(members []member) ranks {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	slices.Sort(names) // a map has no order
	key := strings.Join(names, "\x00")
	best, known := w.literals[key]
	if known {
		return best
	}
	for _, listed := range w.order.properties {
		isUnknown := func(m member) bool { return listed.place(m.name) == math.MaxInt }
		if (best == nil || len(listed) < len(best)) && !slices.ContainsFunc(members, isUnknown) {
			best = listed
		}
	}
	w.literals[key] = best
	return best
}
