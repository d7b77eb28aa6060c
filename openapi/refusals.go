package openapi

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// refusal is an answer to what is not done, which operations share as a component.
type refusal struct {
	status   string
	name     string // of the component
	when     func(*compiled.Operation) bool
	response func(*builder) *openapi3.Response
	actedOn  func(*compiled.Operation) bool // told without Config.EveryStatus; nil for never
}

// refusal returns a reference to the refusal's component, which the first use makes.
func (b *builder) refusal(r refusal) *openapi3.ResponseRef {
	if b.doc.Components.Responses[r.name] == nil {
		b.doc.Components.Responses[r.name] = &openapi3.ResponseRef{Value: r.response(b)}
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

func notFound(b *builder) *openapi3.Response {
	return b.problem(http.StatusNotFound, "There is no record with that identifier.", "There is no such record.")
}

func notAcceptable(b *builder) *openapi3.Response {
	return b.unsupported(http.StatusNotAcceptable, "None of the media types in Accept can be sent; `supported` lists those that can.",
		"None of the media types in Accept can be sent; supported: "+format.JSON+".")
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
		"name is taken already by another record.", problem.Member{Name: "field", Value: "name"})
	response.Content[problem.MediaType].Schema = b.schemaRef(b.fixed("ConflictProblem", conflictSchema))
	return response
}

func contentTooLarge(b *builder) *openapi3.Response {
	limit := strconv.FormatInt(b.api.MaxBodyBytes, 10)
	return b.problem(http.StatusRequestEntityTooLarge,
		fmt.Sprintf("The body is larger than the operation takes, %s bytes unless it says otherwise, is nested more than %d levels deep, "+
			"or has more than %d members and elements.", limit, b.api.MaxBodyDepth, b.api.MaxBodyMembers),
		"The body must not be larger than "+limit+" bytes.")
}

func uriTooLong(b *builder) *openapi3.Response {
	detail := fmt.Sprintf("The path and the query must not have more than %d bytes.", b.api.MaxURLBytes)
	return b.problem(http.StatusRequestURITooLong, "The address of the request is too long.", detail)
}

func unsupportedMediaType(b *builder) *openapi3.Response {
	response := b.unsupported(http.StatusUnsupportedMediaType, "The body has a media type or coding that is not supported; `supported` lists those that are.",
		"The body's Content-Type must be "+format.JSON+", in UTF-8.")
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
	return b.problem(http.StatusRequestTimeout, "The body did not arrive in time.", "The body did not arrive in time.")
}

func internalServerError(b *builder) *openapi3.Response {
	return b.problem(http.StatusInternalServerError,
		"The service failed. The cause is not told; `instance` names the incident to those who can look it up.", "",
		problem.Member{Name: "instance", Value: "urn:uuid:2f1c6f4e-7f0e-4b53-9a53-0c9d4b9f3a11"})
}

// serviceUnavailable is a store that cannot be reached, too much to do, or too little time.
func serviceUnavailable(b *builder) *openapi3.Response {
	response := b.problem(http.StatusServiceUnavailable, "The records cannot be reached for now.", "The records cannot be reached for now.")
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
		Content:     openapi3.Content{problem.MediaType: {Schema: b.schemaRef(b.fixed("Problem", problemSchema))}},
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
