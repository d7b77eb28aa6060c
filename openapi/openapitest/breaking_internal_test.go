package openapitest

import (
	"strings"
	"testing"
)

// documentWith returns a document of one operation, with some parts replaced.
func documentWith(parts map[string]string) string {
	part := func(name, otherwise string) string {
		if text, ok := parts[name]; ok {
			return text
		}
		return otherwise
	}
	return `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"},
		` + part("root", `"x": 1`) + `,
		"components": {"securitySchemes": ` + part("schemes", `{}`) + `, "schemas": {"Form": {"type": "object", "properties": {"errors": {"type": "object"}}, "required": ["errors"]},
			"Problem": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}},
		"paths": {"/things": {"post": {"operationId": "createThing", ` + part("operation", `"summary": "s"`) + `,
			"parameters": [` + part("parameter", ``) + `],
			"requestBody": {"required": ` + part("needed", `true`) + `, "content": {"application/json": {"schema": ` + part("taken", `{}`) + `}}},
			"responses": {
				"201": {"description": "d", "headers": ` + part("headers", `{}`) + `, "content": {"application/json": {"schema": ` + part("given", `{}`) + `}}},
				` + part("errors", `"default": {"description": "d"}`) + `
			}}}}}`
}

// TestEachChangeThatBreaksClientsIsReported compares a part of a document before and after a change, in both
// directions.
func TestEachChangeThatBreaksClientsIsReported(t *testing.T) {
	t.Parallel()
	const body, response = "POST /things (createThing): the body ", "POST /things (createThing): the response 201 "
	const token = `"security": [{"token": []}]`
	for name, test := range map[string]struct {
		part, before, after string
		breaks              string // "" for nothing
		back                string // what the opposite change breaks
	}{
		"credentials":                {"operation", `"summary": "s"`, token, "no longer accepts anonymous requests", ""},
		"credentials of the API":     {"root", `"x": 1`, token, "no longer accepts anonymous requests", ""},
		"credentials of some":        {"operation", `"security": [{}, {"token": []}]`, token, "no longer accepts anonymous requests", ""},
		"an operation without":       {"operation", `"security": []`, token, "no longer accepts anonymous requests", ""},
		"another scheme":             {"operation", token, `"security": [{"key": []}]`, "no longer accepts token", "no longer accepts key"},
		"one scheme more":            {"operation", token, `"security": [{"token": []}, {"key": []}]`, "", "no longer accepts key"},
		"two schemes together":       {"operation", token, `"security": [{"token": [], "key": []}]`, "no longer accepts token", ""},
		"a scope":                    {"operation", `"security": [{"oauth": ["a"]}]`, `"security": [{"oauth": ["a", "b"]}]`, "no longer accepts oauth (a)", ""},
		"the place of a key":         {"schemes", `{"key": {"type": "apiKey", "in": "header", "name": "a"}}`, `{"key": {"type": "apiKey", "in": "cookie", "name": "a"}}`, "the security scheme key has a different in now: cookie", "now: header"},
		"the name of a key":          {"schemes", `{"key": {"type": "apiKey", "in": "header", "name": "a"}}`, `{"key": {"type": "apiKey", "in": "header", "name": "b"}}`, "has a different name now: b", "has a different name now: a"},
		"bearer and basic":           {"schemes", `{"s": {"type": "http", "scheme": "basic"}}`, `{"s": {"type": "http", "scheme": "bearer"}}`, "has a different scheme now: bearer", "now: basic"},
		"the discovery":              {"schemes", `{"s": {"type": "openIdConnect", "openIdConnectUrl": "a"}}`, `{"s": {"type": "openIdConnect", "openIdConnectUrl": "b"}}`, "has a different openIdConnectUrl now: b", "now: a"},
		"a flow":                     {"schemes", `{"s": {"type": "oauth2", "flows": {"implicit": {"scopes": {}}}}}`, `{"s": {"type": "oauth2", "flows": {}}}`, "the flow implicit was removed", ""},
		"the URL of tokens":          {"schemes", `{"s": {"type": "oauth2", "flows": {"password": {"tokenUrl": "a"}}}}`, `{"s": {"type": "oauth2", "flows": {"password": {"tokenUrl": "b"}}}}`, "has a different tokenUrl now", "has a different tokenUrl now"},
		"a scope of a flow":          {"schemes", `{"s": {"type": "oauth2", "flows": {"password": {"scopes": {"a": ""}}}}}`, `{"s": {"type": "oauth2", "flows": {"password": {"scopes": {}}}}}`, "no longer has the scope a", ""},
		"a read-only field":          {"taken", `{"properties": {"a": {"type": "string"}}}`, `{"properties": {"a": {"type": "string", "readOnly": true}}}`, body + "at a is readOnly now", ""},
		"a write-only field":         {"given", `{"properties": {"a": {"type": "string"}}}`, `{"properties": {"a": {"type": "string", "writeOnly": true}}}`, response + "at a is writeOnly now", ""},
		"a required read-only field": {"taken", `{"properties": {"a": {"readOnly": true}}}`, `{"properties": {"a": {"readOnly": true}}, "required": ["a"]}`, "", ""},
		"other fields":               {"taken", `{"type": "object"}`, `{"type": "object", "additionalProperties": false}`, "accepts fewer values: other fields", ""},
		"values of other fields":     {"taken", `{"additionalProperties": {"type": ["string", "null"]}}`, `{"additionalProperties": {"type": "string"}}`, body + "at * accepts fewer values: type null", ""},
		"a format in requests":       {"taken", `{"type": "string"}`, `{"type": "string", "format": "email"}`, "accepts fewer values: format", ""},
		"a format in responses":      {"given", `{"type": "string", "format": "date"}`, `{"type": "string", "format": "date-time"}`, "can have new values: format", "can have new values: format"},
		"a wider integer":            {"taken", `{"type": "integer", "format": "int32"}`, `{"type": "integer", "format": "int64"}`, "", "accepts fewer values: format"},
		"a wider response integer":   {"given", `{"type": "integer", "format": "int32"}`, `{"type": "integer", "format": "int64"}`, "can have new values: format", ""},
		"a response limit":           {"given", `{"maximum": 10}`, `{"maximum": 20}`, "can have new values: maximum", ""},
		"no response limit":          {"given", `{"minLength": 1}`, `{}`, "can have new values: minLength", ""},
		"a pattern":                  {"taken", `{}`, `{"pattern": "a"}`, "accepts fewer values: pattern", ""},
		"a response pattern":         {"given", `{"pattern": "a"}`, `{}`, "can have new values: pattern", ""},
		"unique items":               {"taken", `{"type": "array"}`, `{"type": "array", "uniqueItems": true}`, "accepts fewer values: uniqueItems", ""},
		"multiples":                  {"taken", `{}`, `{"multipleOf": 2}`, "accepts fewer values: multipleOf", ""},
		"what is excluded":           {"taken", `{}`, `{"not": {"const": 1}}`, "accepts fewer values: not", ""},
		"names of fields":            {"taken", `{}`, `{"propertyNames": {"maxLength": 2}}`, "accepts fewer values: propertyNames", ""},
		"a constant":                 {"taken", `{"enum": ["a", "b"]}`, `{"const": "a"}`, `accepts fewer values: enum "b"`, ""},
		"a response constant":        {"given", `{"const": "a"}`, `{"enum": ["a", "b"]}`, `can have new values: enum "b"`, ""},
		"an encoding":                {"given", `{"contentEncoding": "base64"}`, `{"contentEncoding": "base16"}`, "can have new values: contentEncoding", "contentEncoding"},
		"items":                      {"taken", `{"type": "array"}`, `{"type": "array", "items": {"type": "string"}}`, "accepts fewer values: items", ""},
		"one condition more":         {"taken", `{}`, `{"allOf": [{"format": "existing"}]}`, "accepts fewer values: a condition", ""},
		"a null":                     {"given", `{"$ref": "#/components/schemas/Form"}`, `{"anyOf": [{"$ref": "#/components/schemas/Form"}, {"type": "null"}]}`, "can have new values: an alternative", ""},
		"a null in requests":         {"taken", `{"$ref": "#/components/schemas/Form"}`, `{"anyOf": [{"$ref": "#/components/schemas/Form"}, {"type": "null"}]}`, "", "accepts fewer values: an alternative"},
		"the order of alternatives":  {"given", `{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `{"anyOf": [{"type": "null"}, {"type": "string"}]}`, "", ""},
		"an alternative to what is":  {"taken", `{"type": "string", "format": "email"}`, `{"type": "string", "anyOf": [{"format": "email"}, {"const": ""}]}`, "", "accepts fewer values"},
		"a required body":            {"needed", `false`, `true`, "requires a body now", ""},
		"the style of a parameter":   {"parameter", `{"name": "a", "in": "query", "schema": {}}`, `{"name": "a", "in": "query", "explode": false, "schema": {}}`, "has a different serialization now", "has a different serialization now"},
		"a header":                   {"headers", `{"ETag": {"schema": {"type": "string"}}}`, `{}`, response[:len(response)-1] + ": the header ETag was removed", ""},
		"an optional header":         {"headers", `{"ETag": {"required": true, "schema": {}}}`, `{"ETag": {"schema": {}}}`, "the header ETag may be missing now", ""},
		"the type of a header":       {"headers", `{"A": {"schema": {"type": "integer"}}}`, `{"A": {"schema": {"type": "string"}}}`, "the header A can have new values: type string", "type integer"},
		"an error without a default": {"errors", `"409": {"description": "d"}, "418": {"description": "d"}`, `"409": {"description": "d"}`, "the response 418 was removed", ""},
		"a form of an error":         {"errors", errorWith(`{"anyOf": [{"$ref": "#/components/schemas/Form"}, {"$ref": "#/components/schemas/Problem"}]}`), errorWith(`{"$ref": "#/components/schemas/Problem"}`), "the response 400 no longer has the form Form", "can have new values: an alternative"},
		"another form of an error":   {"errors", errorWith(`{"$ref": "#/components/schemas/Form"}`), errorWith(`{"$ref": "#/components/schemas/Problem"}`), "the response 400 at errors was removed", "the response 400 at title was removed"},
		"the media type of an error": {"errors", errorWith(`{}`), strings.ReplaceAll(errorWith(`{}`), "problem+json", "json"), "the response 400 no longer has the media type application/problem+json", "no longer has the media type application/json"},
		"a description":              {"taken", `{"description": "a"}`, `{"description": "b"}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := documentWith(map[string]string{test.part: test.before}), documentWith(map[string]string{test.part: test.after})
			expect(t, before, after, test.breaks)
			expect(t, after, before, test.back)
		})
	}
}

// errorWith returns a 400 response with a schema.
func errorWith(schema string) string {
	return `"400": {"description": "d", "content": {"application/problem+json": {"schema": ` + schema + `}}}`
}

func expect(t *testing.T, before, after, want string) {
	t.Helper()
	breaking, err := compare([]byte(before), []byte(after))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(breaking, "\n"); !strings.Contains(got, want) || want == "" && got != "" {
		t.Errorf("want %q, got %q", want, got)
	}
}
