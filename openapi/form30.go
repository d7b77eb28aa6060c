package openapi

import (
	"cmp"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
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
	root, ok := document.(map[string]any)
	if !ok {
		return nil, cmp.Or(err, errors.New("the document is not an object"))
	}
	root["openapi"] = version30
	delete(root, "jsonSchemaDialect")
	delete(root, "webhooks")
	info, _ := root["info"].(map[string]any)
	delete(info, "summary")
	license, _ := info["license"].(map[string]any)
	id, ok := license["identifier"].(string)
	delete(license, "identifier")
	if ok && !strings.ContainsAny(id, " ()+:") && !strings.HasPrefix(id, "LicenseRef-") { // an expression has no URL
		license["url"] = "https://spdx.org/licenses/" + id + ".html"
	}
	schemasIn30(root)
	components, _ := root["components"].(map[string]any)
	delete(components, "pathItems")
	schemas, _ := components["schemas"].(map[string]any)
	for name, schema := range schemas {
		schemas[name] = schema30(schema)
	}
	return root, nil
}

// schemasIn30 rewrites all schemas below a node.
func schemasIn30(node any) {
	switch node := node.(type) {
	case []any:
		for _, each := range node {
			schemasIn30(each)
		}
	case map[string]any:
		for name, value := range node {
			switch name {
			case "schema":
				node[name] = schema30(value)
			case "example", "examples", "schemas":
			default:
				schemasIn30(value)
			}
		}
	}
}

// draft is a schema that is being rewritten.
type draft map[string]any

// schema30 rewrites a schema.
func schema30(value any) any {
	switch value := value.(type) {
	case bool:
		return rewriteBoolean(value)
	case map[string]any:
		draft(value).rewrite()
	}
	return value
}

// rewriteBoolean returns a schema that allows everything or nothing as an object.
func rewriteBoolean(everything bool) map[string]any {
	anything := map[string]any{"nullable": true}
	if everything {
		return anything
	}
	return map[string]any{"not": anything}
}

// rewrite rewrites the keywords: first the parts of references and the values of constants and examples.
func (s draft) rewrite() {
	s.describe(s.takeUnsupported())
	s.inner()
	if ref, ok := s["$ref"]; ok && len(s) > 1 { // has keywords next to it
		delete(s, "$ref")
		list, _ := s["allOf"].([]any)
		s["allOf"] = append([]any{map[string]any{"$ref": ref}}, list...)
	}
	if value, ok := s["const"]; ok { // the only one of several values
		if among, ok := s["enum"]; ok {
			s.addAllOf(map[string]any{"enum": among})
		}
		delete(s, "const")
		s["enum"] = []any{value}
	}
	if list, ok := s["examples"].([]any); ok {
		delete(s, "examples")
		if _, known := s["example"]; !known && len(list) > 0 {
			s["example"] = list[0]
		}
	}
	s.encoding()
	s.marks()
	s.limit("exclusiveMinimum", "minimum", 1)
	s.limit("exclusiveMaximum", "maximum", -1)
	s.null()
}

