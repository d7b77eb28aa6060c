package openapi

import (
	"net/http"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// part is a field of a schema of the document's own.
type part struct {
	name     string
	schema   *schema.Schema
	required bool
}

// problemParts are the fields of a problem (RFC 9457).
func problemParts() []part {
	kind := stringSchema("URI of the problem type.")
	kind.Format = "uri-reference"
	return []part{
		{"type", kind, true},
		{"title", stringSchema("Summary of the problem type."), true},
		{"status", &schema.Schema{
			Type: []string{schema.Integer}, Min: schema.Int(400), Max: schema.Int(599), Description: "HTTP status code.",
		}, true},
		{"detail", stringSchema("Explanation of this occurrence."), false},
	}
}

// problemWith returns the schema of a problem with additional fields.
func problemWith(description string, parts ...part) *schema.Schema {
	return complete(objectSchema(description), append(problemParts(), parts...))
}

func problemSchema() *schema.Schema {
	instance := stringSchema("URI of this occurrence, which the server's log has, too.")
	instance.Format = "uri-reference"
	object := problemWith("Problem details (RFC 9457). May have additional fields.", part{"instance", instance, false})
	object.Examples = schema.ValuesOf(map[string]any{"type": "about:blank", "title": http.StatusText(http.StatusBadRequest), "status": http.StatusBadRequest})
	return object
}

func conflictSchema() *schema.Schema {
	return problemWith("Conflict with another record, change or rule of the database.", part{"field", stringSchema("Field whose value is already in use."), false})
}

func forbiddenSchema() *schema.Schema {
	return problemWith("Permission denied.", part{"field", stringSchema("Field that the caller cannot set."), false})
}

func mediaTypeProblemSchema() *schema.Schema {
	return problemWith("Unsupported media type.", part{"supported", listSchema(stringSchema(""), "Supported media types."), false})
}

func parameterProblemSchema() *schema.Schema {
	invalid, in := objectSchema(""), stringSchema("Location of the parameter.")
	in.Enum = schema.ValuesOf("query", "header")
	complete(invalid, []part{
		{"name", stringSchema("Name of the parameter."), true},
		{"in", in, true},
		{"message", stringSchema("What is wrong with it."), true},
	})
	return problemWith("Malformed request or invalid parameters.",
		part{"parameters", listSchema(invalid, "Invalid parameters."), false},
		part{"allowed", listSchema(stringSchema(""), "If a parameter is unknown: the names of all query parameters."), false})
}

func listSchema(items *schema.Schema, description string) *schema.Schema {
	return &schema.Schema{Type: []string{schema.Array}, Items: items, Description: description}
}

// validationErrorSchema is the response with [validation.Map].
func validationErrorSchema() *schema.Schema {
	errors := objectSchema("One message for each invalid field, by path: `address.city`, `tags[1]`.")
	errors.AdditionalProperties = stringSchema("")
	object := objectSchema("Validation errors of the body.")
	object.AdditionalProperties = schema.Nothing()
	return complete(object, []part{
		{"type", constantSchema(problem.ValidationType), true},
		{"title", constantSchema(problem.ValidationTitle), true},
		{"errors", errors, true},
		morePart(),
	})
}

// validationProblemSchema is the response with [validation.Problem].
func validationProblemSchema() *schema.Schema {
	violation := objectSchema("")
	complete(violation, []part{
		{"pointer", stringSchema("JSON Pointer to the value (RFC 6901)."), true},
		{"code", stringSchema("Rule that is violated."), true},
		{"message", stringSchema("Error message."), true},
		{"params", objectSchema("Parameters of the rule, by name."), false},
	})
	parts := problemParts()[:3]
	parts[0].schema = constantSchema(problem.ValidationType)
	parts[1].schema = constantSchema(problem.ValidationTitle)
	parts[2].schema = &schema.Schema{Type: []string{schema.Integer}, Const: schema.ValueOf(validation.Problem.Status())}
	return complete(objectSchema("Validation errors of the body."), append(parts, part{"violations", &schema.Schema{
		Type:  []string{schema.Array},
		Items: violation,
	}, true}, morePart()))
}

// morePart is the field of a response that does not have space for all errors of a body.
func morePart() part {
	return part{"more", &schema.Schema{
		Type: []string{schema.Integer}, Min: schema.Int(1), Description: "Number of errors that are left out. Absent if all are listed.",
	}, false}
}

// complete adds fields to an object.
func complete(object *schema.Schema, parts []part) *schema.Schema {
	for _, p := range parts {
		object.Properties = append(object.Properties, schema.Property{Name: p.name, Schema: p.schema})
		if p.required {
			object.Required = append(object.Required, p.name)
		}
	}
	return object
}

func objectSchema(description string) *schema.Schema {
	return &schema.Schema{Type: []string{schema.Object}, Description: description}
}

func stringSchema(description string) *schema.Schema {
	return &schema.Schema{Type: []string{schema.String}, Description: description}
}

func constantSchema(text string) *schema.Schema {
	return &schema.Schema{Type: []string{schema.String}, Const: schema.ValueOf(text)}
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
