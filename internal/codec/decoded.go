package codec

import (
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// Decoded is what decoding a body found besides the values.
type Decoded struct {
	// Violations are all wrong types, unknown members and missing required members,
	// in the order of the body, the missing ones last. A list that would outgrow the
	// body by far is cut, and says so in its last violation.
	Violations []validation.Violation
	// Mistyped says that a value had the wrong type or a member was unknown, so that
	// the record is not what the client meant.
	Mistyped bool
	// Empty are the fields with rules that the body has with an empty value, which
	// rules may take for absent.
	Empty []Empty
}

// Empty is a field with an explicit empty value in the body: 0, false, "", or a list
// or map without elements.
type Empty struct {
	// Field is the field.
	Field *model.Field
	// Path is by JSON names: "lines[1].count".
	Path string
	// GoPath is by Go's names, as validator's StructPartial takes it: "Lines[1].Count".
	GoPath string
}
