package accesstest_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// One test keeps who may do what in the repository.
func ExampleMatrix() {
	_ = func(t *testing.T) { //nolint:thelper // it stands for a test
		api, err := resource.New(
			resource.Config{Authentication: []access.Scheme{access.Bearer("token", byName)}},
			resource.Of[treasure]{
				Store: memory.New(treasure{1, "gold", true, 1}, treasure{2, "draft", false, 1}),
				Access: access.Rules{
					Read: access.Any(published, owner), Create: owner, Update: owner, Delete: admin,
				},
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		accesstest.Matrix(t, api, "testdata/access.golden",
			accesstest.Callers{
				{Name: "anonymous"},
				{Name: "ann", Header: http.Header{"Authorization": {"Bearer ann"}}},
				{Name: "bob", Header: http.Header{"Authorization": {"Bearer bob"}}},
			},
			accesstest.Records{"Treasure": {"published": "1", "draft": "2"}})
	}
	// Output:
}
