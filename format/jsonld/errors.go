package jsonld

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// writeError appends an error: an Error of Hydra with the fields of a problem (RFC 9457), or the violations of a body.
func (v *vocabulary) writeError(b []byte, r *format.ErrorResponse) ([]byte, error) {
	class, description := errorClass, cmp.Or(r.Detail, r.Title)
	if r.Violations != nil {
		messages := make([]string, len(r.Violations))
		for i := range r.Violations {
			messages[i] = r.Violations[i].Message
		}
		class, description = violationClass, strings.Join(messages, "\n")
	}
	b = append(b, `{"@context":`...)
	b = scan.AppendQuoted(b, v.context(class))
	b = append(append(append(b, `,"@type":"`...), class...), `","type":`...)
	b = scan.AppendQuoted(b, r.Type)
	b = scan.AppendQuoted(append(b, `,"title":`...), r.Title)
	b = strconv.AppendInt(append(b, `,"status":`...), int64(r.Status), 10)
	if r.Detail != "" {
		b = scan.AppendQuoted(append(b, `,"detail":`...), r.Detail)
	}
	b = scan.AppendQuoted(append(b, `,"description":`...), description)
	if r.Instance != "" {
		b = scan.AppendQuoted(append(b, `,"instance":`...), r.Instance)
	}
	for _, m := range r.Fields {
		b = scan.AppendName(append(b, ','), m.Name)
		b = append(b, m.JSON...)
	}
	if r.Violations != nil {
		b = appendViolations(b, r.Violations)
	}
	if r.More > 0 {
		b = strconv.AppendInt(append(b, `,"more":`...), int64(r.More), 10)
	}
	return append(b, '}'), nil
}

func appendViolations(b []byte, violations []format.Violation) []byte {
	b = append(b, `,"violations":[`...)
	for i := range violations {
		if i > 0 {
			b = append(b, ',')
		}
		b = scan.AppendQuoted(append(b, `{"propertyPath":`...), violations[i].Field)
		b = scan.AppendQuoted(append(b, `,"message":`...), violations[i].Message)
		b = append(scan.AppendQuoted(append(b, `,"code":`...), violations[i].Code), '}')
	}
	return append(b, ']')
}

// errorSchema is the schema of what writeError appends.
const errorSchema = `{"type":"object","description":"An error in JSON-LD. It can have further fields.","properties":{` +
	`"@context":{"type":"string","format":"uri-reference",` + goContext + `},"@type":{"type":"string","enum":["Error","ConstraintViolation"],` + goType + `},` +
	`"type":{"type":"string","format":"uri-reference","description":"The kind of problem."},` +
	`"title":{"type":"string","description":"The kind of problem in words."},` +
	`"status":{"type":"integer","minimum":400,"maximum":599,"description":"The HTTP status."},` +
	`"detail":{"type":"string","description":"What is wrong with this request."},` +
	`"description":{"type":"string","description":"All errors as one text."},` +
	`"instance":{"type":"string","format":"uri-reference","description":"The id of the incident in the log."},` +
	`"violations":{"type":"array","description":"The errors in a body.","items":{"type":"object","properties":{` +
	`"propertyPath":{"type":"string","description":"The field, such as address.city or tags[1]."},"message":{"type":"string"},"code":{"type":"string"}},` +
	`"required":["propertyPath","message","code"]}}},"additionalProperties":{},"required":["@context","@type","type","title","status","description"]}`
