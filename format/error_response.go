package format

import "encoding/json"

// ErrorResponse is an error for a writer: a problem (RFC 9457), with the violations if the body is invalid. The status is
// sent regardless of what the format writes.
type ErrorResponse struct {
	// Status is the HTTP status, 400 to 599.
	Status int
	// Type is a URI reference for the kind of problem: "about:blank" if the status says it all, "validation_error" for
	// an invalid body.
	Type string
	// Title is a short text, the same for all problems of the kind.
	Title string
	// Detail says what is wrong with this request, "" for nothing more.
	Detail string
	// Instance is the id of the incident in the log, "" for none.
	Instance string
	// Fields are additional fields, such as "supported" with a list of media types.
	Fields []Field
	// Body is the type of the operation's bodies, nil if it has none or no format uses types.
	Body *Type
	// Resource is the short name of the operation's resource.
	Resource string
	// Query is the raw query of the request, before [Format.Query].
	Query string
	// Parameters are the query parameters of the operation.
	Parameters []Parameter
	// Violations are the errors in a body, nil for other problems.
	Violations []Violation
	// More is the number of further violations that the list omits.
	More int
	// JSON is the whole response in JSON: a problem, or the shape of validation errors that the resource declares. It is
	// valid until the writer returns.
	JSON json.RawMessage
}

// Violation is an error in one value of a body.
type Violation struct {
	// Field is the path of the value in JSON names: "address.city" or "tags[1]"; "" for the body as a whole.
	Field string
	// Pointer is the same path as a JSON Pointer (RFC 6901): "/address/city".
	Pointer string
	// Code is the rule that the value breaks, such as "max".
	Code string
	// Message says what the value must be.
	Message string
}

// Error is the error of [Format.Read] for a malformed body and of [Format.Query] for an invalid query. Clients see its
// texts, which must not repeat values.
type Error struct {
	// Status is the HTTP status, 400 to 499. Default: 400.
	Status int
	// Detail says what is wrong.
	Detail string
	// Pointer is the place in the body, as a JSON Pointer. Default: "", the body as a whole.
	Pointer string
	// Parameter is the name of the invalid parameter, for [Format.Query]. Default: "", the query as a whole.
	Parameter string
}

// Error returns Detail.
func (e *Error) Error() string { return e.Detail }
