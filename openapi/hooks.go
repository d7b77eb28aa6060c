package openapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
)

// load reads a document into kin-openapi's types, with references resolved.
func load(text []byte) (*openapi3.T, error) {
	doc := &openapi3.T{}
	if err := doc.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("the document cannot be read: %w", err)
	}
	if err := resolve(doc); err != nil {
		return nil, err
	}
	return doc, nil
}

func resolve(doc *openapi3.T) error {
	if err := openapi3.NewLoader().ResolveRefsIn(doc, nil); err != nil {
		return fmt.Errorf("the document has an unresolved reference: %w", err)
	}
	return nil
}

// validate validates the document, except examples and defaults: rules have checked those of tags already, and
// kin-openapi checks values by OpenAPI 3.0 if a schema of 3.1 has references.
func validate(doc *openapi3.T) error {
	if err := resolve(doc); err != nil {
		return err
	}
	if err := doc.Validate(context.Background(), openapi3.DisableExamplesValidation(), openapi3.DisableSchemaDefaultsValidation()); err != nil {
		return fmt.Errorf("the document is invalid: %w", err)
	}
	return nil
}

// check reads and validates a document.
func check(text []byte) error {
	doc, err := load(text)
	if err != nil {
		return err
	}
	return validate(doc)
}

// guard runs a user's function and returns its panic as an error.
func guard(what string, run func()) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s panicked: %v", what, cause)
		}
	}()
	run()
	return nil
}

// hook runs the user's functions on a document and returns it with their changes. The rest is written as before, because
// kin-openapi's types do not preserve every number and empty list.
func (b *builder) hook(text []byte, o *order) ([]byte, error) {
	doc, err := load(text)
	if err != nil {
		return nil, err
	}
	before, err := contentOf(doc)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, r := range b.api.Resources {
		for _, op := range r.Operations {
			if change := b.config.Operations[op.ID]; change != nil {
				errs = append(errs, apply(change, doc, op))
			}
		}
	}
	if b.config.Customize != nil {
		errs = append(errs, guard("Customize", func() { b.config.Customize(doc) }))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	exemplify(doc)
	if err := validate(doc); err != nil {
		return nil, err
	}
	after, err := contentOf(doc)
	if err != nil {
		return nil, fmt.Errorf("writing the document: %w", err)
	}
	whole, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	return o.write(merge(whole, before, after))
}

// contentOf returns what kin-openapi writes for a document, with an empty list of security requirements, which it omits.
func contentOf(doc *openapi3.T) (any, error) {
	text, err := doc.MarshalJSON()
	if err != nil {
		return nil, err
	}
	content, err := readJSON(text)
	if root, ok := content.(map[string]any); ok && doc.Security != nil && len(doc.Security) == 0 {
		root["security"] = []any{}
	}
	return content, err
}

// merge applies the changes between two versions of a value, as kin-openapi writes them, to the complete value.
func merge(whole, before, after any) any {
	if reflect.DeepEqual(before, after) {
		return whole
	}
	switch after := after.(type) {
	case map[string]any:
		whole, _ := whole.(map[string]any)
		before, _ := before.(map[string]any)
		for name, value := range after {
			if had, has := before[name]; has {
				after[name] = merge(whole[name], had, value)
			}
		}
		for name, value := range whole {
			if _, known := before[name]; !known && after[name] == nil {
				after[name] = value
			}
		}
	case []any:
		whole, _ := whole.([]any)
		before, _ := before.([]any)
		for i := range min(len(whole), len(before), len(after)) {
			after[i] = merge(whole[i], before[i], after[i])
		}
	}
	return after
}

// apply runs the user's function for an operation.
func apply(change func(*openapi3.Operation), doc *openapi3.T, op *compiled.Operation) error {
	built := doc.Paths.Value(op.Path()).GetOperation(op.Method)
	err := guard("the function of "+op.ID, func() { change(built) })
	if built.OperationID != op.ID { // update links to it
		for _, response := range responsesOf(doc) {
			for _, link := range response.Links {
				if link.Value != nil && link.Value.OperationID == op.ID {
					link.Value.OperationID = built.OperationID
				}
			}
		}
	}
	return err
}

// responsesOf yields the responses of all operations, by status.
func responsesOf(doc *openapi3.T) func(yield func(status string, response *openapi3.Response) bool) {
	return func(yield func(string, *openapi3.Response) bool) {
		paths := doc.Paths.Map()
		for _, path := range slices.Sorted(maps.Keys(paths)) {
			if paths[path] == nil {
				continue
			}
			operations := paths[path].Operations()
			for _, method := range slices.Sorted(maps.Keys(operations)) {
				responses := operations[method].Responses.Map()
				for _, status := range slices.Sorted(maps.Keys(responses)) {
					if r := responses[status]; r != nil && r.Value != nil && !yield(status, r.Value) {
						return
					}
				}
			}
		}
	}
}

// problemRef refers to the schema of a problem, whose example does not fit every status.
const problemRef = placeOfSchemas + "Problem"

// exemplify adds examples to problems of users that have none. Otherwise tools make one from the schema, with "string"
// everywhere. It adds none that a user's schema does not allow.
func exemplify(doc *openapi3.T) {
	if resolve(doc) != nil || doc.Paths == nil {
		return // validation reports it
	}
	for status, response := range responsesOf(doc) {
		media := response.Content[problem.MediaType]
		if media == nil || media.Example != nil || len(media.Examples) > 0 {
			continue
		}
		code, err := strconv.Atoi(status)
		if err != nil {
			code = http.StatusInternalServerError
		}
		example := map[string]any{
			"type": "about:blank", "status": int64(code),
			"title": cmp.Or(http.StatusText(code), strconv.Itoa(code)),
		}
		if description := response.Description; description != nil && *description != "" {
			example["detail"] = *description
		}
		if of := media.Schema; of != nil && of.Value != nil {
			if of.Value.Example != nil || len(of.Value.Examples) > 0 && of.Ref != problemRef ||
				of.Value.VisitJSON(example, openapi3.EnableJSONSchema2020()) != nil {
				continue
			}
		}
		media.Example = example
	}
}
