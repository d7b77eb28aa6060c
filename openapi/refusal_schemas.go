package openapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// part is a member of an object of the document's own.
type part struct {
	name     string
	schema   *schema.Schema
	required bool
}

// problemParts are the members of a problem (RFC 9457).
func problemParts() []part {
	kind := stringSchema("A URI for the kind of problem.")
	kind.Format = "uri-reference"
	return []part{
		{"type", kind, true},
		{"title", stringSchema("What is wrong, the same for each of its kind."), true},
		{"status", &schema.Schema{
			Type: []string{schema.Integer}, Min: schema.Int(400), Max: schema.Int(599), Description: "The HTTP status.",
		}, true},
		{"detail", stringSchema("What is wrong this time."), false},
	}
}

func problemSchema() *schema.Schema {
	instance := stringSchema("A URI for this failure, which the log of the service has too.")
	instance.Format = "uri-reference"
	object := objectSchema("A problem (RFC 9457). It may have further members.")
	object.Examples = schema.ValuesOf(map[string]any{"type": "about:blank", "title": http.StatusText(http.StatusBadRequest), "status": http.StatusBadRequest})
	return complete(object, append(problemParts(), part{"instance", instance, false}))
}

func conflictSchema() *schema.Schema {
	field := part{"field", stringSchema("The member whose value another record has."), false}
	return complete(objectSchema("The problem of a change that conflicts."), append(problemParts(), field))
}

func mediaTypeProblemSchema() *schema.Schema {
	supported := &schema.Schema{
		Type: []string{schema.Array}, Items: stringSchema(""), Description: "The media types that there are.",
	}
	return complete(objectSchema("The problem of a media type that is not supported."), append(problemParts(), part{"supported", supported, false}))
}

func parameterProblemSchema() *schema.Schema {
	wrong, in := objectSchema(""), stringSchema("Where it is.")
	in.Enum = schema.ValuesOf("query", "header")
	complete(wrong, []part{
		{"name", stringSchema("The name of the parameter."), true},
		{"in", in, true},
		{"message", stringSchema("What is wrong with it."), true},
	})
	list := func(items *schema.Schema, description string) *schema.Schema {
		return &schema.Schema{Type: []string{schema.Array}, Items: items, Description: description}
	}
	return complete(objectSchema("The problem of a request that is not well formed, or has wrong parameters."), append(problemParts(),
		part{"parameters", list(wrong, "The parameters that are wrong."), false},
		part{"allowed", list(stringSchema(""), "The names of the parameters of the query that there are."), false}))
}

// validationErrorSchema is the answer in [validation.Map].
func validationErrorSchema() *schema.Schema {
	errors := objectSchema("One message for each wrong field, by its path: address.city, tags[1].")
	errors.AdditionalProperties = stringSchema("")
	object := objectSchema("What is wrong with a body.")
	object.AdditionalProperties = schema.Nothing()
	return complete(object, []part{
		{"type", constantSchema(problem.ValidationType), true},
		{"title", constantSchema(problem.ValidationTitle), true},
		{"errors", errors, true},
		morePart(),
	})
}

// validationProblemSchema is the answer in [validation.Problem].
func validationProblemSchema() *schema.Schema {
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
	parts[2].schema = &schema.Schema{Type: []string{schema.Integer}, Const: schema.ValueOf(validation.Problem.Status())}
	return complete(objectSchema("What is wrong with a body."), append(parts, part{"violations", &schema.Schema{
		Type:  []string{schema.Array},
		Items: violation,
	}, true}, morePart()))
}

// morePart is the member of an answer that has no room for all that is wrong with a body.
func morePart() part {
	return part{"more", &schema.Schema{
		Type: []string{schema.Integer}, Min: schema.Int(1),
		Description: "How many more values are wrong. It is there only where the answer has no room for all of them.",
	}, false}
}

// complete adds members to an object.
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

func forbiddenSchema() *schema.Schema {
	field := part{"field", stringSchema("The member that may not be set."), false}
	return complete(objectSchema("The problem of what whoever asks may not do."), append(problemParts(), field))
}

// errorIn returns what a format makes of the example of a problem, nil if the format fails. Without an example,
// pages show one made of the schema, with texts such as "path/index.html".
func errorIn(f *format.Format, members map[string]any) (made any) {
	if f.WriteError == nil {
		return nil
	}
	_ = guard("Refuse", func() {
		text, err := f.WriteError(nil, refusalOf(members))
		switch {
		case err != nil || json.Unmarshal(text, &made) == nil:
		case utf8.Valid(text):
			made = string(text)
		default: // documents show binary formats as JSON
			made = members
		}
	})
	return made
}

// refusalOf returns the example of a problem as formats get it.
func refusalOf(members map[string]any) *format.ErrorResponse {
	text := func(of map[string]any, name string) string { s, _ := of[name].(string); return s }
	status, _ := members["status"].(int64)
	r := &format.ErrorResponse{
		Status: cmp.Or(int(status), http.StatusBadRequest), Type: text(members, "type"), Title: text(members, "title"),
		Detail: text(members, "detail"), Instance: text(members, "instance"),
	}
	r.JSON, _ = json.Marshal(members, json.Deterministic(true))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch value := members[name].(type) {
		case map[string]any: // the errors of the usual shape
			for _, field := range slices.Sorted(maps.Keys(value)) {
				r.Violations = append(r.Violations, format.Violation{Field: field, Pointer: "/" + field, Code: "notblank", Message: text(value, field)})
			}
		case []any:
			if r.Type != problem.ValidationType {
				r.Fields = append(r.Fields, memberOf(name, value))
				continue
			}
			for _, one := range value {
				violation, _ := one.(map[string]any)
				pointer := text(violation, "pointer")
				r.Violations = append(r.Violations, format.Violation{
					Field: strings.TrimPrefix(pointer, "/"), Pointer: pointer, Code: text(violation, "code"), Message: text(violation, "message"),
				})
			}
		case string:
			if !slices.Contains([]string{"type", "title", "detail", "instance"}, name) {
				r.Fields = append(r.Fields, memberOf(name, value))
			}
		}
	}
	return r
}

func memberOf(name string, value any) format.Field {
	text, _ := json.Marshal(value, json.Deterministic(true))
	return format.Field{Name: name, JSON: text}
}
