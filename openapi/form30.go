package openapi

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/naming"
)

// version30 is the full version of OpenAPI 3.0: the last one in which nullable needs no type next to it (docs/adr/0033).
const version30 = "3.0.2"

// rewrite30 rewrites a document, given as JSON, for OpenAPI 3.0, whose schemas have other keywords for null, constants,
// exclusive limits and examples, and none next to a reference. Both versions allow the same values, except for rules that
// 3.0 cannot express: the description has those, and a format marks them. Numbers keep their text.
func rewrite30(text []byte) (any, error) {
	document, err := readJSON(text)
	root, ok := document.(*node)
	if !ok {
		return nil, cmp.Or(err, errors.New("the document is not an object"))
	}
	root.set("openapi", version30)
	root.remove("jsonSchemaDialect", "webhooks")
	info := root.child("info")
	info.remove("summary")
	license := info.child("license")
	id, ok := license.get("identifier").(string)
	license.remove("identifier")
	if ok && !strings.ContainsAny(id, " ()+:") && !strings.HasPrefix(id, "LicenseRef-") { // an expression has no URL
		license.set("url", "https://spdx.org/licenses/"+id+".html")
	}
	root.child("components").remove("pathItems")
	before := reached(root)
	schemasIn30(root)
	schemas := root.child("components").child("schemas")
	schemasOf30(schemas)
	after := reached(root)
	for name := range before {
		if !after[name] { // only a contentSchema has led to it
			schemas.remove(name)
		}
	}
	return root, nil
}

// reached returns the names of the schemas to which references from the rest of a document lead.
func reached(root *node) map[string]bool {
	const prefix = "#/components/schemas/"
	names, schemas := map[string]bool{}, root.child("components").child("schemas")
	var follow func(value any)
	follow = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, each := range value {
				follow(each)
			}
		case *node:
			for _, m := range value.fields {
				text, _ := m.value.(string)
				name, isSchema := strings.CutPrefix(text, prefix)
				if of := schemas.child(name); m.name == "$ref" && isSchema && of != nil && !names[name] {
					names[name] = true
					follow(of)
				}
				if m.value != any(schemas) {
					follow(m.value)
				}
			}
		}
	}
	follow(root)
	return names
}

// schemasIn30 rewrites all schemas below a value, except components.
func schemasIn30(value any) {
	switch value := value.(type) {
	case []any:
		for _, each := range value {
			schemasIn30(each)
		}
	case *node:
		for i, m := range value.fields {
			switch m.name {
			case "schema":
				value.fields[i].value = schema30(m.value)
			case "example", "examples", "schemas":
			default:
				schemasIn30(m.value)
			}
		}
	}
}

// schema30 returns a schema in the form of 3.0, in which a schema that allows everything or nothing is an object, too.
func schema30(value any) any {
	switch value := value.(type) {
	case bool:
		anything := &node{[]member{{"nullable", true}}}
		if !value {
			return &node{[]member{{"not", anything}}}
		}
		return anything
	case *node:
		rewriteSchema30(value)
	}
	return value
}

// schemasOf30 rewrites the schemas in the fields of an object, which are properties or components.
func schemasOf30(value any) {
	if schemas, _ := value.(*node); schemas != nil {
		for i, m := range schemas.fields {
			schemas.fields[i].value = schema30(m.value)
		}
	}
}

// rewriteSchema30 rewrites the keywords of a schema: first the schemas within it.
func rewriteSchema30(s *node) {
	describeUnsupported30(s)
	within30(s)
	if ref, ok := s.find("$ref"); ok && len(s.fields) > 1 { // has keywords next to it
		s.remove("$ref")
		list, _ := s.get("allOf").([]any)
		s.set("allOf", append([]any{&node{[]member{{"$ref", ref}}}}, list...))
	}
	if value, ok := s.find("const"); ok {
		s.remove("const")
		s.set("enum", []any{value})
	}
	if list, ok := s.get("examples").([]any); ok {
		if _, known := s.find("example"); !known && len(list) > 0 {
			s.set("example", list[0])
		}
		s.remove("examples")
	}
	if s.get("contentEncoding") == "base64" {
		if format, ok := s.find("format"); ok {
			also30(s, member{"format", format})
		}
		s.set("format", "byte")
	}
	s.remove("contentEncoding")
	oneFormat30(s)
	limit30(s, "exclusiveMinimum", "minimum")
	limit30(s, "exclusiveMaximum", "maximum")
	null30(s)
}

