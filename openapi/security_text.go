package openapi

import (
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
)

// describeAccess says who may do an operation, "" where nothing does.
func describeAccess(op *compiled.Operation) string {
	if op.Access == nil {
		return ""
	}
	return "\n\nWho may: " + describe.Who(op.Access) + "."
}
