package openapitest_test

import (
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

type Film struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200"`
}

// One test checks that the API matches its document, and that the document did not change.
func ExampleConform() {
	_ = func(t *testing.T) { //nolint:thelper // it represents a test
		api, err := resource.New(resource.Config{}, resource.Of[Film]{})
		if err != nil {
			t.Fatal(err)
		}
		openapitest.Conform(t, api)
		openapitest.Golden(t, api, "testdata/openapi.json")
	}
	// Output:
}
