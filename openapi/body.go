package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

// requestBody builds the body of an operation's requests, nil where it takes none.
func (b *builder) requestBody(op *compiled.Operation) *openapi3.RequestBodyRef {
	if !op.TakesBody() {
		return nil
	}
	body := b.bodyOf(op)
	content := openapi3.Content{}
	for _, mediaType := range op.MediaTypes() {
		media := &openapi3.MediaType{Schema: body.ref(&openapi3.Schema{Format: formatOfBody(op)})}
		media.Example = b.requestExample(op, body)
		content[mediaType] = media
	}
	return &openapi3.RequestBodyRef{Value: &openapi3.RequestBody{Required: true, Content: content}}
}

// formatOfBody marks the body of a Put that creates what is missing: it may then need
// more than where something is changed.
func formatOfBody(op *compiled.Operation) string {
	if op.AllowCreate && describeNeeds(op) != "" {
		return formatMerged
	}
	return ""
}

// bodyOf returns the definition of an operation's body.
func (b *builder) bodyOf(op *compiled.Operation) *definition {
	if op.Handler != nil {
		body := b.schemas.structure(op.In.Type.Struct, created, capital(op.ID)+"Request")
		body.isBody = true
		return body
	}
	return b.schemas.structure(op.Resource.Struct, bodyRole(op), "")
}

// bodyRole returns what the body of an operation without a handler is. A Put that
// updates is a merge patch under another media type.
func bodyRole(op *compiled.Operation) role {
	switch {
	case op.Kind == operation.KindPost && needsLessBelow(op):
		return below
	case op.Kind == operation.KindPost:
		return created
	case op.Replace && op.AllowCreate:
		return placed
	case op.Replace:
		return replaced
	}
	return patched
}

// requestExample makes an example of the body: a Patch changes one member, all others
// show every member. Nil where none could be made that the service takes.
func (b *builder) requestExample(op *compiled.Operation, body *definition) any {
	if op.Kind == operation.KindPatch && op.Handler == nil {
		return body.smallExample()
	}
	records, checker := op.Resource.Codec, op.Resource.Checker
	if op.Handler != nil {
		records, checker = op.In.Codec, op.In.Checker
	}
	example, ok := body.example(nil)
	if object, isObject := example.(map[string]any); ok && isObject && body.mend(object, records, checker) {
		return example
	}
	return nil
}
