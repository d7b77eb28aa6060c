package describe

import (
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/refusal"
	"github.com/trove-api/trove/validation"
)

// possible lists which operations can return each error, in the order of the errors.
var possible = [...]struct {
	refusal refusal.Refusal
	can     func(op *compiled.Operation) bool
}{
	{refusal.NotModified, func(op *compiled.Operation) bool { return op.Reads && op.Answers() }},
	{refusal.BadRequest, always},
	{refusal.Invalid, func(op *compiled.Operation) bool { return refusesValues(op, validation.Map) }},
	{refusal.TooMuchEmbedded, func(op *compiled.Operation) bool { return op.Expansions != nil }},
	{refusal.Unauthorized, asksWho},
	{refusal.Forbidden, forbids},
	{refusal.NotFound, func(op *compiled.Operation) bool { return op.Item || len(op.Parents) > 0 }},
	{refusal.NotAcceptable, (*compiled.Operation).Answers},
	{refusal.Timeout, func(op *compiled.Operation) bool { return op.TakesBody() && op.Timeout > 0 }},
	{refusal.Taken, writes},
	{refusal.Conflict, writes},
	{refusal.PreconditionFailed, func(op *compiled.Operation) bool { return !op.Reads || op.Answers() }},
	{refusal.TooLarge, (*compiled.Operation).TakesBody},
	{refusal.TooDeep, (*compiled.Operation).TakesBody},
	{refusal.TooMany, (*compiled.Operation).TakesBody},
	{refusal.URITooLong, always},
	{refusal.UnsupportedMediaType, (*compiled.Operation).TakesBody},
	{refusal.Unprocessable, func(op *compiled.Operation) bool { return refusesValues(op, validation.Problem) }},
	{refusal.KeyUsed, func(op *compiled.Operation) bool { return op.Idempotency > 0 }},
	{refusal.PreconditionRequired, func(op *compiled.Operation) bool { return op.RequirePrecondition }},
	{refusal.Failed, always},
	{refusal.Unavailable, always},
	{refusal.Own, func(op *compiled.Operation) bool { return op.Hooked }},
}

// Refusals returns the errors that an operation can return by itself, in their order.
func Refusals(op *compiled.Operation) []refusal.Refusal {
	var can []refusal.Refusal
	for _, each := range possible {
		if each.can(op) {
			can = append(can, each.refusal)
		}
	}
	return can
}

func always(*compiled.Operation) bool { return true }

func writes(op *compiled.Operation) bool { return !op.Reads }

// refusesValues reports whether the operation returns errors of that shape for values that are
// not valid: those of its body, the list that a membership changes, or what the user's functions reject.
func refusesValues(op *compiled.Operation, shape validation.Shape) bool {
	return op.Resource.Errors == shape && (op.TakesBody() || op.Membership != nil || op.Hooked)
}

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
