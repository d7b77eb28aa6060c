package openapi

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/refusal"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// refusals are those of one status that an operation has together: a status stands once in a
// document, so that one response tells of them all. Operations share it as a component.
type refusals struct {
	name     string // of the component
	of       []refusal.Refusal
	response func(*builder) *openapi3.Response
	actedOn  func(*compiled.Operation) bool // told without Config.EveryStatus; nil for never
}

// All that is told of refusals. Which operations have which, package refusal says.
var told = []refusals{
	{"NotModified", []refusal.Refusal{refusal.NotModified}, notModified, always},
	{"BadRequest", []refusal.Refusal{refusal.BadRequest}, badRequest, hasParameters},
	{"Invalid", []refusal.Refusal{refusal.BadRequest, refusal.Invalid}, invalid, always},
	{"BadRequestOrTooMuchEmbedded", []refusal.Refusal{refusal.BadRequest, refusal.TooMuchEmbedded}, badRequestOrTooMuch, always},
	{"InvalidOrTooMuchEmbedded", []refusal.Refusal{refusal.BadRequest, refusal.Invalid, refusal.TooMuchEmbedded}, invalidOrTooMuch, always},
	{"Unauthorized", []refusal.Refusal{refusal.Unauthorized}, unauthorized, always},
	{"Forbidden", []refusal.Refusal{refusal.Forbidden}, forbidden, always},
	{"NotFound", []refusal.Refusal{refusal.NotFound}, notFound, always},
	{"NotAcceptable", []refusal.Refusal{refusal.NotAcceptable}, notAcceptable, nil},
	{"RequestTimeout", []refusal.Refusal{refusal.Timeout}, requestTimeout, nil},
	{"Conflict", []refusal.Refusal{refusal.Taken, refusal.Conflict}, conflict, always},
	{"PreconditionFailed", []refusal.Refusal{refusal.PreconditionFailed}, preconditionFailed, takesCondition},
	{"ContentTooLarge", []refusal.Refusal{refusal.TooLarge, refusal.TooDeep, refusal.TooMany}, contentTooLarge, nil},
	{"URITooLong", []refusal.Refusal{refusal.URITooLong}, uriTooLong, nil},
	{"UnsupportedMediaType", []refusal.Refusal{refusal.UnsupportedMediaType}, unsupportedMediaType, nil},
	{"ValidationFailed", []refusal.Refusal{refusal.Unprocessable}, validationFailed, always},
	{"ValidationFailedOrKeyUsed", []refusal.Refusal{refusal.Unprocessable, refusal.KeyUsed}, validationFailedOrKeyUsed, always},
	{"KeyUsed", []refusal.Refusal{refusal.KeyUsed}, keyUsed, nil},
	{"PreconditionRequired", []refusal.Refusal{refusal.PreconditionRequired}, preconditionRequired, always},
	{"InternalServerError", []refusal.Refusal{refusal.Failed}, internalServerError, nil},
	{"ServiceUnavailable", []refusal.Refusal{refusal.Unavailable}, serviceUnavailable, nil},
	{"Refused", []refusal.Refusal{refusal.Own}, refused, nil},
}

func always(*compiled.Operation) bool { return true }

// hasParameters reports whether clients ask with parameters, which may be wrong.
func hasParameters(op *compiled.Operation) bool { return len(op.Parameters.List) > 0 }

// fits reports whether these are all refusals of their status that an operation has.
func (r *refusals) fits(can []refusal.Refusal) bool {
	var same []refusal.Refusal
	for _, one := range can {
		if one.Status() == r.of[0].Status() {
			same = append(same, one)
		}
	}
	return slices.Equal(same, r.of)
}

func (r *refusals) status() string {
	if status := r.of[0].Status(); status != 0 {
		return strconv.Itoa(status)
	}
	return "default"
}

// refusal returns a reference to the refusals' component, which the first use makes.
func (b *builder) refusal(r *refusals) *openapi3.ResponseRef {
	if b.doc.Components.Responses[r.name] == nil {
		response := r.response(b)
		b.addRefusals(response)
		b.doc.Components.Responses[r.name] = &openapi3.ResponseRef{Value: response}
		b.responses = append(b.responses, r.name)
	}
	return &openapi3.ResponseRef{Ref: "#/components/responses/" + r.name}
}

