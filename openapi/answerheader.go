package openapi

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
)

// ownHeaders are the fields that functions of the user's are said to set.
func (b *builder) ownHeaders(op *compiled.Operation) openapi3.Headers {
	headers := openapi3.Headers{}
	for name, says := range op.AnswerHeader {
		headers[name] = b.header(says, nil, "")
	}
	return headers
}
