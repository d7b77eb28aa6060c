package format_test

import (
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
)

// All that the document says of an API that has everything holds in each format.
func TestAnAPIThatHasEverythingIsAsDocumented(t *testing.T) {
	t.Parallel()
	_, api := newMuseum(t)
	openapitest.Conform(t, api, openapitest.Requests(20))
}
