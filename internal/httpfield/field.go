package httpfield

import "strings"

// IsName reports whether a text can be the name of a field (RFC 9110, section 5.6.2).
func IsName(name string) bool { return IsOf(name, "!#$%&'*+-.^_`|~") }

// IsOf reports whether a text consists of letters and digits of ASCII, and of marks. An empty text does not.
func IsOf(text, marks string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(marks, r)
	})
}

// IsValue reports whether a text can be the value of a field (RFC 9110, section 5.5): one line without
// control characters except tabs.
func IsValue(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
