package validation

// Violation is one invalid value of a body. It is an error: a hook, handler or store that returns one, or several
// joined by errors.Join, rejects the request with them. So can UnmarshalText and UnmarshalJSON of a type; see
// [Fail].
type Violation struct {
	// Field is the path of the value with JSON names: "address.city", "tags[1]". The empty path is the whole body.
	Field string
	// Code is the broken rule, such as "max". It is "type" for a value of the wrong type, "unknown" for an unknown
	// field, and "invalid" for [Fail].
	Code string
	// Message says what is allowed. It never repeats the value.
	Message string
	// Params are the parameters of the rule by name: {"max": 200}. Nil for none. All violations of a rule share them,
	// so do not change them.
	Params map[string]any
}

// Error returns the path and the message.
func (v Violation) Error() string {
	if v.Field == "" {
		return v.Message
	}
	return v.Field + ": " + v.Message
}

// Fail returns the error of an invalid field, by its JSON path. The path "" is the whole body. The message is sent
// unchanged, so write a sentence that begins with the field's name, like those of the rules: "stock must cover the
// order". In Prepare, violations are reported together with those of the rules.
//
// In UnmarshalText or UnmarshalJSON, a type does not know its field. Return Fail("", "must be an amount such as
// 12.50 EUR"), wrapped or not, and the name of the field is put in front. Any other error there is reported as "has
// an invalid format", without its text.
func Fail(field, message string) error {
	return Violation{Field: field, Code: "invalid", Message: message}
}

// Violations returns the violations in err's tree, and reports whether err consists of nothing else.
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
