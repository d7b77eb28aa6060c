package compiled

import (
	"context"
	"slices"

	"github.com/trove-api/trove/internal/model"
)

// Computed is a member that answers have beside those of the struct.
type Computed struct {
	Field   *model.Field // of no struct
	Value   *Value
	Compute func(ctx context.Context, record any) (any, error) // both are pointers
}

// ComputesWithin reports whether records that answers have embedded may have computed members.
func (o *Operation) ComputesWithin() bool { return anyComputes(o.Expansions) }

func anyComputes(list []*Expansion) bool {
	return slices.ContainsFunc(list, func(e *Expansion) bool { return e.Computes() || anyComputes(e.Inner) })
}

// Computes reports whether answers of the operation may have computed members.
func (o *Operation) Computes() bool {
	return len(o.Resource.Computed) > 0 && o.Out != nil && !o.HasOutput && o.Out.Codec == o.Resource.Codec
}
