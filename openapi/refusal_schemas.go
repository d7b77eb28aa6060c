package openapi

import (
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/validation"
)

// part is a member of an object of the document's own.
type part struct {
	name     string
	schema   *openapi3.Schema
	required bool
}

// problemParts are the members of a problem (RFC 9457).
func problemParts() []part {
	kind := stringSchema("A URI for the kind of problem.")
	kind.Format = "uri-reference"
	return []part{
		{"type", kind, true},
		{"title", stringSchema("What is wrong, the same for each of its kind."), true},
		{"status", &openapi3.Schema{
			Type: &openapi3.Types{openapi3.TypeInteger}, Min: new(400.0), Max: new(599.0), Description: "The HTTP status.",
		}, true},
		{"detail", stringSchema("What is wrong this time."), false},
	}
}

func problemSchema() (*openapi3.Schema, []part) {
	instance := stringSchema("A URI for this failure, which the log of the service has too.")
	instance.Format = "uri-reference"
	object := objectSchema("A problem (RFC 9457). It may have further members.")
	object.Examples = []any{map[string]any{"type": "about:blank", "title": http.StatusText(http.StatusBadRequest), "status": int64(http.StatusBadRequest)}}
	return object, append(problemParts(), part{"instance", instance, false})
}

func conflictSchema() (*openapi3.Schema, []part) {
	field := part{"field", stringSchema("The member whose value another record has."), false}
	return objectSchema("The problem of a change that conflicts."), append(problemParts(), field)
}

func mediaTypeProblemSchema() (*openapi3.Schema, []part) {
	supported := &openapi3.Schema{
		Type: &openapi3.Types{openapi3.TypeArray}, Items: openapi3.NewSchemaRef("", stringSchema("")), Description: "The media types that there are.",
	}
	return objectSchema("The problem of a media type that is not supported."), append(problemParts(), part{"supported", supported, false})
}

func parameterProblemSchema() (*openapi3.Schema, []part) {
	wrong, in := objectSchema(""), stringSchema("Where it is.")
	in.Enum = []any{"query", "header"}
	complete(wrong, []part{
		{"name", stringSchema("The name of the parameter."), true},
		{"in", in, true},
		{"message", stringSchema("What is wrong with it."), true},
	})
	list := func(items *openapi3.Schema, description string) *openapi3.Schema {
		return &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeArray}, Items: openapi3.NewSchemaRef("", items), Description: description}
	}
	return objectSchema("The problem of a request that is not well formed, or has wrong parameters."), append(problemParts(),
		part{"parameters", list(wrong, "The parameters that are wrong."), false},
		part{"allowed", list(stringSchema(""), "The names of the parameters of the query that there are."), false})
}

// validationErrorSchema is the answer in [validation.Map].
func validationErrorSchema() (*openapi3.Schema, []part) {
	errors := objectSchema("One message for each wrong field, by its path: address.city, tags[1].")
	errors.AdditionalProperties.Schema = openapi3.NewSchemaRef("", stringSchema(""))
	object := objectSchema("What is wrong with a body.")
	object.AdditionalProperties.Has = new(false)
	return object, []part{
		{"type", constantSchema(problem.ValidationType), true},
		{"title", constantSchema(problem.ValidationTitle), true},
		{"errors", errors, true},
		morePart(),
	}
}

// validationProblemSchema is the answer in [validation.Problem].
func validationProblemSchema() (*openapi3.Schema, []part) {
	violation := objectSchema("")
	complete(violation, []part{
		{"pointer", stringSchema("Where the value is in the body (RFC 6901)."), true},
		{"code", stringSchema("The rule that it breaks."), true},
		{"message", stringSchema("What to do."), true},
		{"params", objectSchema("What the rule was given, by name."), false},
	})
	parts := problemParts()[:3]
	parts[0].schema = constantSchema(problem.ValidationType)
	parts[1].schema = constantSchema(problem.ValidationTitle)
	parts[2].schema = &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeInteger}, Const: int64(validation.Problem.Status())}
	return objectSchema("What is wrong with a body."), append(parts, part{"violations", &openapi3.Schema{
		Type:  &openapi3.Types{openapi3.TypeArray},
		Items: openapi3.NewSchemaRef("", violation),
	}, true}, morePart())
}

// morePart is the member of an answer that has no room for all that is wrong with a body.
func morePart() part {
	return part{"more", &openapi3.Schema{
		Type: &openapi3.Types{openapi3.TypeInteger}, Min: new(1.0),
		Description: "How many more values are wrong. It is there only where the answer has no room for all of them.",
	}, false}
}

// complete adds members to an object, and returns their names in order.
func complete(object *openapi3.Schema, parts []part) []string {
	object.Properties = openapi3.Schemas{}
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.name
		object.Properties[p.name] = openapi3.NewSchemaRef("", p.schema)
		if p.required {
			object.Required = append(object.Required, p.name)
		}
	}
	return names
}

func objectSchema(description string) *openapi3.Schema {
	return &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeObject}, Description: description}
}

func stringSchema(description string) *openapi3.Schema {
	return &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeString}, Description: description}
}

func constantSchema(text string) *openapi3.Schema {
	schema := stringSchema("")
	schema.Const = text
	return schema
}
