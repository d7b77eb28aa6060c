package openapi

import (
	"slices"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// TestEveryErrorIsDocumented checks that documents describe each error status of each operation, with every setting, in
// both shapes of errors.
func TestEveryErrorIsDocumented(t *testing.T) {
	t.Parallel()
	type thing struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
		Next *int64 `json:"next" api:"ref=Thing,expand"`
	}
	view := &operation.View{Name: "Viewed", Fields: []string{"id", "name", "next.name"}} // which changes return as well
	for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
		api, err := resource.New(resource.Config{Errors: shape}, resource.Of[thing]{View: view, Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Post{Idempotency: 1e9, Timeout: 1e9},
			operation.Put{RequirePrecondition: true},
			operation.Patch{},
			operation.Delete{},
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range compiled.Of(api).Resources {
			for _, op := range r.Operations {
				for _, can := range describe.Failures(op) {
					if !isTold(can, describe.Failures(op)) {
						t.Errorf("%s can refuse with %d, which no document tells of with %v", op.ID, can.Status(), describe.Failures(op))
					}
				}
			}
		}
	}
}

func isTold(one problem.Kind, can []problem.Kind) bool {
	return slices.ContainsFunc(documentedErrors, func(e documentedError) bool { return slices.Contains(e.of, one) && e.fits(can) })
}
