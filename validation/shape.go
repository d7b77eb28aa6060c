package validation

// Shape is the form in which an API answers a body that is not valid. The zero value
// is the form of whatever is above: the resource's is the API's, and the API's is
// [Map].
type Shape int

// The shapes.
const (
	// Map is 400 with exactly the members type ("validation_error"), title ("There was
	// a validation error") and errors, an object of one message for each field; and more,
	// a number, only where there is no room for all that is wrong.
	Map Shape = iota + 1
	// Problem is a problem of RFC 9457 with status 422 and a list of violations, each
	// with pointer (RFC 6901), code, message and params; and more, as in Map.
	Problem
)

// Status returns the HTTP status of the shape: 422 for [Problem], else 400.
func (s Shape) Status() int {
	if s == Problem {
		return 422
	}
	return 400
}
