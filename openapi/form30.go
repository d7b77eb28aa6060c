package openapi

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/naming"
)

// version30 is the version of the older form in full.
const version30 = "3.0.3"

// rewrite30 rewrites a document, given as JSON, in the form of OpenAPI 3.0, whose schemas have other words for null,
// constants, exclusive limits and examples, and none beside a reference. Both forms allow the same values, but where
// 3.0 has no word for a rule, such as one about a map's names: that is in the description, marked by a format. Each
// number stays as it was.
func rewrite30(text []byte) (any, error) {
	document, err := readJSON(text)
	root, ok := document.(map[string]any)
	if !ok {
		return nil, cmp.Or(err, errors.New("is no object"))
	}
	root["openapi"] = version30
	delete(root, "jsonSchemaDialect")
	delete(root, "webhooks")
	info, _ := root["info"].(map[string]any)
	delete(info, "summary")
	license, _ := info["license"].(map[string]any)
	id, ok := license["identifier"].(string)
	delete(license, "identifier")
	if ok && !strings.ContainsAny(id, " ()+:") && !strings.HasPrefix(id, "LicenseRef-") { // an expression has no address
		license["url"] = "https://spdx.org/licenses/" + id + ".html"
	}
	schemas30(root)
	components, _ := root["components"].(map[string]any)
	delete(components, "pathItems")
	schemas, _ := components["schemas"].(map[string]any)
	for name, schema := range schemas {
		schemas[name] = rewriteSchema(schema)
	}
	return root, nil
}

// schemas30 rewrites the schemas of everything below a node.
func schemas30(node any) {
	switch node := node.(type) {
	case []any:
		for _, each := range node {
			schemas30(each)
		}
	case map[string]any:
		for name, value := range node {
			switch name {
			case "schema":
				node[name] = rewriteSchema(value)
			case "example", "examples", "schemas":
			default:
				schemas30(value)
			}
		}
	}
}

// draft is a schema while it is rewritten.
type draft map[string]any

// rewriteSchema rewrites a schema.
func rewriteSchema(value any) any {
	switch value := value.(type) {
	case bool:
		return rewriteBoolean(value)
	case map[string]any:
		draft(value).rewrite()
	}
	return value
}

// rewriteBoolean writes a schema that allows everything, or nothing, as an object.
func rewriteBoolean(everything bool) map[string]any {
	anything := map[string]any{"nullable": true}
	if everything {
		return anything
	}
	return map[string]any{"not": anything}
}

