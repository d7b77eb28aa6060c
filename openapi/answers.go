package openapi

import (
	"net/http"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/refusal"
	"github.com/trove-api/trove/internal/schema"
)

// answer is one status that an operation answers with.
type answer struct {
	status   string
	response *openapi3.ResponseRef
}

// answers lists every status that an operation answers with, or those that clients act
// on and one default for all others.
func (b *builder) answers(op *compiled.Operation) []answer {
	list := []answer{b.success(op, op.Status)}
	if op.AllowCreate {
		list = append(list, b.success(op, http.StatusCreated))
	}
	can := describe.Refusals(op)
	for i := range told {
		r := &told[i]
		if r.fits(can) && (b.everyStatus || r.actedOn != nil && r.actedOn(op)) {
			list = append(list, answer{r.status(), b.refusal(r)})
		}
	}
	if !b.everyStatus {
		others := refusals{name: "Refused", of: []refusal.Refusal{refusal.Own}, response: refusedOtherwise}
		list = append(list, answer{others.status(), b.refusal(&others)})
	}
	return list
}

// success builds the answer of an operation that did what was asked.
func (b *builder) success(op *compiled.Operation, status int) answer {
	response := &openapi3.Response{Description: new(describeSuccess(op, status))}
	fields := []openapi3.Headers{b.validatorHeaders(op), b.lifecycleHeaders(op), b.ownHeaders(op)}
	if status == http.StatusCreated && creates(op) {
		fields = append(fields, b.location(op.Resource))
	}
	if op.IsLocated {
		fields = append(fields, b.contentLocation())
	}
	if op.Answers() {
		response.Content = b.answerContents(op)
		if op.Pages {
			fields = append(fields, b.pageHeaders(op))
		}
	}
	response.Headers = merged(fields...)
	response.Links = b.links(op, status == http.StatusCreated && creates(op))
	return answer{strconv.Itoa(status), &openapi3.ResponseRef{Value: response}}
}

// creates reports whether each of the operation's answers of 201 is to a new record.
func creates(op *compiled.Operation) bool {
	return op.Creates || op.AllowCreate && op.Status != http.StatusCreated
}

// contentLocation is the header of an answer with the address of the record that it shows. It is the same
// for all resources, so that documents have it once.
func (b *builder) contentLocation() openapi3.Headers {
	return openapi3.Headers{"Content-Location": {Value: &openapi3.Header{Parameter: openapi3.Parameter{
		Description: "The address at which a Get answers with the same.",
		Required:    true,
		Schema:      b.schemaRef(&schema.Schema{Type: []string{schema.String}, Format: "uri-reference"}),
	}}}}
}

// location is the header of an answer with the address of a new record, if there is an operation
// that reads it.
func (b *builder) location(r *compiled.Resource) openapi3.Headers {
	if r.Get() == nil {
		return nil
	}
	header := &openapi3.Header{Parameter: openapi3.Parameter{
		Description: "The address of the new " + r.ShortName + ".",
		Required:    true,
		Schema:      b.schemaRef(&schema.Schema{Type: []string{schema.String}, Format: "uri-reference"}),
	}}
	if address := b.addressExample(r); address != "" {
		header.Example = address
	}
	return openapi3.Headers{"Location": &openapi3.HeaderRef{Value: header}}
}
