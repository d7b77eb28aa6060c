package openapi

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/getkin/kin-openapi/openapi3"
)

// load reads a document into kin-openapi's types, with references resolved.
func load(text []byte) (*openapi3.T, error) {
	doc := &openapi3.T{}
	if err := doc.UnmarshalJSON(text); err != nil {
		return nil, fmt.Errorf("the document cannot be read: %w", err)
	}
	if err := openapi3.NewLoader().ResolveRefsIn(doc, nil); err != nil {
		return nil, fmt.Errorf("the document has an unresolved reference: %w", err)
	}
	return doc, nil
}

// check reads and validates a document, except examples and defaults: rules have checked those of tags already, and
// kin-openapi checks values by OpenAPI 3.0 if a schema of 3.1 has references.
func check(text []byte) error {
	doc, err := load(text)
	if err != nil {
		return err
	}
	if err := doc.Validate(context.Background(), openapi3.DisableExamplesValidation(), openapi3.DisableSchemaDefaultsValidation()); err != nil {
		return fmt.Errorf("the document is invalid: %w", err)
	}
	return nil
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
func (b *builder) hook(text []byte) ([]byte, error) {
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
				built := doc.Paths.Value(op.Path()).GetOperation(op.Method)
				errs = append(errs, guard("the function of "+op.ID, func() {
					change(built)
					renameLinks(doc, op.ID, built.OperationID)
				}))
			}
		}
	}
	if b.config.Customize != nil {
		errs = append(errs, guard("Customize", func() { b.config.Customize(doc) }))
	}
	if err := errors.Join(errs...); err != nil {
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
	if text, err = write(merge(whole, before, after), nil); err == nil {
		err = check(text)
	}
	return text, err
}

// renameLinks updates the links to an operation whose id has changed.
func renameLinks(doc *openapi3.T, before, now string) {
	for _, path := range doc.Paths.Map() {
		for _, op := range path.Operations() {
			for _, response := range op.Responses.Map() {
				if response.Value == nil { // a reference that a function has added
					continue
				}
				for _, link := range response.Value.Links {
					if link.Value != nil && link.Value.OperationID == before {
						link.Value.OperationID = now
					}
				}
			}
		}
	}
}

// contentOf returns what kin-openapi writes for a document.
func contentOf(doc *openapi3.T) (any, error) {
	text, err := doc.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return readJSON(text)
}

// merge applies the changes between two versions of a value, as kin-openapi writes them, to the complete value.
func merge(whole, before, after any) any {
	if reflect.DeepEqual(before, after) {
		return whole
	}
	switch after := after.(type) {
	case *node:
		whole, _ := whole.(*node)
		before, _ := before.(*node)
		merged := &node{}
		if whole != nil {
			for _, m := range whole.fields {
				value, kept := after.find(m.name)
				old, known := before.find(m.name)
				switch {
				case kept && known:
					m.value = merge(m.value, old, value)
				case kept:
					m.value = value
				case known: // and removed
					continue
				}
				merged.fields = append(merged.fields, m)
			}
		}
		for _, m := range after.fields {
			if _, had := whole.find(m.name); !had {
				merged.set(m.name, m.value)
			}
		}
		return merged
	case []any:
		whole, _ := whole.([]any)
		before, _ := before.([]any)
		for i := range min(len(whole), len(before), len(after)) {
			after[i] = merge(whole[i], before[i], after[i])
		}
	}
	return after
}
