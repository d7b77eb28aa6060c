package openapi

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/validation"
)

// response is what a document says about an error.
type response struct {
	description string
	of          *schema.Schema       // of the body; nil for none
	example     format.ErrorResponse // as the service sends it
	headers     object
}

// documentedError is the response for all errors with the same status that an operation can return, because a document has
// one response for each status. Operations share it as a component.
type documentedError struct {
	name     string       // of the component
	kind     problem.Kind // one of those with the status
	can      func(*compiled.Operation) bool
	response func(*builder) response
}

// documentedErrors are the responses with errors that clients handle. An operation can return at most one for each status.
// All other errors share the default response.
var documentedErrors = []documentedError{
	{
		"NotModified", problem.NotModified, func(op *compiled.Operation) bool { return op.Reads && op.HasResponseBody() },
		func(*builder) response { return response{description: "Not modified: the client's copy is current."} }, // the only one without a body
	},
	{
		"BadRequest", problem.BadRequest,
		func(op *compiled.Operation) bool { return rejectsBody(false, false)(op) && len(op.Parameters.List) > 0 }, badRequest,
	},
	{"Invalid", problem.Invalid, rejectsBody(true, false), invalid},
	{"BadRequestOrTooMuchEmbedded", problem.BadRequest, rejectsBody(false, true), orTooMuch(badRequest)},
	{"InvalidOrTooMuchEmbedded", problem.Invalid, rejectsBody(true, true), orTooMuch(invalid)},
	{"Unauthorized", problem.Unauthorized, authenticates, unauthorized},
	{"Forbidden", problem.Forbidden, forbids, forbidden},
	{
		"NotFound", problem.NotFound, func(op *compiled.Operation) bool { return op.Item || len(op.Parents) > 0 },
		plain(problem.NotFound, "Record not found.", "record"),
	},
	{"Conflict", problem.Conflict, func(op *compiled.Operation) bool { return !op.Reads && !hasConstraints(op) }, conflict},
	{"ConstraintConflict", problem.Conflict, func(op *compiled.Operation) bool { return !op.Reads && hasConstraints(op) }, constraintConflict},
	{
		"PreconditionFailed", problem.PreconditionFailed, takesCondition,
		plain(problem.PreconditionFailed, "The record has changed since the version in If-Match."),
	},
	{"ValidationFailed", problem.Unprocessable, cannotProcess(false), validationFailed},
	{"ValidationFailedOrKeyUsed", problem.Unprocessable, cannotProcess(true), validationFailedOrKeyUsed},
	{
		"PreconditionRequired", problem.PreconditionRequired, func(op *compiled.Operation) bool { return op.RequirePrecondition },
		plain(problem.PreconditionRequired, "If-Match is missing."),
	},
}

// hasConstraints reports whether an operation can save a record that breaks a constraint with another one.
func hasConstraints(op *compiled.Operation) bool {
	breaks := func(op *compiled.Operation) bool { return op != nil && brokenIn(op.Resource) != nil }
	return (op.Saves || op.Restores) && breaks(op) || breaks(op.Element) ||
		slices.ContainsFunc(op.Nested, func(n *compiled.Nested) bool { return breaks(n.Create) })
}

// brokenIn returns the first constraint of a resource that a record can break, or nil.
func brokenIn(r *compiled.Resource) *model.RecordConstraint {
	for _, c := range r.Struct.Constraints {
		if !c.IsIndex() {
			return c
		}
	}
	return nil
}

// rejectsBody returns a function that reports whether the reasons for a 400 are these: invalid values, and too many
// embedded records.
func rejectsBody(isInvalid, embeds bool) func(*compiled.Operation) bool {
	return func(op *compiled.Operation) bool {
		return validates(op, validation.Map) == isInvalid && (op.Expansions != nil) == embeds
	}
}

// cannotProcess returns a function that reports whether invalid values are a reason for a 422, with or without an
// Idempotency-Key of another request.
func cannotProcess(hasKey bool) func(*compiled.Operation) bool {
	return func(op *compiled.Operation) bool {
		return validates(op, validation.Problem) && (op.Idempotency > 0) == hasKey
	}
}

// validates reports whether the operation returns validation errors of a shape: for its body, for what a membership
// or an operation.Set changes, or from the user's functions.
func validates(op *compiled.Operation, shape validation.Shape) bool {
	return op.Resource.Errors == shape && (op.TakesBody() || op.Membership != nil || op.Sets != nil || op.Hooked)
}

// authenticates reports whether an operation can return 401. In an API with schemes, every operation rejects bad
// credentials, unless it ignores them.
func authenticates(op *compiled.Operation) bool {
	return len(op.API.Authentication) > 0 && !op.Anonymous
}

