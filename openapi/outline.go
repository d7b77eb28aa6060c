package openapi

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
)

// isOwn reports whether the library alone decides what is in the document, so that its
// outline says whether it is valid. Else functions or schemas of the user's are in it, or
// two schemas may want one name, which shows when it is built.
func (b *builder) isOwn() bool {
	for _, rule := range b.api.Rules {
		if rule.Schema != nil {
			return false
		}
	}
	for _, r := range b.api.Resources {
		if slices.ContainsFunc(r.Operations, func(op *compiled.Operation) bool { return op.OpenAPI != nil }) {
			return false
		}
	}
	_, apart := possibleNames(b.api)
	return b.customize == nil && apart
}

// outline returns the document as far as it depends on more than types and rules: the
// config, and names and paths of the user's own.
func (b *builder) outline() *openapi3.T {
	outline := &openapi3.T{
		OpenAPI:    b.doc.OpenAPI,
		Info:       b.doc.Info,
		Servers:    b.doc.Servers,
		Paths:      openapi3.NewPaths(),
		Components: &openapi3.Components{Schemas: openapi3.Schemas{}},
	}
	names, _ := possibleNames(b.api)
	for name := range names {
		outline.Components.Schemas[name] = openapi3.NewSchemaRef("", &openapi3.Schema{})
	}
	for _, r := range b.api.Resources {
		for _, op := range r.Operations {
			if !op.Hidden {
				outline.AddOperation(op.Path(), op.Method, outlineOperation(op))
			}
		}
	}
	return outline
}

func outlineOperation(op *compiled.Operation) *openapi3.Operation {
	outline := &openapi3.Operation{OperationID: op.ID, Responses: openapi3.NewResponsesWithCapacity(1)}
	outline.Responses.Set("default", &openapi3.ResponseRef{Value: &openapi3.Response{Description: new("")}})
	add := func(p *openapi3.Parameter) {
		outline.Parameters = append(outline.Parameters, &openapi3.ParameterRef{Value: p.WithSchema(&openapi3.Schema{})})
	}
	for _, name := range op.Template.Variables() {
		add(openapi3.NewPathParameter(name))
	}
	for _, p := range op.Parameters.List {
		if p.Header {
			add(openapi3.NewHeaderParameter(p.Name))
		} else {
			add(openapi3.NewQueryParameter(p.Name))
		}
	}
	return outline
}
