package openapi

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/openapi/internal/form30"
)

// document30 returns a document in the form of OpenAPI 3.0, its numbers as close as
// kin-openapi reads them.
func document30(doc *openapi3.T) (*openapi3.T, error) {
	text, err := doc.MarshalJSON()
	if err != nil {
		return nil, err
	}
	older, err := form30.Rewrite(text)
	if err != nil {
		return nil, err
	}
	if text, err = json.Marshal(older); err != nil {
		return nil, err
	}
	return read30(text)
}

// read30 reads a document in the form of OpenAPI 3.0, and checks it.
func read30(text []byte) (*openapi3.T, error) {
	older := &openapi3.T{}
	err := older.UnmarshalJSON(text)
	if err == nil {
		err = validate(older)
	}
	if err != nil {
		return nil, fmt.Errorf("in the form of OpenAPI %s: %w", form30.Version, err)
	}
	return older, nil
}
