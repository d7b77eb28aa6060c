package openapi

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
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
	for _, refusal := range refusals {
		if refusal.when(op) && (b.everyStatus || refusal.actedOn != nil && refusal.actedOn(op)) {
			list = append(list, answer{refusal.status, b.refusal(refusal)})
		}
	}
	if !b.everyStatus {
		others := refusal{"default", "Refused", always, refusedOtherwise, always}
		list = append(list, answer{others.status, b.refusal(others)})
	}
	return list
}

// The refusals, each with the operations that answer so, and those of them whose clients
// act on it.
var refusals = []refusal{
	{"304", "NotModified", canBeUnmodified, notModified, always},
	{"400", "BadRequest", func(op *compiled.Operation) bool { return !refusesValues(op, validation.Map) }, badRequest, hasParameters},
	{"400", "Invalid", func(op *compiled.Operation) bool { return refusesValues(op, validation.Map) }, invalid, always},
	{"401", "Unauthorized", asksWho, unauthorized, always},
	{"403", "Forbidden", refusesSome, forbidden, always},
	{"404", "NotFound", func(op *compiled.Operation) bool { return op.Item || op.HasParents() }, notFound, always},
	{"406", "NotAcceptable", (*compiled.Operation).Answers, notAcceptable, nil},
	{"408", "RequestTimeout", func(op *compiled.Operation) bool { return op.TakesBody() && op.Timeout > 0 }, requestTimeout, nil},
	{"409", "Conflict", func(op *compiled.Operation) bool { return op.Kind.Writes() }, conflict, always},
	{"412", "PreconditionFailed", isConditional, preconditionFailed, takesCondition},
	{"413", "ContentTooLarge", (*compiled.Operation).TakesBody, contentTooLarge, nil},
	{"414", "URITooLong", always, uriTooLong, nil},
	{"415", "UnsupportedMediaType", (*compiled.Operation).TakesBody, unsupportedMediaType, nil},
	{"422", "ValidationFailed", func(op *compiled.Operation) bool {
		return op.Idempotency <= 0 && refusesValues(op, validation.Problem)
	}, validationFailed, always},
	{"422", "ValidationFailedOrKeyUsed", func(op *compiled.Operation) bool {
		return op.Idempotency > 0 && refusesValues(op, validation.Problem)
	}, validationFailedOrKeyUsed, always},
	{"422", "KeyUsed", func(op *compiled.Operation) bool {
		return op.Idempotency > 0 && !refusesValues(op, validation.Problem)
	}, keyUsed, nil},
	{"428", "PreconditionRequired", func(op *compiled.Operation) bool { return op.RequirePrecondition }, preconditionRequired, always},
	{"500", "InternalServerError", always, internalServerError, nil},
	{"503", "ServiceUnavailable", always, serviceUnavailable, nil},
	{"default", "Refused", (*compiled.Operation).HasHooks, refused, nil},
}

func always(*compiled.Operation) bool { return true }

// hasParameters reports whether clients ask with parameters, which may be wrong.
func hasParameters(op *compiled.Operation) bool { return len(op.Parameters.List) > 0 }

// refusesValues reports whether the operation answers in that shape to values that are
// not valid: those of its body, or what the user's functions refuse.
func refusesValues(op *compiled.Operation, shape validation.Shape) bool {
	return op.Resource.Errors == shape && (op.TakesBody() || op.HasHooks())
}

// success builds the answer of an operation that did what was asked.
func (b *builder) success(op *compiled.Operation, status int) answer {
	response := &openapi3.Response{Description: new(describeSuccess(op, status))}
	fields := []openapi3.Headers{b.validatorHeaders(op), b.lifecycleHeaders(op)}
	if status == http.StatusCreated && creates(op) {
		fields = append(fields, b.location(op.Resource, "Location", "The address of the new "+op.Resource.ShortName+"."))
	}
	if op.HasPlace() {
		fields = append(fields, b.location(op.Resource, "Content-Location", "The address at which a Get answers with this "+op.Resource.ShortName+"."))
	}
	if op.Answers() {
		response.Content = b.answerContents(op)
		if op.IsCollection() {
			fields = append(fields, b.pageHeaders(op))
		}
	}
	response.Headers = merged(fields...)
	return answer{strconv.Itoa(status), &openapi3.ResponseRef{Value: response}}
}

// creates reports whether each of the operation's answers of 201 is to a new record.
func creates(op *compiled.Operation) bool {
	return op.Creates() || op.AllowCreate && op.Status != http.StatusCreated
}

// location is a header of an answer with the address of a record, if there is an operation
// that reads it.
func (b *builder) location(r *compiled.Resource, name, description string) openapi3.Headers {
	if r.Item == nil {
		return nil
	}
	header := &openapi3.Header{Parameter: openapi3.Parameter{
		Description: description,
		Required:    true,
		Schema:      b.schemaRef(&schema.Schema{Type: []string{schema.String}, Format: "uri-reference"}),
	}}
	if id := b.identifierExample(r); id != nil {
		header.Example = r.Item.Template.Expand(func(string) string { return fmt.Sprint(id) })
	}
	return openapi3.Headers{name: &openapi3.HeaderRef{Value: header}}
}