// within30 rewrites the schemas within a schema.
func within30(s *node) {
	for i, m := range s.fields {
		field := &s.fields[i]
		switch m.name {
		case "items", "not":
			field.value = schema30(m.value)
		case "additionalProperties":
			if inner, ok := m.value.(*node); ok {
				if field.value = schema30(inner); reflect.DeepEqual(inner, schema30(true)) {
					field.value = true
				}
			}
		case "allOf", "anyOf", "oneOf":
			list, _ := m.value.([]any)
			for i := range list {
				list[i] = schema30(list[i])
				if part, ok := list[i].(*node); ok && part.get("type") == nil {
					part.remove("nullable") // the schema around it decides
				}
			}
		case "properties":
			schemasOf30(m.value)
		}
	}
}

// also30 adds a schema that values must also follow.
func also30(s *node, keywords ...member) {
	list, _ := s.get("allOf").([]any)
	s.set("allOf", append(list, &node{keywords}))
}

// oneFormat30 removes additional formats of a reference to another record, which are parts with nothing else. One format
// is enough to mark it, and client generators for 3.0 cannot handle such parts.
func oneFormat30(s *node) {
	list, ok := s.get("allOf").([]any)
	if !ok || s.get("format") != "iri-reference" && s.get("format") != "existing" {
		return
	}
	isOther := func(m member) bool { return m.name != "format" && m.name != "type" && m.name != "nullable" }
	list = slices.DeleteFunc(list, func(part any) bool {
		inner, _ := part.(*node)
		return inner.get("format") != nil && !slices.ContainsFunc(inner.fields, isOther)
	})
	if s.set("allOf", list); len(list) == 0 {
		s.remove("allOf")
	}
}

// limit30 replaces an exclusive limit by an inclusive one with a mark, in a part of its own if there are both.
func limit30(s *node, exclusive, inclusive string) {
	limit, ok := s.find(exclusive)
	if !ok {
		return
	}
	s.remove(exclusive)
	if s.get(inclusive) != nil {
		also30(s, member{exclusive, true}, member{inclusive, limit})
		return
	}
	s.set(inclusive, limit)
	s.set(exclusive, true)
}

// null30 marks schemas that allow null as nullable.
func null30(s *node) {
	if s.get("type") == "null" {
		s.set("type", "object")
		s.set("nullable", true)
		s.set("enum", []any{nil})
	}
	if types, ok := s.get("type").([]any); ok {
		union30(s, types)
	}
	if s.get("type") == "array" && s.get("items") == nil {
		s.set("items", schema30(true))
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		list, _ := s.get(name).([]any)
		others := slices.DeleteFunc(slices.Clone(list), isNull30)
		if len(others) == len(list) || len(others) == 0 {
			continue
		}
		s.set("nullable", true)
		if s.set(name, others); len(others) == 1 { // in allOf, generators of clients find the name of a reference
			s.remove(name)
			all, _ := s.get("allOf").([]any)
			s.set("allOf", append(all, others[0]))
		}
	}
	nullInEnum30(s)
	limiting := []string{"type", "$ref", "enum", "allOf", "anyOf", "oneOf", "not"}
	if !slices.ContainsFunc(limiting, func(name string) bool { return s.get(name) != nil }) {
		s.set("nullable", true)
	}
}

// isNull30 reports whether a rewritten schema allows only null.
func isNull30(value any) bool {
	schema, _ := value.(*node)
	list, _ := schema.get("enum").([]any)
	return len(list) == 1 && list[0] == nil
}

