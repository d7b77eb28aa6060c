package openapi

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// response is what a document tells of refusals.
type response struct {
	description string
	of          *schema.Schema // of the body; nil for none
	example     map[string]any
	headers     object
}

// refusals are those of one status that an operation has together: a status stands once in a
// document, so that one response tells of them all. Operations share it as a component.
type refusals struct {
	name     string // of the component
	of       []failure.Kind
	response func(*builder) response
	actedOn  func(*compiled.Operation) bool // told without Config.EveryStatus; nil for never
}

// All that is told of refusals. Which operations have which, package refusal says.
var told = []refusals{
	{"NotModified", []failure.Kind{failure.NotModified}, notModified, always},
	{"BadRequest", []failure.Kind{failure.BadRequest}, badRequest, hasParameters},
	{"Invalid", []failure.Kind{failure.BadRequest, failure.Invalid}, invalid, always},
	{"BadRequestOrTooMuchEmbedded", []failure.Kind{failure.BadRequest, failure.TooMuchEmbedded}, orTooMuch(badRequest), always},
	{"InvalidOrTooMuchEmbedded", []failure.Kind{failure.BadRequest, failure.Invalid, failure.TooMuchEmbedded}, orTooMuch(invalid), always},
	{"Unauthorized", []failure.Kind{failure.Unauthorized}, unauthorized, always},
	{"Forbidden", []failure.Kind{failure.Forbidden}, forbidden, always},
	{"NotFound", []failure.Kind{failure.NotFound}, plain(failure.NotFound, "There is no record with that identifier.", "record"), always},
	{"NotAcceptable", []failure.Kind{failure.NotAcceptable}, notAcceptable, nil},
	{"RequestTimeout", []failure.Kind{failure.Timeout}, plain(failure.Timeout, failure.Timeout.Detail()), nil},
	{"Conflict", []failure.Kind{failure.Taken, failure.Conflict}, conflict, always},
	{
		"PreconditionFailed",
		[]failure.Kind{failure.PreconditionFailed},
		plain(failure.PreconditionFailed, "The record is not in the state that the request is for."), takesCondition,
	},
	{"ContentTooLarge", []failure.Kind{failure.TooLarge, failure.TooDeep, failure.TooMany}, contentTooLarge, nil},
	{"URITooLong", []failure.Kind{failure.URITooLong}, uriTooLong, nil},
	{"UnsupportedMediaType", []failure.Kind{failure.UnsupportedMediaType}, unsupportedMediaType, nil},
	{"ValidationFailed", []failure.Kind{failure.Unprocessable}, validationFailed, always},
	{"ValidationFailedOrKeyUsed", []failure.Kind{failure.Unprocessable, failure.KeyReused}, validationFailedOrKeyUsed, always},
	{"KeyUsed", []failure.Kind{failure.KeyReused}, plain(failure.KeyReused, "The Idempotency-Key was used for another request."), nil},
	{
		"PreconditionRequired",
		[]failure.Kind{failure.PreconditionRequired},
		plain(failure.PreconditionRequired, "The request does not say which state of the record it is for."), always,
	},
	{"InternalServerError", []failure.Kind{failure.Internal}, internalServerError, nil},
	{"ServiceUnavailable", []failure.Kind{failure.Unavailable}, serviceUnavailable, nil},
	{"Refused", []failure.Kind{failure.Custom}, refused, nil},
}

func always(*compiled.Operation) bool { return true }

// hasParameters reports whether clients ask with parameters, which may be wrong.
func hasParameters(op *compiled.Operation) bool { return len(op.Parameters.List) > 0 }