// forbids reports whether an operation can return 403. A hidden record returns 404, so reading one record returns 403
// only in an API without schemes.
func forbids(op *compiled.Operation) bool {
	if op.TakesDeleted() && op.Resource.Deleted != nil {
		return true
	}
	if op.Reads && op.Item {
		return (!compiled.IsOpen(op.Access) || op.HasGuardedParents()) && !authenticates(op)
	}
	return !compiled.IsOpen(op.Access) || op.HasGuardedParents() && !authenticates(op) || !op.Reads && (writesByRule(op) || checksOrigin(op))
}

// writesByRule reports whether some callers cannot write all fields of an operation's body, or all of its records.
func writesByRule(op *compiled.Operation) bool {
	if op.HasElementRules() {
		return true
	}
	for _, rules := range op.Resource.Members {
		if !compiled.IsOpen(rules.Write) && op.Saves {
			return true
		}
	}
	return false
}

// checksOrigin reports whether requests from other origins are rejected: with a cookie, or a POST with Basic credentials.
func checksOrigin(op *compiled.Operation) bool {
	return slices.ContainsFunc(op.API.Authentication, func(s access.Scheme) bool {
		return s.Kind == "cookie" || s.Kind == "basic" && op.Method == http.MethodPost && !op.Anonymous
	})
}

// errorOf builds an error of an operation. Most are components, but the condition of an operation is its own.
func (b *builder) errorOf(op *compiled.Operation, e *documentedError) member {
	of := op.Conditional()
	if of == nil || e.kind != problem.Conflict {
		return b.errorResponse(e)
	}
	place := ""
	if op.In != nil && op.In.Each != nil && of != op {
		place = "[0]"
	}
	detail, other := of.Unmet(place, nil), e.response(b)
	made := b.problemOf(http.StatusConflict, detail+" Or a c"+other.description[1:], detail).as(other.of)
	return member{strconv.Itoa(http.StatusConflict), &object{{"description", made.description}, {"content", unlessEmpty(b.errorContents(made))}}}
}

// errorResponse returns a reference to the error's component, which is made on first use.
func (b *builder) errorResponse(e *documentedError) member {
	if !slices.ContainsFunc(b.responses, func(m member) bool { return m.name == e.name }) {
		made := e.response(b)
		b.responses = append(b.responses, member{e.name, object{
			{"description", made.description}, {"headers", unlessEmpty(made.headers)}, {"content", unlessEmpty(b.errorContents(made))},
		}})
	}
	status := "default"
	if e.kind.Status() != 0 {
		status = strconv.Itoa(e.kind.Status())
	}
	return member{status, &object{{"$ref", "#/components/responses/" + e.name}}}
}

// errorContents builds the body of an error as a problem, and in the formats that have their own form.
func (b *builder) errorContents(made response) object {
	if made.of == nil {
		return nil
	}
	example, _ := readJSON(made.example.JSON) // was written as JSON
	contents := object{{problem.MediaType, media(made.of, example)}}
	for _, f := range b.api.Formats {
		mediaType, _, err := mime.ParseMediaType(f.ErrorType)
		if f.ErrorSchema == nil || err != nil {
			continue
		}
		of, err := schema.Read(f.ErrorSchema)
		if err != nil {
			b.mistakes = append(b.mistakes, fmt.Errorf("format %s: ErrorSchema is not a JSON Schema: %w", f.MediaType, err))
			continue
		}
		if f.SchemaName != "" {
			base := b.schemas.Fixed("Problem", errorSchemas["Problem"])
			of = b.schemas.Derived(&base.Definition, f.SchemaName, of).Ref(schema.Schema{})
		}
		contents = slices.DeleteFunc(contents, func(m member) bool { return m.name == mediaType })
		contents = append(contents, member{mediaType, media(of, errorIn(&f.Format, made.example, example))})
	}
	return contents
}

// problemOf builds a problem (RFC 9457), with an example that has additional fields.
func (b *builder) problemOf(status int, description, detail string, members ...problem.Field) response {
	return exampleOf(problem.New(status, detail, members...), description, b.fixed("Problem"))
}

// exampleOf returns the response of a problem.
func exampleOf(p *problem.Problem, description string, of *schema.Schema) response {
	example := format.ErrorResponse{Status: p.Status, JSON: p.Append(nil)}
	p.Describe(&example)
	return response{description: description, of: of, example: example}
}

// oneViolation is the example of a body with an invalid field.
func oneViolation(shape validation.Shape) format.ErrorResponse {
	found := &model.Report{Violations: []model.Violation{{Violation: validation.Violation{Field: "name", Code: "notblank", Message: "name must not be blank"}}}}
	example := format.ErrorResponse{Status: shape.Status(), JSON: problem.AppendViolations(nil, shape, found)}
	problem.DescribeViolations(&example, found)
	return example
}