func badRequest(b *builder) *openapi3.Response {
	response := b.problem(http.StatusBadRequest,
		"The request is not well formed, or a parameter is not valid: `parameters` names each that is wrong, and `allowed` all there are where one is not known.",
		"colour is not known.",
		problem.Member{Name: "parameters", Value: []any{map[string]any{"name": "colour", "in": "query", "message": "colour is not known"}}},
		problem.Member{Name: "allowed", Value: []any{}})
	response.Content[problem.MediaType].Schema = b.schemaRef(b.fixed("ParameterProblem", parameterProblemSchema))
	return response
}

// invalid is 400 for two reasons, told apart by their type.
func invalid(b *builder) *openapi3.Response {
	either := &schema.Schema{OneOf: []*schema.Schema{
		b.fixed("ValidationError", validationErrorSchema),
		b.fixed("ParameterProblem", parameterProblemSchema),
	}}
	response := refused(b)
	response.Description = new("A value is not valid: `errors` names each wrong field. Or the request is not well formed, or a parameter is not valid: " +
		"`parameters` names each that is wrong, and `allowed` all there are where one is not known.")
	response.Content[problem.MediaType].Schema = b.schemaRef(either)
	response.Content[problem.MediaType].Example = map[string]any{
		"type": problem.ValidationType, "title": problem.ValidationTitle,
		"errors": map[string]any{"name": "name must not be blank"},
	}
	return response
}

func badRequestOrTooMuch(b *builder) *openapi3.Response { return b.orTooMuch(badRequest(b)) }

func invalidOrTooMuch(b *builder) *openapi3.Response { return b.orTooMuch(invalid(b)) }

// orTooMuch adds the budget of embedded records to a response.
func (b *builder) orTooMuch(response *openapi3.Response) *openapi3.Response {
	*response.Description += fmt.Sprintf(" Or the response would embed more than %d records, or records of more than %d bytes: "+
		"request fewer expansions or a smaller page.", b.api.MaxEmbedded, b.api.MaxEmbeddedBytes)
	return response
}

func notFound(b *builder) *openapi3.Response {
	return b.problem(http.StatusNotFound, "There is no record with that identifier.", refusal.NotFound.Says("record"))
}

func notAcceptable(b *builder) *openapi3.Response {
	return b.unsupported(http.StatusNotAcceptable, "None of the media types in Accept can be sent; `supported` lists those that can.",
		refusal.NotAcceptable.Says(format.JSON))
}

// unsupported builds a problem that lists media types.
func (b *builder) unsupported(status int, description, detail string) *openapi3.Response {
	response := b.problem(status, description, detail, problem.Member{Name: "supported", Value: []any{format.JSON}})
	response.Content[problem.MediaType].Schema = b.schemaRef(b.fixed("MediaTypeProblem", mediaTypeProblemSchema))
	return response
}

// conflict is a problem with a member more, where a value is taken.
func conflict(b *builder) *openapi3.Response {
	response := b.problem(http.StatusConflict,
		"The change conflicts with another record, whose value in `field` must be unique, or with another change.",
		refusal.Taken.Says("name"), problem.Member{Name: "field", Value: "name"})
	response.Content[problem.MediaType].Schema = b.schemaRef(b.fixed("ConflictProblem", conflictSchema))
	return response
}

func contentTooLarge(b *builder) *openapi3.Response {
	return b.problem(http.StatusRequestEntityTooLarge,
		fmt.Sprintf("The body is larger than the operation takes, %d bytes unless it says otherwise, is nested more than %d levels deep, "+
			"or has more than %d members and elements.", b.api.MaxBodyBytes, b.api.MaxBodyDepth, b.api.MaxBodyMembers),
		refusal.TooLarge.Says(b.api.MaxBodyBytes))
}

func uriTooLong(b *builder) *openapi3.Response {
	return b.problem(http.StatusRequestURITooLong, "The address of the request is too long.", refusal.URITooLong.Says(b.api.MaxURLBytes))
}

