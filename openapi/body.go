package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
)

// requestBody builds the body of an operation's requests, nil where it takes none.
func (b *builder) requestBody(op *compiled.Operation) *openapi3.RequestBodyRef {
	if !op.TakesBody() {
		return nil
	}
	content := openapi3.Content{}
	for i, mediaType := range op.MediaTypes {
		if op.Relationship != nil {
			content[mediaType] = b.relationshipBody(op, &op.Readers[i].Format)
			continue
		}
		if f := &op.Readers[i].Format; !f.JSON {
			content[mediaType] = b.contentIn(f, b.schemas.BodySchema(op, ""), false)
			continue
		}
		media := &openapi3.MediaType{Schema: b.schemaRef(b.schemas.BodySchema(op, formatOfBody(op)))}
		media.Example = b.schemas.BodyExample(op)
		content[mediaType] = media
	}
	return &openapi3.RequestBodyRef{Value: &openapi3.RequestBody{Required: true, Content: content}}
}

// formatOfBody marks the body of a Put that creates what is missing: it may then need
// more than where something is changed.
func formatOfBody(op *compiled.Operation) string {
	if op.AllowCreate && len(describe.Needs(op)) > 0 {
		return describe.FormatMerged
	}
	return ""
}
