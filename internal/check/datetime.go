package check

import (
	"time"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/codec"
)

// isDateTime is validator's rule datetime, but that a time in the layout of RFC 3339 has to
// be one of RFC 3339, as a member of the type time.Time has: package time reads
// "T9:05:00,5Z" in that layout, too, which the document's format date-time does not allow.
// The document promises what the service takes, so the two have to mean one thing by RFC 3339.
func isDateTime(field validator.FieldLevel) bool {
	text := field.Field().String()
	if field.Param() == time.RFC3339 {
		_, ok := codec.ParseTime([]byte(text))
		return ok
	}
	_, err := time.Parse(field.Param(), text)
	return err == nil
}