// rewrite rewrites the keywords, the parts of references and the values of constants and examples first.
func (s draft) rewrite() {
	s.describe(s.takeUnsaid())
	s.inner()
	if ref, ok := s["$ref"]; ok && len(s) > 1 { // has words beside it
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

// inner rewrites the schemas inside of this one.
func (s draft) inner() {
	for _, name := range []string{"items", "not"} {
		if inner, ok := s[name]; ok {
			s[name] = rewriteSchema(inner)
		}
	}
	if inner, ok := s["additionalProperties"].(map[string]any); ok {
		s["additionalProperties"] = rewriteSchema(inner)
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[name].([]any)
		for i := range list {
			list[i] = rewriteSchema(list[i])
			if part, ok := list[i].(map[string]any); ok && part["type"] == nil {
				delete(part, "nullable") // the schema around it says whether null is a value
			}
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for name, inner := range properties {
		properties[name] = rewriteSchema(inner)
	}
}

// addAllOf adds a schema that values must follow as well.
func (s draft) addAllOf(schema map[string]any) {
	list, _ := s["allOf"].([]any)
	s["allOf"] = append(list, schema)
}

// marks leaves out further formats of a reference to another record, each of which is a part that has
// nothing else. The first already marks that no keyword says all of it, and generators of clients that
// read this form lose the type to such a part, or refuse two of them.
func (s draft) marks() {
	if s["format"] != "iri-reference" && s["format"] != "existing" {
		return
	}
	list, _ := s["allOf"].([]any)
	list = slices.DeleteFunc(list, func(part any) bool {
		inner, ok := part.(map[string]any)
		return ok && len(inner) == 1 && inner["format"] != nil
	})
	if s["allOf"] = list; len(list) == 0 {
		delete(s, "allOf")
	}
}

// encoding writes Base64 as a format. A format that is there already marks a rule that no keyword says, and stays.
func (s draft) encoding() {
	if s["contentEncoding"] == "base64" {
		if format, ok := s["format"]; ok {
			s.addAllOf(map[string]any{"format": format})
		}
		s["format"] = "byte"
	}
	delete(s, "contentEncoding")
}

// limit marks an exclusive limit on the inclusive one, whose place it takes unless that
// is tighter. Up is 1 for a lower limit, -1 for an upper one.
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

// number30 returns a number of the document, which keeps all its digits there.
func number30(value any) (float64, bool) {
	text, ok := value.(jsontext.Value)
	if !ok {
		return 0, false
	}
	var number float64
	err := json.Unmarshal(text, &number)
	return number, err == nil
}

// null says by nullable that null is a value. Only beside a type does it mean so; a schema
// without one does not refuse null, but tools that do not know that are told, too.
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
		if list, _ := s[name].([]any); slices.ContainsFunc(list, isNull30) {
			s["nullable"] = true
		}
	}
	limiting := []string{"type", "$ref", "enum", "allOf", "anyOf", "oneOf", "not"}
	if !slices.ContainsFunc(limiting, func(name string) bool { return s[name] != nil }) {
		s["nullable"] = true
	}
}

// union writes a list of types. Null is a mark on the one that is left, or on each.
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

// isNull30 reports whether a rewritten schema allows null alone.
func isNull30(value any) bool {
	schema, _ := value.(map[string]any)
	list, _ := schema["enum"].([]any)
	return len(list) == 1 && list[0] == nil
}

// Keywords that OpenAPI 3.0 does not have.
var (
	// silent30 are those that no value breaks.
	silent30 = [...]string{"$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "$defs", "contentMediaType", "contentSchema"}
	// unsaid30 are those that values follow.
	unsaid30 = [...]string{
		"$dynamicRef", "propertyNames", "patternProperties", "prefixItems", "contains", "minContains", "maxContains",
		"dependentRequired", "dependentSchemas", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties",
	}
)

// takeUnsaid takes the keywords out of a schema that the older form cannot say. What is
// left allows no less: a keyword that would refuse more without those goes with them.
func (s draft) takeUnsaid() map[string]any {
	taken := map[string]any{}
	take := func(names ...string) {
		for _, name := range names {
			if value, ok := s[name]; ok {
				taken[name] = value
				delete(s, name)
			}
		}
	}
	for _, name := range silent30 {
		delete(s, name)
	}
	if s["patternProperties"] != nil {
		take("additionalProperties")
	}
	if s["prefixItems"] != nil {
		take("items")
	}
	for _, name := range []string{"not", "oneOf"} {
		if hasUnsaid30(s[name]) {
			take(name)
		}
	}
	take(unsaid30[:]...)
	return taken
}

// hasUnsaid30 reports whether there is a keyword anywhere in schemas that the older form cannot say.
func hasUnsaid30(value any) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, hasUnsaid30)
	case map[string]any:
		for name, inner := range value {
			if keywordUnsaid30(name, inner) {
				return true
			}
		}
	}
	return false
}

func keywordUnsaid30(name string, inner any) bool {
	switch name {
	case "const", "enum", "default", "example", "examples":
		return false // values, whose members are no keywords
	case "properties":
		properties, _ := inner.(map[string]any)
		return slices.ContainsFunc(slices.Collect(maps.Values(properties)), hasUnsaid30)
	}
	return slices.Contains(unsaid30[:], name) || hasUnsaid30(inner)
}

// describe says keywords in the description. A format keeps the schema from promising that what it allows is taken.
func (s draft) describe(unsaid map[string]any) {
	if len(unsaid) == 0 {
		return
	}
	text, err := json.Marshal(unsaid, json.Deterministic(true))
	if err != nil {
		return // cannot be: they have been read from JSON
	}
	description, _ := s["description"].(string)
	s["description"] = naming.Sentences(description, "Must follow the JSON Schema `"+string(text)+"`.")
	if s["format"] == nil {
		s["format"] = describe.FormatConditions
	} else {
		s.addAllOf(map[string]any{"format": describe.FormatConditions})
	}
}
