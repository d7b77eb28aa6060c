package openapi

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
)

// errorSchemas are the JSON Schemas of error responses, by name. An object that lists additionalProperties has no others;
// all others can have more fields.
var errorSchemas = map[string]string{
	"Problem": `{"type": "object", "description": "Problem details (RFC 9457). May have additional fields.",
		"examples": [{"type": "about:blank", "title": "Bad Request", "status": 400}],
		"required": ["type", "title", "status"], "properties": {` + problemFields + `,
			"instance": {"type": "string", "format": "uri-reference", "description": "URI of this occurrence, which the server's log has, too."}}}`,
	"ConflictProblem": `{"type": "object", "description": "Conflict with another record, change or rule of the database.",
		"required": ["type", "title", "status"], "properties": {` + problemFields + `,
			"field": {"type": "string", "description": "Field whose value is already in use."}}}`,
	"ConstraintProblem": `{"type": "object", "description": "Conflict with another record, change or rule of the database.",
		"required": ["type", "title", "status"], "properties": {` + problemFields + `,
			"field": {"type": "string", "description": "Field whose value is already in use."},
			"fields": {"type": "array", "description": "Fields whose values together conflict with another record.", "items": {"type": "string"}}}}`,
	"ForbiddenProblem": `{"type": "object", "description": "Permission denied.",
		"required": ["type", "title", "status"], "properties": {` + problemFields + `,
			"field": {"type": "string", "description": "Field that the caller cannot set."}}}`,
	"ParameterProblem": `{"type": "object", "description": "Malformed request or invalid parameters.",
		"required": ["type", "title", "status"], "properties": {` + problemFields + `,
			"parameters": {"type": "array", "description": "Invalid parameters.", "items": {"type": "object",
				"required": ["name", "in", "message"], "properties": {
					"name": {"type": "string", "description": "Name of the parameter."},
					"in": {"type": "string", "description": "Location of the parameter.", "enum": ["query", "header", "body"]},
					"message": {"type": "string", "description": "What is wrong with it."},
					"pointer": {"type": "string", "description": "Place in the tree of conditions, or in the body, as a JSON Pointer (RFC 6901)."},
					"allowed": {"type": "array", "description": "Allowed names at that place.", "items": {"type": "string"}}}}},
			"allowed": {"type": "array", "description": "If a parameter is unknown: the names of all query parameters.", "items": {"type": "string"}}}}`,
	"ValidationError": `{"type": "object", "description": "Validation errors of the body.", "additionalProperties": false,
		"required": ["type", "title", "errors"], "properties": {` + validationFields + `,
			"errors": {"type": "object", "description": "One message for each invalid field, by path: \u0060address.city\u0060, \u0060tags[1]\u0060.",
				"additionalProperties": {"type": "string"}},
			` + moreField + `}}`,
	"ValidationProblem": `{"type": "object", "description": "Validation errors of the body.",
		"required": ["type", "title", "status", "violations"], "properties": {` + validationFields + `,
			"status": {"type": "integer", "const": 422},
			"violations": {"type": "array", "items": {"type": "object",
				"required": ["pointer", "code", "message"], "properties": {
					"pointer": {"type": "string", "description": "JSON Pointer to the value (RFC 6901)."},
					"code": {"type": "string", "description": "Rule that is violated."},
					"message": {"type": "string", "description": "Error message."},
					"params": {"type": "object", "description": "Parameters of the rule, by name."}}}},
			` + moreField + `}}`,
}

const (
	// problemFields are the fields of a problem (RFC 9457).
	problemFields = `
			"type": {"type": "string", "format": "uri-reference", "description": "URI of the problem type."},
			"title": {"type": "string", "description": "Summary of the problem type."},
			"status": {"type": "integer", "description": "HTTP status code.", "minimum": 400, "maximum": 599},
			"detail": {"type": "string", "description": "Explanation of this occurrence."}`
	// validationFields are the fields by which clients recognize validation errors.
	validationFields = `
			"type": {"type": "string", "const": "` + problem.ValidationType + `"},
			"title": {"type": "string", "const": "` + problem.ValidationTitle + `"}`
	// moreField is the field of a response that does not have space for all errors of a body.
	moreField = `"more": {"type": "integer", "description": "Number of errors that are left out. Absent if all are listed.", "minimum": 1}`
)

func stringSchema(description string) *schema.Schema {
	return &schema.Schema{Type: []string{schema.String}, Description: description}
}

// errorIn returns the example of a problem in a format, nil if the format fails. Without an example, pages make one from
// the schema, with strings such as "path/index.html". A binary format is shown as JSON.
func errorIn(f *format.Format, example format.ErrorResponse, inJSON any) (made any) {
	if f.WriteError == nil {
		return nil
	}
	_ = guard("WriteError", func() {
		text, err := f.WriteError(nil, &example)
		switch {
		case err != nil || json.Unmarshal(text, &made) == nil:
		case utf8.Valid(text):
			made = string(text)
		default:
			made = inJSON
		}
	})
	return made
}
