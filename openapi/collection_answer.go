package openapi

import (
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
)

// pageHeaders are the header fields of a page, those that the collection ever has.
func (b *builder) pageHeaders(op *compiled.Operation) openapi3.Headers {
	byNumber, byCursor := op.HasParameter(parameters.Page), op.HasParameter(parameters.Cursor)
	headers := openapi3.Headers{}
	if byNumber || byCursor {
		headers["Link"] = b.linkHeader(op, byNumber)
	}
	if byNumber || !byCursor || op.HasParameter(parameters.Pagination) {
		headers["X-Total-Count"] = &openapi3.HeaderRef{Value: b.totalHeader()}
	}
	return headers
}

func (b *builder) linkHeader(op *compiled.Operation, byNumber bool) *openapi3.HeaderRef {
	example := "<" + op.Path() + `>; rel="first"`
	if byNumber {
		example = "<" + op.Path() + `?page=1>; rel="first", <` + op.Path() + `?page=2>; rel="next"`
	}
	return b.header("The addresses of the first, previous, next and last page, as far as there are any (RFC 8288). "+
		"A stream has none, nor has the whole collection.", example, "")
}

func (b *builder) totalHeader() *openapi3.Header {
	count := schema.Typed(schema.Integer)
	count.Min = schema.Int(0)
	return &openapi3.Header{Parameter: openapi3.Parameter{
		Description: "How many there are on all pages. Pages by cursor, partial pages and streams have none.",
		Schema:      b.schemaRef(count),
		Example:     1,
	}}
}

// streamContent builds the body of a stream. OpenAPI 3.1 has no words for its lines but
// these.
func (b *builder) streamContent(op *compiled.Operation, example any) *openapi3.MediaType {
	all := "all that the filters let pass, without pages"
	if op.HasParameter(parameters.Cursor) {
		all += "; those behind the cursor, if one is given"
	}
	of := stringSchema("One " + naming.Phrase(op.Resource.ShortName) + " as JSON on each line: " + all + ". " +
		"An answer that breaks off means that the service failed on the way.")
	media := &openapi3.MediaType{Schema: b.schemaRef(of)}
	items, ok := example.([]any)
	if !ok || len(items) == 0 {
		return media
	}
	if record, ok := items[0].(map[string]any); ok {
		media.Example = b.lines(op.Resource.Struct, record)
	}
	return media
}

// lines writes an example of a stream: a record, and a second one where another
// identifier can be made.
func (b *builder) lines(of *model.Struct, record map[string]any) string {
	text, id := line(of, record), of.IDs[len(of.IDs)-1]
	if id.Reference != nil { // to another record, which examples have one of
		return text
	}
	other, ok := b.schemas.Second(id, record[id.Name])
	if !ok {
		return text
	}
	second := maps.Clone(record)
	second[id.Name] = other
	return text + line(of, second)
}

// line writes a record as the service does, its members in the order of its fields.
func line(of *model.Struct, record map[string]any) string {
	b := []byte{'{'}
	for _, f := range append(slices.Clip(of.Fields), of.Inverses...) {
		value, has := record[f.Name]
		text, err := json.Marshal(value, json.Deterministic(true))
		if !has || err != nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, f.Name)
		b = append(append(b, ':'), text...)
	}
	return string(b) + "}\n"
}
