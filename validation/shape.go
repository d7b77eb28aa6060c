package validation

// Shape is the form of the response to an invalid body. The zero value inherits: a resource uses the API's shape,
// and the default of the API is [Map].
type Shape int

// The shapes of validation errors.
const (
	// Map returns 400 with exactly the fields type ("validation_error"), title ("There was a validation error") and
	// errors, an object with one message for each field. A number more is added if not all errors fit.
	Map Shape = iota + 1
	// Problem returns a problem (RFC 9457) with status 422 and a list of violations, each with pointer (RFC 6901),
	// code, message and params. It has more, as in Map.
	Problem
)

// Status returns the HTTP status of the shape: 422 for [Problem], else 400.
func (s Shape) Status() int {
	if s == Problem {
		return 422
	}
	return 400
}
