package openapi

import (
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/refusal"
	"github.com/trove-api/trove/internal/schema"
)

// tags is what If-Match and If-None-Match can be (RFC 9110, section 8.8.3).
const (
	onePattern  = `(W/)?"[!#-~]*"`
	tagsPattern = `^(\*|` + onePattern + `([ \t]*,[ \t]*` + onePattern + `)*)$`
)

// conditionParameters are the fields that make a request conditional: a reader's, to be
// spared what it has, and a writer's, to change only what it has seen.
func (b *builder) conditionParameters(op *compiled.Operation) openapi3.Parameters {
	switch {
	case takesCondition(op):
		p := b.tagsParameter("If-Match", "Changes the record only if it is still in the state that had one of these entity tags, "+
			"as ETag of any of its answers told; else the answer is 412.")
		if op.RequirePrecondition {
			p.Description += " Without it the answer is 428. `*` changes whatever is there."
			p.Required, p.Example = true, "*"
		}
		return openapi3.Parameters{{Value: p}}
	case op.Reads && op.Answers():
		return openapi3.Parameters{{Value: b.tagsParameter("If-None-Match",
			"The ETag of an answer that the client has. If it is still the answer, 304 is sent in its place.")}}
	}
	return nil
}

// takesCondition reports whether clients say which state of a record a change is for.
func takesCondition(op *compiled.Operation) bool { return op.Item && op.Saves }

func (b *builder) tagsParameter(name, description string) *openapi3.Parameter {
	p := openapi3.NewHeaderParameter(name)
	p.Description = description
	of := schema.Typed(schema.String)
	of.Pattern = tagsPattern
	of.Format = "entity-tags" // whether one is that of the record, no schema says
	p.Schema = b.schemaRef(of)
	return p
}

// validatorHeaders are the fields that tell one state of an answer from another.
func (b *builder) validatorHeaders(op *compiled.Operation) openapi3.Headers {
	headers := openapi3.Headers{}
	if !op.Answers() || op.Custom && !op.Reads {
		return headers
	}
	headers["ETag"] = b.header("The entity tag of the answer, for If-None-Match and If-Match. A stream has none.", `"a1b2c3"`, "")
	if op.Shows && op.Resource.Struct.Modified != nil {
		headers["Last-Modified"] = b.header("When the record was changed last.", "Fri, 02 Jan 2026 15:04:05 GMT", "http-date")
	}
	return headers
}

// header builds a field of an answer.
func (b *builder) header(description string, example any, format string) *openapi3.HeaderRef {
	of := schema.Typed(schema.String)
	of.Format = format
	return &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{
		Description: description, Schema: b.schemaRef(of), Example: example,
	}}}
}

// notModified is the one refusal without a body.
func notModified(*builder) *openapi3.Response {
	return &openapi3.Response{Description: new("The client has the answer already.")}
}

func preconditionFailed(b *builder) *openapi3.Response {
	return b.problem(http.StatusPreconditionFailed, "The record is not in the state that the request is for.",
		refusal.PreconditionFailed.Says())
}

func preconditionRequired(b *builder) *openapi3.Response {
	return b.problem(http.StatusPreconditionRequired, "The request does not say which state of the record it is for.",
		refusal.PreconditionRequired.Says())
}