// inner rewrites the schemas within this one.
func (s draft) inner() {
	for _, name := range []string{"items", "not"} {
		if inner, ok := s[name]; ok {
			s[name] = schema30(inner)
		}
	}
	if inner, ok := s["additionalProperties"].(map[string]any); ok {
		s["additionalProperties"] = schema30(inner)
		if anything := rewriteBoolean(true); reflect.DeepEqual(inner, anything) {
			s["additionalProperties"] = true
		}
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[name].([]any)
		for i := range list {
			list[i] = schema30(list[i])
			if part, ok := list[i].(map[string]any); ok && part["type"] == nil {
				delete(part, "nullable") // the schema around it decides
			}
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for name, inner := range properties {
		properties[name] = schema30(inner)
	}
}

// addAllOf adds a schema that values must also follow.
func (s draft) addAllOf(schema any) {
	list, _ := s["allOf"].([]any)
	s["allOf"] = append(list, schema)
}

// marks removes additional formats of a reference to another record, which are parts with nothing else. One format is
// enough to mark it, and client generators for 3.0 cannot handle such parts.
func (s draft) marks() {
	if s["format"] != "iri-reference" && s["format"] != "existing" {
		return
	}
	list, _ := s["allOf"].([]any)
	list = slices.DeleteFunc(list, func(part any) bool {
		inner, _ := part.(map[string]any)
		for name := range inner {
			if name != "format" && name != "type" && name != "nullable" {
				return false
			}
		}
		return inner["format"] != nil
	})
	if s["allOf"] = list; len(list) == 0 {
		delete(s, "allOf")
	}
}

// encoding writes Base64 as a format, and keeps an existing format.
func (s draft) encoding() {
	if s["contentEncoding"] == "base64" {
		if format, ok := s["format"]; ok {
			s.addAllOf(map[string]any{"format": format})
		}
		s["format"] = "byte"
	}
	delete(s, "contentEncoding")
}

// limit replaces an inclusive limit with an exclusive one, unless the inclusive one is tighter. Up is 1 for a lower limit
// and -1 for an upper one.
func (s draft) limit(exclusive, inclusive string, up float64) {
	limit, ok := number30(s[exclusive])
	if !ok {
		return
	}
	if known, both := number30(s[inclusive]); both && known*up > limit*up {
		delete(s, exclusive)
		return
	}
	s[inclusive], s[exclusive] = s[exclusive], true
}

// number30 returns a number of the document.
func number30(value any) (float64, bool) {
	text, ok := value.(jsontext.Value)
	if !ok {
		return 0, false
	}
	var number float64
	err := json.Unmarshal(text, &number)
	return number, err == nil
}

// null marks schemas that allow null as nullable.
func (s draft) null() {
	if s["type"] == "null" {
		s["type"], s["nullable"], s["enum"] = "object", true, []any{nil}
	}
	if types, ok := s["type"].([]any); ok {
		s.union(types)
	}
	if s["type"] == "array" && s["items"] == nil {
		s["items"] = rewriteBoolean(true)
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		s.nullAmong(name)
	}
	s.nullInEnum()
	limiting := []string{"type", "$ref", "enum", "allOf", "anyOf", "oneOf", "not"}
	if !slices.ContainsFunc(limiting, func(name string) bool { return s[name] != nil }) {
		s["nullable"] = true
	}
}

// nullAmong writes null as a part of a list as the mark. If only one other part is left, it becomes a part of allOf, in
// which generators of clients find the name of a reference.
func (s draft) nullAmong(name string) {
	list, _ := s[name].([]any)
	others := slices.DeleteFunc(slices.Clone(list), isNull30)
	if len(others) == len(list) || len(others) == 0 {
		return
	}
	s["nullable"] = true
	if s[name] = others; len(others) == 1 {
		delete(s, name)
		s.addAllOf(others[0])
	}
}

// nullInEnum writes null in an enumeration as the mark next to the others, because generators of clients make a string of
// it, or fail.
func (s draft) nullInEnum() {
	isNull := func(value any) bool { return value == nil }
	list, _ := s["enum"].([]any)
	if _, isNullable := s["nullable"]; !isNullable || len(list) < 2 || !slices.ContainsFunc(list, isNull) {
		return
	}
	part := map[string]any{"enum": slices.DeleteFunc(list, isNull)}
	if kind, ok := s["type"]; ok {
		part["type"] = kind
	}
	delete(s, "type")
	delete(s, "enum")
	s.addAllOf(part)
}

// union writes a list of types. Null becomes a mark on each of the others.
func (s draft) union(types []any) {
	delete(s, "type")
	others := slices.DeleteFunc(slices.Clone(types), func(t any) bool { return t == "null" })
	isNullable := len(others) < len(types)
	if isNullable {
		s["nullable"] = true
	}
	if len(others) == 1 {
		s["type"] = others[0]
		return
	}
	var either []any
	for _, t := range others {
		one := draft{"type": t}
		if isNullable {
			one["nullable"] = true
		}
		one.null()
		either = append(either, map[string]any(one))
	}
	if s["anyOf"] == nil {
		s["anyOf"] = either
		return
	}
	s.addAllOf(map[string]any{"anyOf": either})
}

// isNull30 reports whether a rewritten schema allows only null.
func isNull30(value any) bool {
	schema, _ := value.(map[string]any)
	list, _ := schema["enum"].([]any)
	return len(list) == 1 && list[0] == nil
}

// Keywords that OpenAPI 3.0 does not have.
var (
	// annotations30 are those that no value violates.
	annotations30 = [...]string{"$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "$defs", "contentMediaType", "contentSchema"}
	// assertions30 are those that values must follow.
	assertions30 = [...]string{
		"$dynamicRef", "propertyNames", "patternProperties", "prefixItems", "contains", "minContains", "maxContains",
		"dependentRequired", "dependentSchemas", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties",
	}
)

// takeUnsupported removes the keywords that 3.0 does not have from a schema, and those that would reject more without
// them, so that the rest allows no less.
func (s draft) takeUnsupported() map[string]any {
	taken := map[string]any{}
	take := func(names ...string) {
		for _, name := range names {
			if value, ok := s[name]; ok {
				taken[name] = value
				delete(s, name)
			}
		}
	}
	for _, name := range annotations30 {
		delete(s, name)
	}
	if s["patternProperties"] != nil {
		take("additionalProperties")
	}
	if s["prefixItems"] != nil {
		take("items")
	}
	if s.isOneScalar() {
		take("anyOf")
	}
	for _, name := range []string{"not", "oneOf"} {
		if hasUnsupported(s[name]) {
			take(name)
		}
	}
	take(assertions30[:]...)
	return taken
}

// isOneScalar reports whether the parts of anyOf differ in nothing but limits of one type, such as two formats. Version 3.0
// has that, but generators of clients make a struct with an accessor for each part, or nothing.
func (s draft) isOneScalar() bool {
	list, _ := s["anyOf"].([]any)
	kind, _ := s["type"].(string)
	if types, ok := s["type"].([]any); ok && len(types) == 2 && types[1] == "null" {
		kind, _ = types[0].(string)
	}
	return len(list) > 0 && kind != "" && kind != "object" && kind != "array"
}

// hasUnsupported reports whether schemas have a keyword that 3.0 does not have.
func hasUnsupported(value any) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, hasUnsupported)
	case map[string]any:
		for name, inner := range value {
			if isUnsupported(name, inner) {
				return true
			}
		}
	}
	return false
}

func isUnsupported(name string, inner any) bool {
	switch name {
	case "const", "enum", "default", "example", "examples":
		return false // values
	case "properties":
		properties, _ := inner.(map[string]any)
		return slices.ContainsFunc(slices.Collect(maps.Values(properties)), hasUnsupported)
	}
	return slices.Contains(assertions30[:], name) || hasUnsupported(inner)
}

// describe adds unsupported keywords to the description, and a format that marks the schema as incomplete.
func (s draft) describe(unsupported map[string]any) {
	if len(unsupported) == 0 {
		return
	}
	text, err := json.Marshal(unsupported, json.Deterministic(true))
	if err != nil {
		return // impossible: they were read from JSON
	}
	description, _ := s["description"].(string)
	s["description"] = naming.Sentences(description, "Must match the JSON Schema `"+string(text)+"`.")
	if s["format"] == nil {
		s["format"] = describe.FormatConditions
	} else {
		s.addAllOf(map[string]any{"format": describe.FormatConditions})
	}
}
