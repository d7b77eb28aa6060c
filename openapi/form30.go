package openapi

import (
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
)

// formVersion30 is the version of a document's older form in full.
const formVersion30 = "3.0.3"

// form30 writes a document in the form of OpenAPI 3.0, whose schemas have other words for
// null, constants, exclusive limits and examples, and none beside a reference. Both forms
// allow the same values; what 3.0 has no word for, such as the rules of a map's names, its
// descriptions say.
func form30(doc *openapi3.T) (*openapi3.T, error) {
	text, err := doc.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	root["openapi"] = formVersion30
	delete(root, "jsonSchemaDialect")
	delete(root, "webhooks")
	head30(root)
	schemas30(root)
	if components, ok := root["components"].(map[string]any); ok {
		schemas, _ := components["schemas"].(map[string]any)
		for name, schema := range schemas {
			schemas[name] = schema30(schema)
		}
	}
	if text, err = json.Marshal(root); err != nil {
		return nil, err
	}
	older := &openapi3.T{}
	if err := older.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("the document in the form of OpenAPI %s: %w", formVersion30, err)
	}
	return older, validate(older)
}

// head30 leaves out what 3.0 does not say of an API.
func head30(root map[string]any) {
	info, _ := root["info"].(map[string]any)
	delete(info, "summary")
	license, _ := info["license"].(map[string]any)
	if id, ok := license["identifier"].(string); ok {
		delete(license, "identifier")
		license["url"] = "https://spdx.org/licenses/" + id + ".html"
	}
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
				node[name] = schema30(value)
			case "example", "examples", "schemas":
			default:
				schemas30(value)
			}
		}
	}
}

// schema30 rewrites a schema.
func schema30(value any) any {
	schema, ok := value.(map[string]any)
	if !ok {
		return value
	}
	for _, name := range []string{"items", "not", "additionalProperties"} {
		if inner, ok := schema[name]; ok {
			schema[name] = schema30(inner)
		}
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := schema[name].([]any)
		for i := range list {
			list[i] = schema30(list[i])
			if part, ok := list[i].(map[string]any); ok && part["type"] == nil {
				delete(part, "nullable") // the schema around it says whether null is a value
			}
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, inner := range properties {
		properties[name] = schema30(inner)
	}
	reference30(schema)
	values30(schema)
	limits30(schema)
	null30(schema)
	return schema
}

// reference30 moves a reference that has words beside it into allOf.
func reference30(schema map[string]any) {
	if ref, ok := schema["$ref"]; ok && len(schema) > 1 {
		delete(schema, "$ref")
		list, _ := schema["allOf"].([]any)
		schema["allOf"] = append([]any{map[string]any{"$ref": ref}}, list...)
	}
}

// values30 rewrites constants, examples and encodings.
func values30(schema map[string]any) {
	if value, ok := schema["const"]; ok {
		delete(schema, "const")
		schema["enum"] = []any{value}
	}
	if list, ok := schema["examples"].([]any); ok {
		delete(schema, "examples")
		if len(list) > 0 && schema["example"] == nil {
			schema["example"] = list[0]
		}
	}
	if schema["contentEncoding"] == "base64" {
		schema["format"] = "byte"
	}
	for _, unknown := range []string{"contentEncoding", "contentMediaType", "propertyNames"} {
		delete(schema, unknown)
	}
}

// limits30 rewrites exclusive limits, which 3.0 marks on the inclusive ones.
func limits30(schema map[string]any) {
	for exclusive, inclusive := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		limit, ok := schema[exclusive].(float64)
		if !ok {
			continue
		}
		known, both := schema[inclusive].(float64)
		tighter := limit >= known
		if exclusive == "exclusiveMaximum" {
			tighter = limit <= known
		}
		if both && !tighter {
			delete(schema, exclusive)
			continue
		}
		schema[inclusive], schema[exclusive] = limit, true
	}
}

// null30 says by nullable that null is a value.
func null30(schema map[string]any) {
	if schema["type"] == "null" {
		schema["type"], schema["nullable"], schema["enum"] = "object", true, []any{nil}
	}
	if types, ok := schema["type"].([]any); ok {
		others := slices.DeleteFunc(slices.Clone(types), func(t any) bool { return t == "null" })
		if len(others) < len(types) {
			schema["nullable"] = true
		}
		delete(schema, "type")
		if len(others) == 1 {
			schema["type"] = others[0]
		}
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		list, _ := schema[name].([]any)
		if slices.ContainsFunc(list, isNull30) {
			schema["nullable"] = true // for tools that do not look into the list
		}
	}
	limiting := []string{"type", "$ref", "enum", "allOf", "anyOf", "oneOf", "not"}
	if !slices.ContainsFunc(limiting, func(name string) bool { return schema[name] != nil }) {
		schema["nullable"] = true // any value is one, null too
	}
}

// isNull30 reports whether a schema allows null alone.
func isNull30(value any) bool {
	schema, _ := value.(map[string]any)
	list, _ := schema["enum"].([]any)
	return len(list) == 1 && list[0] == nil
}
