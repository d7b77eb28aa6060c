package formattest

import (
	"testing"

	"github.com/trove-api/trove/resource"
)

// NewAPI compiles declarations.
func NewAPI(t testing.TB, config resource.Config, declarations ...resource.Declaration) *resource.API {
	t.Helper()
	api, err := resource.New(config, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return api
}
