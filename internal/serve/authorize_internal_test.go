package serve

import (
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

func TestForbiddenErrorNamesTheAction(t *testing.T) {
	t.Parallel()
	r := &compiled.Resource{ShortName: "DragonTreasure", PluralName: "DragonTreasures"}
	of := func(kind operation.Kind) *Operation {
		return &Operation{Operation: &compiled.Operation{Resource: r, Kind: kind}}
	}
	for want, err := range map[string]forbiddenError{
		"list dragon treasures":             {op: of(operation.KindGetCollection)},
		"create dragon treasures":           {op: of(operation.KindPost)},
		"update this dragon treasure":       {op: of(operation.KindPatch)},
		"delete this dragon treasure":       {op: of(operation.KindDelete)},
		"create the dragon treasure at [1]": {Place: "[1]", op: of(operation.KindPost)},
		"perform this operation":            {op: &Operation{Operation: &compiled.Operation{Resource: r, Custom: true}}},
		"set [1].value":                     {Place: "[1]", Field: "value"},
	} {
		if got := err.Error(); got != "You do not have permission to "+want+"." {
			t.Errorf("got %q, want the action %q", got, want)
		}
	}
}
