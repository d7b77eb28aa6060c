package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/parameters"
)

// pageHeaders are the header fields of a page.
func pageHeaders(op *compiled.Operation) openapi3.Headers {
	link := &openapi3.Header{Parameter: openapi3.Parameter{
		Description: "The addresses of the first, previous, next and last page, as far as there are any (RFC 8288). A stream has none.",
		Schema:      openapi3.NewSchemaRef("", typed(openapi3.TypeString)),
		Example:     "<" + op.Path() + `?page=1>; rel="first", <` + op.Path() + `?page=2>; rel="next"`,
	}}
	count := typed(openapi3.TypeInteger)
	count.Min = new(0.0)
	total := &openapi3.Header{Parameter: openapi3.Parameter{
		Description: "How many there are on all pages. Pages by cursor, partial pages and streams have none.",
		Schema:      openapi3.NewSchemaRef("", count),
		Example:     1,
	}}
	return openapi3.Headers{"Link": {Value: link}, "X-Total-Count": {Value: total}}
}

// streamContent builds the body of a stream. OpenAPI 3.1 has no words for its lines but
// these.
func streamContent(op *compiled.Operation, example any) *openapi3.MediaType {
	schema := stringSchema("One " + phrase(op.Resource.ShortName) + " as JSON on each line: all that the filters let pass, without pages. " +
		"Where the service fails on the way it breaks the answer off.")
	media := &openapi3.MediaType{Schema: openapi3.NewSchemaRef("", schema)}
	if items, ok := example.([]any); ok && len(items) > 0 {
		if line, err := json.Marshal(items[0], json.Deterministic(true)); err == nil {
			media.Example = string(line) + "\n"
		}
	}
	return media
}

// isSparse reports whether clients choose the members of an operation's answers.
func isSparse(op *compiled.Operation) bool {
	for _, p := range op.Parameters.List {
		if p.Kind == parameters.Fields {
			return true
		}
	}
	return false
}
