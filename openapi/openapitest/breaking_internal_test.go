package openapitest

import (
	"strings"
	"testing"
)

// documentWith is a document of one operation, in which some parts are as a test wants them.
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

// TestEachChangeThatBreaksClientsIsTold compares a part of a document before and after a change, both ways.
func TestEachChangeThatBreaksClientsIsTold(t *testing.T) {
	t.Parallel()
	const body, answer = "POST /things (createThing): the body ", "POST /things (createThing): the answer 201 "
	const token = `"security": [{"token": []}]`
	for name, test := range map[string]struct {
		part, before, after string
		breaks              string // "" for nothing
		back                string // what the opposite change breaks
	}{
		"credentials":                {"operation", `"summary": "s"`, token, "no longer takes no credentials", ""},
		"credentials of the API":     {"root", `"x": 1`, token, "no longer takes no credentials", ""},
		"credentials of some":        {"operation", `"security": [{}, {"token": []}]`, token, "no longer takes no credentials", ""},
		"an operation without":       {"operation", `"security": []`, token, "no longer takes no credentials", ""},
		"another scheme":             {"operation", token, `"security": [{"key": []}]`, "no longer takes token", "no longer takes key"},
		"one scheme more":            {"operation", token, `"security": [{"token": []}, {"key": []}]`, "", "no longer takes key"},
		"two schemes together":       {"operation", token, `"security": [{"token": [], "key": []}]`, "no longer takes token", ""},
		"a scope":                    {"operation", `"security": [{"oauth": ["a"]}]`, `"security": [{"oauth": ["a", "b"]}]`, "no longer takes oauth (a)", ""},
		"the place of a key":         {"schemes", `{"key": {"type": "apiKey", "in": "header", "name": "a"}}`, `{"key": {"type": "apiKey", "in": "cookie", "name": "a"}}`, "the security scheme key has another in now: cookie", "now: header"},
		"the name of a key":          {"schemes", `{"key": {"type": "apiKey", "in": "header", "name": "a"}}`, `{"key": {"type": "apiKey", "in": "header", "name": "b"}}`, "has another name now: b", "has another name now: a"},
		"bearer and basic":           {"schemes", `{"s": {"type": "http", "scheme": "basic"}}`, `{"s": {"type": "http", "scheme": "bearer"}}`, "has another scheme now: bearer", "now: basic"},
		"the discovery":              {"schemes", `{"s": {"type": "openIdConnect", "openIdConnectUrl": "a"}}`, `{"s": {"type": "openIdConnect", "openIdConnectUrl": "b"}}`, "has another openIdConnectUrl now: b", "now: a"},
		"a flow":                     {"schemes", `{"s": {"type": "oauth2", "flows": {"implicit": {"scopes": {}}}}}`, `{"s": {"type": "oauth2", "flows": {}}}`, "the flow implicit is gone", ""},
		"the address of tokens":      {"schemes", `{"s": {"type": "oauth2", "flows": {"password": {"tokenUrl": "a"}}}}`, `{"s": {"type": "oauth2", "flows": {"password": {"tokenUrl": "b"}}}}`, "has another tokenUrl now", "has another tokenUrl now"},
		"a scope of a flow":          {"schemes", `{"s": {"type": "oauth2", "flows": {"password": {"scopes": {"a": ""}}}}}`, `{"s": {"type": "oauth2", "flows": {"password": {"scopes": {}}}}}`, "no longer has the scope a", ""},
		"a read-only field":          {"taken", `{"properties": {"a": {"type": "string"}}}`, `{"properties": {"a": {"type": "string", "readOnly": true}}}`, body + "at a is readOnly now", ""},
		"a write-only field":         {"given", `{"properties": {"a": {"type": "string"}}}`, `{"properties": {"a": {"type": "string", "writeOnly": true}}}`, answer + "at a is writeOnly now", ""},
		"a required read-only field": {"taken", `{"properties": {"a": {"readOnly": true}}}`, `{"properties": {"a": {"readOnly": true}}, "required": ["a"]}`, "", ""},
		"other fields":               {"taken", `{"type": "object"}`, `{"type": "object", "additionalProperties": false}`, "takes fewer values: other fields", ""},
		"values of other fields":     {"taken", `{"additionalProperties": {"type": ["string", "null"]}}`, `{"additionalProperties": {"type": "string"}}`, body + "at * takes fewer values: type null", ""},
		"a format that is taken":     {"taken", `{"type": "string"}`, `{"type": "string", "format": "email"}`, "takes fewer values: format", ""},
		"a format that is given":     {"given", `{"type": "string", "format": "date"}`, `{"type": "string", "format": "date-time"}`, "values that it did not have: format", "values that it did not have: format"},
		"a wider integer":            {"taken", `{"type": "integer", "format": "int32"}`, `{"type": "integer", "format": "int64"}`, "", "takes fewer values: format"},
		"a wider integer in answers": {"given", `{"type": "integer", "format": "int32"}`, `{"type": "integer", "format": "int64"}`, "values that it did not have: format", ""},
		"a limit of answers":         {"given", `{"maximum": 10}`, `{"maximum": 20}`, "values that it did not have: maximum", ""},
		"no limit of answers":        {"given", `{"minLength": 1}`, `{}`, "values that it did not have: minLength", ""},
		"a pattern":                  {"taken", `{}`, `{"pattern": "a"}`, "takes fewer values: pattern", ""},
		"a pattern of answers":       {"given", `{"pattern": "a"}`, `{}`, "values that it did not have: pattern", ""},
		"unique items":               {"taken", `{"type": "array"}`, `{"type": "array", "uniqueItems": true}`, "takes fewer values: uniqueItems", ""},
		"multiples":                  {"taken", `{}`, `{"multipleOf": 2}`, "takes fewer values: multipleOf", ""},
		"what is excluded":           {"taken", `{}`, `{"not": {"const": 1}}`, "takes fewer values: not", ""},
		"names of fields":            {"taken", `{}`, `{"propertyNames": {"maxLength": 2}}`, "takes fewer values: propertyNames", ""},
		"a constant":                 {"taken", `{"enum": ["a", "b"]}`, `{"const": "a"}`, `takes fewer values: enum "b"`, ""},
		"a constant of answers":      {"given", `{"const": "a"}`, `{"enum": ["a", "b"]}`, `values that it did not have: enum "b"`, ""},
		"an encoding":                {"given", `{"contentEncoding": "base64"}`, `{"contentEncoding": "base16"}`, "values that it did not have: contentEncoding", "contentEncoding"},
		"items":                      {"taken", `{"type": "array"}`, `{"type": "array", "items": {"type": "string"}}`, "takes fewer values: items", ""},
		"one condition more":         {"taken", `{}`, `{"allOf": [{"format": "existing"}]}`, "takes fewer values: a condition", ""},
		"a null":                     {"given", `{"$ref": "#/components/schemas/Form"}`, `{"anyOf": [{"$ref": "#/components/schemas/Form"}, {"type": "null"}]}`, "values that it did not have: an alternative", ""},
		"a null that is taken":       {"taken", `{"$ref": "#/components/schemas/Form"}`, `{"anyOf": [{"$ref": "#/components/schemas/Form"}, {"type": "null"}]}`, "", "takes fewer values: an alternative"},
		"the order of alternatives":  {"given", `{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `{"anyOf": [{"type": "null"}, {"type": "string"}]}`, "", ""},
		"an alternative to what is":  {"taken", `{"type": "string", "format": "email"}`, `{"type": "string", "anyOf": [{"format": "email"}, {"const": ""}]}`, "", "takes fewer values"},
		"a body that is needed":      {"needed", `false`, `true`, "needs a body now", ""},
		"the style of a parameter":   {"parameter", `{"name": "a", "in": "query", "schema": {}}`, `{"name": "a", "in": "query", "explode": false, "schema": {}}`, "is written in another way now", "is written in another way now"},
		"a header field":             {"headers", `{"ETag": {"schema": {"type": "string"}}}`, `{}`, answer[:len(answer)-1] + ": the header field ETag is gone", ""},
		"a header field that may be": {"headers", `{"ETag": {"required": true, "schema": {}}}`, `{"ETag": {"schema": {}}}`, "the header field ETag may be missing now", ""},
		"the type of a header field": {"headers", `{"A": {"schema": {"type": "integer"}}}`, `{"A": {"schema": {"type": "string"}}}`, "the header field A has values that it did not have: type string", "type integer"},
		"an error without a default": {"errors", `"409": {"description": "d"}, "418": {"description": "d"}`, `"409": {"description": "d"}`, "the answer 418 is gone", ""},
		"a form of an error":         {"errors", errorWith(`{"anyOf": [{"$ref": "#/components/schemas/Form"}, {"$ref": "#/components/schemas/Problem"}]}`), errorWith(`{"$ref": "#/components/schemas/Problem"}`), "the answer 400 no longer has the form Form", "values that it did not have: an alternative"},
		"another form of an error":   {"errors", errorWith(`{"$ref": "#/components/schemas/Form"}`), errorWith(`{"$ref": "#/components/schemas/Problem"}`), "the answer 400 at errors is gone", "the answer 400 at title is gone"},
		"the media type of an error": {"errors", errorWith(`{}`), strings.ReplaceAll(errorWith(`{}`), "problem+json", "json"), "the answer 400 is no longer application/problem+json", "is no longer application/json"},
		"a description":              {"taken", `{"description": "a"}`, `{"description": "b"}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := documentWith(map[string]string{test.part: test.before}), documentWith(map[string]string{test.part: test.after})
			tells(t, before, after, test.breaks)
			tells(t, after, before, test.back)
		})
	}
}

// errorWith is a 400 with a schema.
func errorWith(schema string) string {
	return `"400": {"description": "d", "content": {"application/problem+json": {"schema": ` + schema + `}}}`
}

func tells(t *testing.T, before, after, want string) {
	t.Helper()
	breaking, _, err := compare([]byte(before), []byte(after))
	if err != nil {
		t.Fatal(err)
	}
	if told := strings.Join(breaking, "\n"); !strings.Contains(told, want) || want == "" && told != "" {
		t.Errorf("want %q, got %q", want, told)
	}
}
