package compiled

import (
	"slices"

	"github.com/trove-api/trove/internal/model"
)

// Parent is a record above those of an operation: its template names it by a variable that is
// called as the reference to it is. The operation is about nothing but what is below it.
type Parent struct {
	Variable string
	Resource *Resource    // that it is a record of
	Field    *model.Field // the reference to it
	// Below is which of the operation's parents has the reference; none where the operation's
	// own records have.
	Below int
}

// OwnRecord is the Below of a parent that the operation's own records refer to.
const OwnRecord = -1

// IsBelowOthers reports whether the path names records that the identifier of the operation's record
// does not name: the identifier alone is then not its address.
func (o *Operation) IsBelowOthers() bool {
	return slices.ContainsFunc(o.Parents, func(p Parent) bool { return !o.Item || p.Below != OwnRecord || !p.Field.Identifier })
}

// Sets reports whether the path of the operation's requests says what a field refers to.
func (o *Operation) Sets(f *model.Field) bool {
	return slices.ContainsFunc(o.Parents, func(p Parent) bool { return p.Below == OwnRecord && p.Field == f })
}