// as returns the response with another schema.
func (r response) as(of *schema.Schema) response {
	r.of = of
	return r
}

// plain returns a function that builds the response of one error, with its usual detail in the example.
func plain(kind problem.Kind, description string, args ...any) func(*builder) response {
	return func(b *builder) response { return b.problemOf(kind.Status(), description, kind.Detail(args...)) }
}

func badRequest(b *builder) response {
	return b.problemOf(http.StatusBadRequest, "Malformed request or invalid parameter; see `parameters` and `allowed`.", `Unknown parameter "colour".`,
		problem.Field{Name: "parameters", Value: []any{map[string]any{"name": "colour", "in": "query", "message": `Unknown parameter "colour"`}}},
		problem.Field{Name: "allowed", Value: []any{}}).as(b.fixed("ParameterProblem"))
}

// invalid is 400 for two reasons, which differ in their type.
func invalid(b *builder) response {
	either := &schema.Schema{OneOf: []*schema.Schema{
		b.fixed("ValidationError"),
		b.fixed("ParameterProblem"),
	}}
	return response{
		description: "Invalid fields; see `errors`. Or malformed request or invalid parameter; see `parameters` and `allowed`.",
		of:          either, example: oneViolation(validation.Map),
	}
}

// orTooMuch adds the limits of embedded records to a response.
func orTooMuch(of func(*builder) response) func(*builder) response {
	return func(b *builder) response {
		made := of(b)
		made.description += fmt.Sprintf(" Or more than %d embedded records, or %d bytes of them: request fewer expansions or a smaller page.",
			b.api.MaxEmbedded, b.api.MaxEmbeddedBytes)
		return made
	}
}

// conflict has an additional field if a value must be unique.
func conflict(b *builder) response {
	return b.problemOf(http.StatusConflict, conflicts, problem.Taken.Detail("name"), problem.Field{Name: "field", Value: "name"}).as(b.fixed("ConflictProblem"))
}

// conflicts describes a conflict of a resource without constraints.
const conflicts = "Conflict with another record, a concurrent change or a rule of the database. `field` names a field whose value is already in use."

// constraintConflict is the conflict of resources with constraints. The example is the first of them.
func constraintConflict(b *builder) response {
	for _, r := range b.api.Resources {
		if c := brokenIn(r); c != nil {
			const description = conflicts + " `fields` names fields whose values together conflict with another record."
			return b.problemOf(http.StatusConflict, description, c.Broken.Message, problem.Field{Name: "fields", Value: c.Broken.Fields}).
				as(b.fixed("ConstraintProblem"))
		}
	}
	return conflict(b) // no resource has constraints
}

func validationFailed(b *builder) response {
	return response{
		description: "Invalid fields; see `violations`.", of: b.fixed("ValidationProblem"),
		example: oneViolation(validation.Problem),
	}
}

// validationFailedOrKeyUsed is 422 for two reasons, which differ in their type.
func validationFailedOrKeyUsed(b *builder) response {
	made := validationFailed(b)
	made.description += " Or the Idempotency-Key was used for another request."
	made.of = &schema.Schema{AnyOf: []*schema.Schema{made.of, b.fixed("Problem")}}
	return made
}

// otherError is the response for all errors that the document does not list.
func otherError(b *builder) response {
	p := &problem.Problem{Status: http.StatusInternalServerError, Incident: "2f1c6f4e-7f0e-4b53-9a53-0c9d4b9f3a11"}
	made := exampleOf(p, "Any other error; see `status`.", b.fixed("Problem"))
	made.headers = object{count("Retry-After", "Seconds to wait before the next attempt.")}
	return made
}

// authenticate is the header field with challenges.
const authenticate = "WWW-Authenticate"

func unauthorized(b *builder) response {
	made := b.problemOf(http.StatusUnauthorized, "Missing or invalid credentials.", problem.Unauthorized.Detail())
	made.headers = object{requiredHeader(authenticate, "A challenge for each scheme (RFC 9110, section 11.6.1). "+
		"For an invalid token it contains `invalid_token` (RFC 6750).", challengeOf(b.api.Authentication), "")}
	return made
}

// forbidden has an additional field if a field of the body cannot be set.
func forbidden(b *builder) response {
	made := b.problemOf(http.StatusForbidden, "Permission denied. `field` names a field that the caller cannot set.", problem.Forbidden.Detail("set name"),
		problem.Field{Name: "field", Value: "name"}).as(b.fixed("ForbiddenProblem"))
	i := slices.IndexFunc(b.api.Authentication, func(s access.Scheme) bool { return s.Kind == "bearer" || hasScopes(s) })
	if i >= 0 {
		made.headers = object{header(authenticate, "If a scope is missing: `insufficient_scope` and the required scope (RFC 6750, section 3.1).",
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
