package describe

import (
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
)

// summarizeRelationship returns the one line of an operation on a reference of a record alone.
func summarizeRelationship(op *compiled.Operation) string {
	of := op.Relationship
	member, one := naming.Phrase(of.Field.Name), naming.Phrase(op.Resource.ShortName)
	switch {
	case op.Reads:
		return "Get the " + member + " of one " + one
	case of.Change == compiled.Adds:
		return "Add to the " + member + " of one " + one
	case of.Change == compiled.Removes:
		return "Remove from the " + member + " of one " + one
	case of.Field.Reference.Many:
		return "Replace the " + member + " of one " + one
	}
	return "Change the " + member + " of one " + one
}

// describeRelationship returns the text of such an operation.
func describeRelationship(op *compiled.Operation) string {
	of := op.Relationship
	member, one := naming.Phrase(of.Field.Name), "the "+naming.Phrase(op.Resource.ShortName)+" that the path names"
	switch {
	case op.Reads:
		return "Answers with what " + one + " refers to as its " + member + "."
	case of.Change == compiled.Adds:
		return "Adds to the " + member + " of " + one + " those of the body that are not among them yet."
	case of.Change == compiled.Removes:
		return "Takes those of the body away from the " + member + " of " + one + ". What is not among them is passed over."
	}
	return "Puts the body in place of the " + member + " of " + one + ". All else stays."
}
