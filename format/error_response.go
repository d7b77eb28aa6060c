package format

import "encoding/json"

// ErrorResponse is an answer to what was not done: a problem (RFC 9457), with what is wrong with a
// body if that is why. The status is sent, whatever the format writes.
type ErrorResponse struct {
	// Status is the HTTP status, 400 to 599.
	Status int
	// Type is a URI reference of the kind of problem, "about:blank" for one that the status
	// tells; "validation_error" for a body that is not valid.
	Type string
	// Title is a short text, the same for each refusal of the kind.
	Title string
	// Detail is what is wrong with this request, "" for none.
	Detail string
	// Instance names the incident, as the service's log does; "" for none.
	Instance string
	// Fields are further members, such as "supported" with a list of media types.
	Fields []Field
	// Body is the type of bodies that the operation reads, nil where it reads none or no format
	// has asked for types.
	Body *Type
	// Resource is the short name of the resource that the operation is of.
	Resource string
	// Query is the query of the request as it was sent, before [Format.Query].
	Query string
	// Parameters are what clients may ask the operation with.
	Parameters []Parameter
	// Violations are what is wrong with the values of a body, nil for another refusal.
	Violations []Violation
	// More is how many violations there are besides.
	More int
	// JSON is all of it as JSON has it: a problem, or the resource's shape of a validation
	// error. It is valid until the writer returns.
	JSON json.RawMessage
}

// Violation is one value of a body that is not valid.
type Violation struct {
	// Field is the path of the value by JSON names, "address.city" or "tags[1]"; "" for the
	// body as a whole.
	Field string
	// Pointer is the same as a JSON Pointer (RFC 6901), "/address/city".
	Pointer string
	// Code is the rule that is broken, such as "max".
	Code string
	// Message tells the client what to do.
	Message string
}

// Error is what [Format.Read] returns of a body that is not well formed, and [Format.Query] of a
// query, in words for the client. They must not repeat values.
type Error struct {
	// Status is the HTTP status, 400 to 499. Default: 400.
	Status int
	// Detail is what is wrong.
	Detail string
	// Pointer is where, as a JSON Pointer. Default: "", the body as a whole.
	Pointer string
	// Parameter is the name of the parameter that is wrong, of an error of [Format.Query]. Default:
	// "", the query as a whole.
	Parameter string
}

// Error returns the detail.
func (e *Error) Error() string { return e.Detail }