func unsupportedMediaType(b *builder) *openapi3.Response {
	response := b.unsupported(http.StatusUnsupportedMediaType, "The body has a media type or coding that is not supported; `supported` lists those that are.",
		refusal.UnsupportedMediaType.Says(format.JSON))
	response.Headers = openapi3.Headers{}
	for _, name := range []string{"Accept-Patch", "Accept-Post"} {
		response.Headers[name] = b.header("The media types that the method takes.", nil, "")
	}
	return response
}

func validationFailed(b *builder) *openapi3.Response {
	response := refused(b)
	response.Description = new("A value is not valid: `violations` lists each rule that is broken.")
	response.Content[problem.MediaType] = &openapi3.MediaType{
		Schema: b.schemaRef(b.fixed("ValidationProblem", validationProblemSchema)),
		Example: map[string]any{
			"type": problem.ValidationType, "title": problem.ValidationTitle, "status": int64(validation.Problem.Status()),
			"violations": []any{map[string]any{"pointer": "/name", "code": "notblank", "message": "name must not be blank"}},
		},
	}
	return response
}

func requestTimeout(b *builder) *openapi3.Response {
	return b.problem(http.StatusRequestTimeout, refusal.Timeout.Says(), refusal.Timeout.Says())
}

func internalServerError(b *builder) *openapi3.Response {
	return b.problem(http.StatusInternalServerError,
		"The service failed. The cause is not told; `instance` names the incident to those who can look it up.", "",
		problem.Member{Name: "instance", Value: "urn:uuid:2f1c6f4e-7f0e-4b53-9a53-0c9d4b9f3a11"})
}

// serviceUnavailable is a store that cannot be reached, too much to do, or too little time.
func serviceUnavailable(b *builder) *openapi3.Response {
	response := b.problem(http.StatusServiceUnavailable, refusal.Unavailable.Says(), refusal.Unavailable.Says())
	response.Headers = b.retryAfter("After how many seconds to try again.")
	return response
}

func (b *builder) retryAfter(description string) openapi3.Headers {
	wait := schema.Typed(schema.Integer)
	wait.Min = schema.Int(0)
	return openapi3.Headers{"Retry-After": {Value: &openapi3.Header{Parameter: openapi3.Parameter{
		Description: description, Schema: b.schemaRef(wait), Example: 1,
	}}}}
}

// refusedOtherwise is any refusal that the document does not tell in full.
func refusedOtherwise(b *builder) *openapi3.Response {
	response := internalServerError(b)
	response.Description = new("Any other refusal, told by its `status`: the request is not well formed or has a wrong parameter (400); " +
		"its address, its body or a media type is not taken (406, 408, 413, 414, 415); its Idempotency-Key was used for another one (422); " +
		"the service failed (500), cannot do it for now (503), or refuses for a reason of its own.")
	response.Headers = b.retryAfter("After how many seconds to try again, where that would help.")
	return response
}

// refused is any other status that the user's functions refuse with.
func refused(b *builder) *openapi3.Response {
	return &openapi3.Response{
		Description: new("The service refuses for a reason of its own."),
		Content: openapi3.Content{problem.MediaType: {
			Schema:  b.schemaRef(b.fixed("Problem", problemSchema)),
			Example: map[string]any{"type": "about:blank", "title": http.StatusText(http.StatusBadRequest), "status": int64(http.StatusBadRequest)},
		}},
	}
}

// problem builds a response that is a problem (RFC 9457), with an example that has
// further members.
func (b *builder) problem(status int, description, detail string, members ...problem.Member) *openapi3.Response {
	response := refused(b)
	response.Description = &description
	example := map[string]any{"type": "about:blank", "title": http.StatusText(status), "status": int64(status)}
	if detail != "" {
		example["detail"] = detail
	}
	for _, member := range members {
		example[member.Name] = member.Value
	}
	response.Content[problem.MediaType].Example = example
	return response
}

// fixed returns a reference to a schema that every document has alike.
func (b *builder) fixed(name string, made func() *schema.Schema) *schema.Schema {
	return b.schemas.Fixed(name, made).Ref(schema.Schema{})
}
