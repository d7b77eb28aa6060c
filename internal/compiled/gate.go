package compiled

import (
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/gate"
)

// Gate has the rules of an operation, compiled. Nil is a rule that holds for everybody.
type Gate struct {
	Read   *gate.Rule // of the records that it reads
	Act    *gate.Rule // of what it does; nil of one that only reads
	Create *gate.Rule // in place of Act, where a Put creates its record
}

// IsGated reports whether rules ask who calls the operation: its own, those of members of its
// records, or of the records above them.
func (o *Operation) IsGated() bool {
	return o.Gate != nil || o.Resource.Gate != nil || o.HasGuardedParents()
}

// HasGuardedParents reports whether not everybody may see the records above those of the
// operation.
func (o *Operation) HasGuardedParents() bool {
	return slices.ContainsFunc(o.Parents, func(p Parent) bool { return !IsOpen(p.Resource.SeenBy()) })
}

// SeenBy returns who may see a record by its Get, nil for everybody.
func (r *Resource) SeenBy() access.Rule {
	if r.Item != nil {
		return r.Item.Access
	}
	return r.Reads
}

// IsOpen reports whether a rule lets everybody pass: it is nil or access.Public, by whatever name.
func IsOpen(rule access.Rule) bool {
	return rule == nil || rule.Describe().Kind == access.Public.Describe().Kind
}

// Runs reports whether functions of the user run for the rules.
func (g *Gate) Runs() bool { return g != nil && (g.Read.Runs() || g.Act.Runs() || g.Create.Runs()) }
