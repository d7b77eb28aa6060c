package serve

import (
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

func TestForbiddenErrorNamesTheAction(t *testing.T) {
	t.Parallel()
	r := &compiled.Resource{ShortName: "DragonTreasure", PluralName: "DragonTreasures"}
	of := func(facts compiled.Facts) *Operation {
		return &Operation{Operation: &compiled.Operation{Resource: r, Facts: facts}}
	}
	for want, err := range map[string]forbiddenError{
		"list dragon treasures":             {op: of(compiled.Facts{Kind: operation.KindGetCollection})},
		"create dragon treasures":           {op: of(compiled.Facts{Kind: operation.KindPost})},
		"update this dragon treasure":       {op: of(compiled.Facts{Kind: operation.KindPatch})},
		"delete this dragon treasure":       {op: of(compiled.Facts{Kind: operation.KindDelete})},
		"create the dragon treasure at [1]": {Place: "[1]", op: of(compiled.Facts{Kind: operation.KindPost})},
		"perform this operation":            {op: of(compiled.Facts{Custom: true})},
		"set [1].value":                     {Place: "[1]", Field: "value"},
	} {
		if got := err.Error(); got != "You do not have permission to "+want+"." {
			t.Errorf("got %q, want the action %q", got, want)
		}
	}
}
