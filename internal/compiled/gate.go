package compiled

import (
	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/gate"
)

// Gate has the rules of an operation, compiled. Nil is a rule that holds for everybody.
type Gate struct {
	Read   *gate.Rule // of the records that it reads
	Act    *gate.Rule // of what it does; nil of one that only reads
	Create *gate.Rule // in place of Act, where a Put creates its record
}

// IsOpen reports whether a rule keeps nobody out.
func IsOpen(rule access.Rule) bool { return rule == nil || rule == access.Public }
