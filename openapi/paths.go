package openapi

import (
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
)

// resource adds the documented operations of a resource, and its tag if it has any.
func (b *builder) resource(r *compiled.Resource) {
	documented := false
	for _, op := range collectionsFirst(r.Operations) {
		if op.Hidden {
			continue
		}
		documented = true
		item := b.doc.Paths.Value(op.Path())
		if item == nil {
			item = &openapi3.PathItem{}
			b.doc.Paths.Set(op.Path(), item)
			b.paths = append(b.paths, op.Path())
		}
		item.SetOperation(op.Method, b.operation(op))
		if op.OpenAPI != nil {
			b.changed = append(b.changed, op)
		}
	}
	if documented {
		b.doc.Tags = append(b.doc.Tags, &openapi3.Tag{Name: r.ShortName, Description: describeResource(r)})
	}
}

// collectionsFirst puts what is about the whole collection before what is about a record, as
// far as operations are listed as [operation.Standard] lists them. Who lists them otherwise
// means that order.
func collectionsFirst(declared []*compiled.Operation) []*compiled.Operation {
	list := slices.Clone(declared)
	usual := 0
	for usual < len(list) && (usual == 0 || list[usual-1].Kind <= list[usual].Kind) {
		usual++
	}
	slices.SortStableFunc(list[:usual], func(a, b *compiled.Operation) int {
		switch {
		case a.Item == b.Item:
			return 0
		case b.Item:
			return -1
		}
		return 1
	})
	return list
}

// change runs the operation's own function over what was built of it.
func (b *builder) change(op *compiled.Operation) error {
	change, ok := op.OpenAPI.(func(*openapi3.Operation))
	if !ok {
		return fmt.Errorf("operation %s: OpenAPI has the type %T of another package; allowed: %T", op.ID, op.OpenAPI, change)
	}
	built := b.doc.Paths.Value(op.Path()).GetOperation(op.Method)
	err := guard("the OpenAPI function of "+op.ID, func() { change(built) })
	for _, link := range b.linked[op] {
		link.OperationID = built.OperationID
	}
	return err
}

// operation builds one operation.
func (b *builder) operation(op *compiled.Operation) *openapi3.Operation {
	built := &openapi3.Operation{
		Tags:        []string{op.Resource.ShortName},
		Summary:     describe.Summary(op),
		Description: describe.Description(op),
		OperationID: op.ID,
		Parameters:  b.parameters(op),
		RequestBody: b.requestBody(op),
		Responses:   openapi3.NewResponsesWithCapacity(8),
		Security:    b.security(op),
		Deprecated:  !op.Lifecycle.Deprecated.IsZero(),
	}
	for _, a := range b.answers(op) {
		built.Responses.Set(a.status, a.response)
	}
	if op.OpenAPI == nil { // else its function changes what is its own
		b.shared.share(op, built)
	}
	return built
}