// fits reports whether these are all refusals of their status that an operation has.
func (r *refusals) fits(can []failure.Kind) bool {
	var same []failure.Kind
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
func (b *builder) refusal(r *refusals) member {
	if !slices.ContainsFunc(b.responses, func(m member) bool { return m.name == r.name }) {
		made := r.response(b)
		b.responses = append(b.responses, member{r.name, object{
			{"description", made.description}, {"headers", unlessEmpty(made.headers)}, {"content", unlessEmpty(b.refusalContents(made))},
		}})
	}
	return member{r.status(), &object{{"$ref", "#/components/responses/" + r.name}}}
}

// refusalContents builds the body of refusals as a problem, and in the formats that tell refusals in their own way.
func (b *builder) refusalContents(made response) object {
	if made.of == nil {
		return nil
	}
	contents := object{{problem.MediaType, media(made.of, made.example)}}
	for _, f := range b.api.Formats {
		mediaType, _, err := mime.ParseMediaType(f.ErrorType)
		if f.ErrorSchema == nil || err != nil {
			continue
		}
		of, err := schema.Read(jsontext.Value(f.ErrorSchema))
		if err != nil {
			b.mistakes = append(b.mistakes, fmt.Errorf("format %s: RefusalSchema is no JSON Schema: %w", f.MediaType, err))
			continue
		}
		if f.SchemaName != "" {
			base := b.schemas.Fixed("Problem", problemSchema)
			of = b.schemas.Derived(&base.Definition, f.SchemaName, of).Ref(schema.Schema{})
		}
		contents = slices.DeleteFunc(contents, func(m member) bool { return m.name == mediaType })
		contents = append(contents, member{mediaType, media(of, errorIn(&f.Format, made.example))})
	}
	return contents
}

// problemOf tells of a problem (RFC 9457), with an example that has further members.
func (b *builder) problemOf(status int, description, detail string, members ...problem.Member) response {
	example := map[string]any{"type": "about:blank", "title": http.StatusText(status), "status": int64(status)}
	if detail != "" {
		example["detail"] = detail
	}
	for _, m := range members {
		example[m.Name] = m.Value
	}
	return response{description: description, of: b.fixed("Problem", problemSchema), example: example}
}

// as returns the response with another schema.
func (r response) as(of *schema.Schema) response {
	r.of = of
	return r
}

// plain tells of one refusal, with its own detail as the example.
func plain(r failure.Kind, description string, about ...any) func(*builder) response {
	return func(b *builder) response { return b.problemOf(r.Status(), description, r.Detail(about...)) }
}

// notModified is the one refusal without a body.
func notModified(*builder) response {
	return response{description: "The client has the answer already."}
}

const wrongRequest = " request is not well formed, or a parameter is not valid: `parameters` names each that is wrong, " +
	"and `allowed` all there are where one is not known."

func badRequest(b *builder) response {
	return b.problemOf(http.StatusBadRequest, "The"+wrongRequest, `Unknown parameter "colour".`,
		problem.Member{Name: "parameters", Value: []any{map[string]any{"name": "colour", "in": "query", "message": `Unknown parameter "colour"`}}},
		problem.Member{Name: "allowed", Value: []any{}}).as(b.fixed("ParameterProblem", parameterProblemSchema))
}

// invalid is 400 for two reasons, told apart by their type.
func invalid(b *builder) response {
	either := &schema.Schema{OneOf: []*schema.Schema{
		b.fixed("ValidationError", validationErrorSchema),
		b.fixed("ParameterProblem", parameterProblemSchema),
	}}
	return response{
		description: "A value is not valid: `errors` names each wrong field. Or the" + wrongRequest, of: either,
		example: map[string]any{
			"type": problem.ValidationType, "title": problem.ValidationTitle,
			"errors": map[string]any{"name": "name must not be blank"},
		},
	}
}

// orTooMuch adds the budget of embedded records to a response.
func orTooMuch(tell func(*builder) response) func(*builder) response {
	return func(b *builder) response {
		made := tell(b)
		made.description += fmt.Sprintf(" Or the response would embed more than %d records, or records of more than %d bytes: "+
			"request fewer expansions or a smaller page.", b.api.MaxEmbedded, b.api.MaxEmbeddedBytes)
		return made
	}
}

func notAcceptable(b *builder) response {
	return b.unsupported(http.StatusNotAcceptable, "None of the media types in Accept can be sent; `supported` lists those that can.",
		failure.NotAcceptable.Detail(format.JSON))
}

// unsupported tells of a problem that lists media types.
func (b *builder) unsupported(status int, description, detail string) response {
	return b.problemOf(status, description, detail, problem.Member{Name: "supported", Value: []any{format.JSON}}).
		as(b.fixed("MediaTypeProblem", mediaTypeProblemSchema))
}

// conflict is a problem with a member more, where a value is taken.
func conflict(b *builder) response {
	return b.problemOf(http.StatusConflict,
		"The change conflicts with another record, whose value in `field` must be unique, or with another change.",
		failure.Taken.Detail("name"), problem.Member{Name: "field", Value: "name"}).as(b.fixed("ConflictProblem", conflictSchema))
}

func contentTooLarge(b *builder) response {
	return b.problemOf(http.StatusRequestEntityTooLarge,
		fmt.Sprintf("The body is larger than the operation takes, %d bytes unless it says otherwise, is nested more than %d levels deep, "+
			"or has more than %d members and elements.", b.api.MaxBodyBytes, b.api.MaxBodyDepth, b.api.MaxBodyValues),
		failure.TooLarge.Detail(b.api.MaxBodyBytes))
}

func uriTooLong(b *builder) response {
	return b.problemOf(http.StatusRequestURITooLong, "The address of the request is too long.", failure.URITooLong.Detail(b.api.MaxURLBytes))
}

func unsupportedMediaType(b *builder) response {
	made := b.unsupported(http.StatusUnsupportedMediaType, "The body has a media type or coding that is not supported; `supported` lists those that are.",
		failure.UnsupportedMediaType.Detail(format.JSON))
	for _, name := range []string{"Accept-Patch", "Accept-Post"} {
		made.headers = append(made.headers, header(name, "The media types that the method takes.", nil, ""))
	}
	return made
}

func validationFailed(b *builder) response {
	return response{
		description: "A value is not valid: `violations` lists each rule that is broken.",
		of:          b.fixed("ValidationProblem", validationProblemSchema),
		example: map[string]any{
			"type": problem.ValidationType, "title": problem.ValidationTitle, "status": int64(validation.Problem.Status()),
			"violations": []any{map[string]any{"pointer": "/name", "code": "notblank", "message": "name must not be blank"}},
		},
	}
}

// validationFailedOrKeyUsed is 422 for two reasons, told apart by their type.
func validationFailedOrKeyUsed(b *builder) response {
	made := validationFailed(b)
	made.description += " Or the Idempotency-Key was used for another request."
	made.of = &schema.Schema{AnyOf: []*schema.Schema{made.of, b.fixed("Problem", problemSchema)}}
	return made
}

func internalServerError(b *builder) response {
	return b.problemOf(http.StatusInternalServerError,
		"The service failed. The cause is not told; `instance` names the incident to those who can look it up.", "",
		problem.Member{Name: "instance", Value: "urn:uuid:2f1c6f4e-7f0e-4b53-9a53-0c9d4b9f3a11"})
}

// serviceUnavailable is a store that cannot be reached, too much to do, or too little time.
func serviceUnavailable(b *builder) response {
	made := b.problemOf(http.StatusServiceUnavailable, failure.Unavailable.Detail(), failure.Unavailable.Detail())
	made.headers = object{count("Retry-After", "After how many seconds to try again.")}
	return made
}

// refusedOtherwise is any refusal that the document does not tell in full.
func refusedOtherwise(b *builder) response {
	made := internalServerError(b)
	made.description = "Any other refusal, told by its `status`: the request is not well formed or has a wrong parameter (400); " +
		"its address, its body or a media type is not taken (406, 408, 413, 414, 415); its Idempotency-Key was used for another one (422); " +
		"the service failed (500), cannot do it for now (503), or refuses for a reason of its own."
	made.headers = object{count("Retry-After", "After how many seconds to try again, where that would help.")}
	return made
}

// refused is any other status that the user's functions refuse with.
func refused(b *builder) response {
	return b.problemOf(http.StatusBadRequest, "The service refuses for a reason of its own.", "")
}

// authenticate is the field of the ways to sign in.
const authenticate = "WWW-Authenticate"

func unauthorized(b *builder) response {
	made := b.problemOf(http.StatusUnauthorized, "The request does not say who makes it, or with credentials that are not good.",
		failure.Unauthorized.Detail())
	challenge := header(authenticate, "How to say who asks: a challenge for each way there is (RFC 9110, section 11.6.1). "+
		"Of credentials that are not good the one of a token says `invalid_token` (RFC 6750).", challengeOf(b.api.Authentication), "")
	at := challenge.value.(*object)
	*at = append(*at, member{"required", true})
	made.headers = object{challenge}
	return made
}

// forbidden is a problem with a member more, where a member of the body may not be set.
func forbidden(b *builder) response {
	made := b.problemOf(http.StatusForbidden,
		"Whoever asks may not do this, or not with these values: `field` names a member that they may not set.",
		failure.Forbidden.Detail("set name"), problem.Member{Name: "field", Value: "name"}).as(b.fixed("ForbiddenProblem", forbiddenSchema))
	i := slices.IndexFunc(b.api.Authentication, func(s access.Scheme) bool { return s.Kind == "bearer" || hasScopes(s) })
	if i >= 0 {
		made.headers = object{header(authenticate,
			"Where a scope is missing: `insufficient_scope`, and the scope that would do (RFC 6750, section 3.1).",
			challengeOf(b.api.Authentication[i:])+`, error="insufficient_scope", scope="write"`, "")}
	}
	return made
}

// challengeOf returns an example of a challenge.
func challengeOf(schemes []access.Scheme) string {
	if len(schemes) == 0 {
		return ""
	}
	word, more := "Bearer", ""
	switch schemes[0].Kind {
	case "basic":
		word, more = "Basic", `, charset="UTF-8"`
	case "apikey":
		word = "ApiKey"
	case "token":
		word = schemes[0].Field
	case "cookie":
		word = "Cookie"
	}
	return word + ` realm="` + schemes[0].Name + `"` + more
}
