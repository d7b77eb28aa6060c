package describe

import (
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// summarizeMembership returns the line of an operation that changes what one record is referred to by
// a list. By the kind alone it would seem to change or to delete a whole record.
func summarizeMembership(op *compiled.Operation) string {
	what, list := naming.Phrase(op.Membership.Resource.ShortName), naming.Phrase(op.Membership.Field.Name)
	one := naming.Phrase(op.Resource.ShortName)
	if op.Kind == operation.KindDelete {
		return "Take one " + what + " out of the " + list + " of one " + one
	}
	return "Add one " + what + " to the " + list + " of one " + one
}

// describeMembership returns the text of such an operation.
func describeMembership(op *compiled.Operation) string {
	what, list := naming.Phrase(op.Membership.Resource.ShortName), "`"+op.Membership.Field.Name+"`"
	one := naming.Phrase(op.Resource.ShortName)
	if op.Kind == operation.KindDelete {
		return "Takes a " + what + " out of " + list + " of the " + one + ". The " + what + " itself stays. Both are named by the path."
	}
	return "Adds a " + what + " to the end of " + list + " of the " + one + ", unless it is there already. Both are named by the path."
}
