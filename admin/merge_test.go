package admin_test

import (
	"testing"

	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestAModelSaysWhichUpdatesAreMergePatches(t *testing.T) {
	t.Parallel()
	replaces := map[string]any{"standard_put": true}
	for _, test := range []struct {
		rule string
		op   operation.Operation
		want bool
	}{
		{"a Patch", operation.Patch{}, true},
		{"a Put that updates", operation.Put{}, true},
		{"a Put that replaces", operation.Put{ExtraProperties: replaces}, false},
	} {
		api := newAPI(t, resource.Config{}, resource.Of[Receipt]{Operations: []operation.Operation{operation.Get{}, test.op}})
		if got := serve(t, api, admin.Config{}).model("").resource("Receipt").Update.Merges; got != test.want {
			t.Errorf("%s: %v", test.rule, got)
		}
	}
}
