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

// part is a field of a schema of the document's own.
type part struct {
	name     string
	schema   *schema.Schema
	required bool
}

// text returns the schema of a string that the text of a key describes.
func (b *builder) text(key string) *schema.Schema { return stringSchema(b.texts.Text(key)) }

// problemParts are the fields of a problem (RFC 9457).
func (b *builder) problemParts() []part {
	kind := b.text("problem.type")
	kind.Format = "uri-reference"
	return []part{
		{"type", kind, true},
		{"title", b.text("problem.title"), true},
		{"status", &schema.Schema{
			Type: []string{schema.Integer}, Min: schema.Int(400), Max: schema.Int(599), Description: b.texts.Text("problem.status"),
		}, true},
		{"detail", b.text("problem.detail"), false},
	}
}

// problemWith returns the schema of a problem with additional fields.
func (b *builder) problemWith(key string, parts ...part) *schema.Schema {
	return complete(objectSchema(b.texts.Text(key)), append(b.problemParts(), parts...))
}

func (b *builder) problemSchema() *schema.Schema {
	instance := b.text("problem.instance")
	instance.Format = "uri-reference"
	object := b.problemWith("problem", part{"instance", instance, false})
	object.Examples = schema.ValuesOf(map[string]any{"type": "about:blank", "title": http.StatusText(http.StatusBadRequest), "status": http.StatusBadRequest})
	return object
}

func (b *builder) conflictSchema() *schema.Schema {
	return b.problemWith("problem.conflict", part{"field", b.text("problem.conflict.field"), false})
}

func (b *builder) forbiddenSchema() *schema.Schema {
	return b.problemWith("problem.forbidden", part{"field", b.text("problem.forbidden.field"), false})
}

func (b *builder) mediaTypeProblemSchema() *schema.Schema {
	return b.problemWith("problem.mediaType", part{"supported", b.list(stringSchema(""), "problem.mediaType.supported"), false})
}

func (b *builder) parameterProblemSchema() *schema.Schema {
	invalid, in := objectSchema(""), b.text("problem.parameter.in")
	in.Enum = schema.ValuesOf("query", "header")
	complete(invalid, []part{
		{"name", b.text("problem.parameter.name"), true},
		{"in", in, true},
		{"message", b.text("problem.parameter.message"), true},
	})
	return b.problemWith("problem.parameter",
		part{"parameters", b.list(invalid, "problem.parameter.parameters"), false},
		part{"allowed", b.list(stringSchema(""), "problem.parameter.allowed"), false})
}

func (b *builder) list(items *schema.Schema, key string) *schema.Schema {
	return &schema.Schema{Type: []string{schema.Array}, Items: items, Description: b.texts.Text(key)}
}

// validationErrorSchema is the response with [validation.Map].
func (b *builder) validationErrorSchema() *schema.Schema {
	errors := objectSchema(b.texts.Text("problem.validation.errors"))
	errors.AdditionalProperties = stringSchema("")
	object := objectSchema(b.texts.Text("problem.validation"))
	object.AdditionalProperties = schema.Nothing()
	return complete(object, []part{
		{"type", constantSchema(problem.ValidationType), true},
		{"title", constantSchema(problem.ValidationTitle), true},
		{"errors", errors, true},
		b.morePart(),
	})
}

// validationProblemSchema is the response with [validation.Problem].
func (b *builder) validationProblemSchema() *schema.Schema {
	violation := objectSchema("")
	complete(violation, []part{
		{"pointer", b.text("problem.validation.pointer"), true},
		{"code", b.text("problem.validation.code"), true},
		{"message", b.text("problem.validation.message"), true},
		{"params", objectSchema(b.texts.Text("problem.validation.params")), false},
	})
	parts := b.problemParts()[:3]
	parts[0].schema = constantSchema(problem.ValidationType)
	parts[1].schema = constantSchema(problem.ValidationTitle)
	parts[2].schema = &schema.Schema{Type: []string{schema.Integer}, Const: schema.ValueOf(validation.Problem.Status())}
	return complete(objectSchema(b.texts.Text("problem.validation")), append(parts, part{"violations", &schema.Schema{
		Type:  []string{schema.Array},
		Items: violation,
	}, true}, b.morePart()))
}

// morePart is the field of a response that does not have space for all errors of a body.
func (b *builder) morePart() part {
	return part{"more", &schema.Schema{
		Type: []string{schema.Integer}, Min: schema.Int(1), Description: b.texts.Text("problem.validation.more"),
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
// the schema, with strings such as "path/index.html".
func errorIn(f *format.Format, members map[string]any) (made any) {
	if f.WriteError == nil {
		return nil
	}
	_ = guard("WriteError", func() {
		text, err := f.WriteError(nil, errorOf(members))
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

// errorOf returns the example of a problem in the form that formats get.
func errorOf(members map[string]any) *format.ErrorResponse {
	text := func(of map[string]any, name string) string { s, _ := of[name].(string); return s }
	status, _ := members["status"].(int64)
	r := &format.ErrorResponse{
		Status: cmp.Or(int(status), http.StatusBadRequest), Type: text(members, "type"), Title: text(members, "title"),
		Detail: text(members, "detail"), Instance: text(members, "instance"),
	}
	r.JSON, _ = json.Marshal(members, json.Deterministic(true))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch value := members[name].(type) {
		case map[string]any: // the errors of validation.Map
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
