package openapi

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/compiled"
)

// order is the order of members in the written document. kin-openapi sorts all of them
// by name.
type order struct {
	paths     []string
	schemas   []string
	responses []string
	members   map[string][]string // of each schema's object, by the schema's name
}

func (b *builder) order() *order {
	o := &order{paths: b.paths, responses: b.responses, members: map[string][]string{}}
	var fixed []string // those of every document, after those of this one
	for _, d := range b.schemas.definitions {
		o.members[d.name] = d.properties
		if d.goType == nil {
			fixed = append(fixed, d.name)
		} else {
			o.schemas = append(o.schemas, d.name)
		}
	}
	o.schemas = append(o.schemas, fixed...)
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

// write returns a document, given as JSON, indented and in its order.
func (o *order) write(document []byte) ([]byte, error) {
	var written bytes.Buffer
	encoder := jsontext.NewEncoder(&written, jsontext.WithIndent("  "))
	if err := o.arrange(encoder, document, place{}); err != nil {
		return nil, err
	}
	return written.Bytes(), nil
}

// arrange writes a value with the members of its objects in order.
func (o *order) arrange(to *jsontext.Encoder, value jsontext.Value, at place) error {
	switch value.Kind() {
	case jsontext.KindBeginObject:
		return o.arrangeObject(to, value, at)
	case jsontext.KindBeginArray:
		return o.arrangeArray(to, value, at)
	}
	return to.WriteValue(value)
}

func (o *order) arrangeArray(to *jsontext.Encoder, value jsontext.Value, at place) error {
	from := jsontext.NewDecoder(bytes.NewReader(value))
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	if err := to.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for from.PeekKind() != jsontext.KindEndArray {
		element, err := from.ReadValue()
		if err != nil {
			return err
		}
		if err := o.arrange(to, slices.Clone(element), at); err != nil {
			return err
		}
	}
	return to.WriteToken(jsontext.EndArray)
}

func (o *order) arrangeObject(to *jsontext.Encoder, value jsontext.Value, at place) error {
	names, values, err := members(value)
	if err != nil {
		return err
	}
	if err := to.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, name := range sorted(names, o.of(at, names)) {
		if err := to.WriteToken(jsontext.String(name)); err != nil {
			return err
		}
		if err := o.arrange(to, values[name], at.member(name)); err != nil {
			return err
		}
	}
	return to.WriteToken(jsontext.EndObject)
}

// members reads an object into the names of its members, in order, and their values.
func members(object jsontext.Value) ([]string, map[string]jsontext.Value, error) {
	from := jsontext.NewDecoder(bytes.NewReader(object))
	if _, err := from.ReadToken(); err != nil {
		return nil, nil, err
	}
	var names []string
	values := map[string]jsontext.Value{}
	for from.PeekKind() != jsontext.KindEndObject {
		name, err := from.ReadToken()
		if err != nil {
			return nil, nil, err
		}
		key := name.String()
		value, err := from.ReadValue()
		if err != nil {
			return nil, nil, err
		}
		names, values[key] = append(names, key), slices.Clone(value)
	}
	return names, values, nil
}

// sorted returns names with those that wanted lists first, in its order.
func sorted(names, wanted []string) []string {
	rank := func(name string) int {
		if i := slices.Index(wanted, name); i >= 0 {
			return i
		}
		return len(wanted)
	}
	return slices.SortedStableFunc(slices.Values(names), func(a, b string) int { return rank(a) - rank(b) })
}

// place is where a value stands in the document.
type place struct {
	path    []string
	literal bool // inside of an example or a default
}

func (p place) last() string {
	if len(p.path) == 0 {
		return ""
	}
	return p.path[len(p.path)-1]
}

// member returns the place of a member.
func (p place) member(name string) place {
	inner := place{append(slices.Clip(p.path), name), p.literal}
	switch name {
	case "example", "examples", "default":
		inner.literal = p.literal || p.last() != "properties" && p.last() != "responses"
	}
	return inner
}

// of returns the order of the members that an object at a place has.
func (o *order) of(at place, names []string) []string {
	path := at.path
	switch {
	case at.literal:
		return o.ofLiteral(names)
	case len(path) == 0:
		return rootOrder[:]
	case path[0] == "paths" && len(path) == 1:
		return o.paths
	case path[0] == "paths" && len(path) == 2:
		return methodOrder[:]
	case at.last() == "content":
		return contentOrder[:]
	case path[0] == "components" && len(path) <= 4:
		return o.ofComponents(path)
	case at.last() == "properties" || at.last() == "responses":
		return nil
	}
	return keywordOrder[:]
}

func (o *order) ofComponents(path []string) []string {
	switch {
	case len(path) == 1:
		return componentOrder[:]
	case len(path) == 2 && path[1] == "schemas":
		return o.schemas
	case len(path) == 2 && path[1] == "responses":
		return o.responses
	case len(path) == 4 && path[1] == "schemas" && path[3] == "properties":
		return o.members[path[2]]
	case len(path) == 2:
		return nil
	}
	return keywordOrder[:]
}

// ofLiteral returns the order of an example's members: that of the smallest schema that
// has them all.
func (o *order) ofLiteral(names []string) []string {
	var best []string
	for _, schema := range o.schemas {
		members := o.members[schema]
		isMember := func(name string) bool { return slices.Contains(members, name) }
		if (best == nil || len(members) < len(best)) && !slices.ContainsFunc(names, func(n string) bool { return !isMember(n) }) {
			best = members
		}
	}
	return best
}