// nullInEnum30 writes null in an enumeration as the mark next to the others, because generators of clients make a string
// of it, or fail.
func nullInEnum30(s *node) {
	isNull := func(value any) bool { return value == nil }
	list, _ := s.get("enum").([]any)
	if s.get("nullable") == nil || len(list) < 2 || !slices.ContainsFunc(list, isNull) {
		return
	}
	var part []member
	if kind, ok := s.find("type"); ok {
		part = append(part, member{"type", kind})
	}
	s.remove("type", "enum")
	also30(s, append(part, member{"enum", slices.DeleteFunc(list, isNull)})...)
}

// union30 writes a list of types. Null becomes a mark on each of the others.
func union30(s *node, types []any) {
	others := slices.DeleteFunc(slices.Clone(types), func(t any) bool { return t == "null" })
	var either []any
	for _, t := range others {
		one := &node{[]member{{"type", t}}}
		if len(others) < len(types) {
			one.set("nullable", true)
			s.set("nullable", true)
		}
		null30(one)
		either = append(either, one)
	}
	s.remove("type")
	switch {
	case len(others) == 1:
		s.set("type", others[0])
	case s.get("anyOf") == nil:
		s.set("anyOf", either)
	default:
		also30(s, member{"anyOf", either})
	}
}

// assertions30 are the keywords that 3.0 does not have and values must follow.
var assertions30 = [...]string{
	"$dynamicRef", "propertyNames", "patternProperties", "prefixItems", "contains", "minContains", "maxContains",
	"dependentRequired", "dependentSchemas", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties",
}

// describeUnsupported30 moves the keywords that 3.0 does not have into the description, and those that would reject more
// without them, so that the rest allows no less. A format marks the schema as incomplete.
func describeUnsupported30(s *node) {
	s.remove("$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "$defs", "contentMediaType", "contentSchema")
	isMoved := func(m member) bool {
		switch m.name {
		case "additionalProperties":
			return s.get("patternProperties") != nil
		case "items":
			return s.get("prefixItems") != nil
		case "anyOf":
			return isOneScalar30(s)
		case "not", "oneOf":
			return hasUnsupported30(m.value)
		}
		return slices.Contains(assertions30[:], m.name)
	}
	var taken, kept node
	for _, m := range s.fields {
		if isMoved(m) {
			taken.fields = append(taken.fields, m)
		} else {
			kept.fields = append(kept.fields, m)
		}
	}
	if len(taken.fields) == 0 {
		return
	}
	s.fields = kept.fields
	written, err := write(&taken, nil)
	text := jsontext.Value(written)
	if err != nil || text.Format(jsontext.ReorderRawObjects(true)) != nil {
		return // impossible: they were read from JSON
	}
	description, _ := s.get("description").(string)
	s.set("description", naming.Sentences(description, "Must match the JSON Schema `"+string(text)+"`."))
	if s.get("format") == nil {
		s.set("format", describe.FormatConditions)
	} else {
		also30(s, member{"format", describe.FormatConditions})
	}
}

// isOneScalar30 reports whether the parts of anyOf differ in nothing but limits of one type, such as two formats. Version
// 3.0 has that, but generators of clients make a struct with an accessor for each part, or nothing.
func isOneScalar30(s *node) bool {
	list, _ := s.get("anyOf").([]any)
	kind, _ := s.get("type").(string)
	if types, ok := s.get("type").([]any); ok && len(types) == 2 && types[1] == "null" {
		kind, _ = types[0].(string)
	}
	return len(list) > 0 && kind != "" && kind != "object" && kind != "array"
}

// hasUnsupported30 reports whether schemas have a keyword that 3.0 does not have. A property of such a name counts, too.
func hasUnsupported30(value any) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, hasUnsupported30)
	case *node:
		return slices.ContainsFunc(value.fields, func(m member) bool {
			return slices.Contains(assertions30[:], m.name) || hasUnsupported30(m.value)
		})
	}
	return false
}
