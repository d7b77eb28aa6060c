package validation

// Violation is one value of a body that is not valid. It is an error: a hook, handler
// or store that returns one, or several joined by errors.Join, refuses the request
// with them. So does a type's own UnmarshalText or UnmarshalJSON; see [Fail].
type Violation struct {
	// Field is the path of the value by JSON names: "address.city", "tags[1]". The
	// empty path is the body as a whole.
	Field string
	// Code is the rule that is broken, such as "max"; "type" for a value of the wrong
	// type, "unknown" for a member that is not known, "invalid" for [Fail].
	Code string
	// Message tells the client what to do, in a sentence or part of one. It never
	// repeats the value.
	Message string
	// Params are what the rule was given, by name: {"max": 200}. Nil for none. All
	// violations of a rule share them: do not change them.
	Params map[string]any
}

// Error returns the path and the message.
func (v Violation) Error() string {
	if v.Field == "" {
		return v.Message
	}
	return v.Field + ": " + v.Message
}

// Fail returns the error of a field that is not valid, by its JSON path; with "" for
// field, of the body as a whole. In Prepare it joins the violations of the rules, so
// that the client sees all of them at once. The message is sent as it is: a sentence that
// names the member, as those of the rules do, "stock must cover the order".
//
// A type that reads itself from text or JSON does not know which member it is of: it
// returns Fail("", "must be an amount such as 12.50 EUR") from UnmarshalText or
// UnmarshalJSON, wrapped or not, and the client is told the name of the member before that,
// as with Rule.Message. Of an error that is not violations alone, the client is told only
// that the value does not have the form that it must have.
func Fail(field, message string) error {
	return Violation{Field: field, Code: "invalid", Message: message}
}

// Violations collects the violations in err's tree, and reports whether err consists
// of nothing else.
func Violations(err error) (found []Violation, only bool) {
	switch e := err.(type) { //nolint:errorlint // the tree is walked here, node by node
	case nil:
		return nil, true
	case Violation:
		return []Violation{e}, true
	case interface{ Unwrap() []error }:
		only = true
		for _, child := range e.Unwrap() {
			more, all := Violations(child)
			found, only = append(found, more...), only && all
		}
		return found, only
	case interface{ Unwrap() error }:
		if child := e.Unwrap(); child != nil {
			return Violations(child)
		}
	}
	return nil, false
}
