package openapi

import (
	"net/http"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// describeSuccess returns the text of an answer.
func describeSuccess(op *compiled.Operation, status int) string {
	switch {
	case !op.Answers():
		return "Done; there is nothing to tell."
	case op.Custom:
		return "Done."
	case op.Relationship != nil:
		return naming.Sentence("the " + naming.Phrase(op.Relationship.Field.Name) + " of the " + op.Resource.ShortName)
	case op.Kind == operation.KindGetCollection:
		return naming.Sentence("the " + op.Resource.PluralName + " that were asked for")
	case op.Kind == operation.KindGet:
		return naming.Sentence("the " + op.Resource.ShortName)
	case status == http.StatusCreated, op.Kind == operation.KindPost:
		return naming.Sentence("the new " + op.Resource.ShortName)
	}
	return naming.Sentence("the " + op.Resource.ShortName + " as it is now")
}

// describeResource returns the text of a resource's tag.
func describeResource(r *compiled.Resource) string {
	if r.Description != "" {
		return r.Description
	}
	return "Operations on " + naming.Phrase(r.PluralName) + "."
}
