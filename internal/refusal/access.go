package refusal

import (
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
)

// asksWho reports whether an operation answers 401: bad credentials are refused by all of an
// API that has schemes, but those that do not look at any.
func asksWho(op *compiled.Operation) bool { return len(op.API.Authentication) > 0 && !op.Anonymous }

// forbids reports whether an operation answers 403. A record that may not be seen is missing:
// reading one does so only where no scheme lets anybody sign in.
func forbids(op *compiled.Operation) bool {
	if op.Reads && op.Item {
		return (!compiled.IsOpen(op.Access) || op.HasGuardedParents()) && !asksWho(op)
	}
	return !compiled.IsOpen(op.Access) || op.HasGuardedParents() && !asksWho(op) || !op.Reads && (writesByRule(op) || takesCookies(op))
}

// writesByRule reports whether some may not write all members of an operation's body, or not all
// of its records.
func writesByRule(op *compiled.Operation) bool {
	if op.Judged {
		return true
	}
	for _, rules := range op.Resource.Members {
		if !compiled.IsOpen(rules.Write) && op.Saves {
			return true
		}
	}
	return false
}

// takesCookies reports whether pages of another origin are refused.
func takesCookies(op *compiled.Operation) bool {
	return slices.ContainsFunc(op.API.Authentication, func(s access.Scheme) bool { return s.Kind == "cookie" })
}
