package codec

import (
	"github.com/trove-api/trove/internal/model"
)

// Decoded is what decoding a body found besides the values. It is for one check: what that
// finds is remembered at the same places.
type Decoded struct {
	// Report has all wrong types, unknown members and missing required members, in the
	// order of the body, the missing ones last. It remembers the fields with rules that
	// the body has with an empty value, 0, false, "", or a list or map without elements,
	// which rules may take for absent.
	model.Report
	// Mistyped says that a value had the wrong type or a member was unknown, so that
	// the record is not what the client meant.
	Mistyped bool
	// View is what the body was read by; nil where there was none.
	View *model.View
}
