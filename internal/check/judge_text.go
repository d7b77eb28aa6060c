package check

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// isNotBlank reports whether a text has more than spaces and separators. Most texts say
// so with their first byte.
// The four separators of ASCII (FS, GS, RS, US) are no spaces to Go, but validator's notblank takes
// them for some.
func isNotBlank(s string) bool {
	return s != "" && (s[0] > ' ' && s[0] < utf8.RuneSelf || strings.Trim(strings.TrimSpace(s), "\x1c\x1d\x1e\x1f") != "")
}

// withParam returns the check that a relation holds between a text and the parameter.
func withParam(relation func(s, param string) bool) func(param string) func(string) bool {
	return func(param string) func(string) bool { return func(s string) bool { return relation(s, param) } }
}

// withoutParam returns the check that a relation does not hold.
func withoutParam(relation func(s, param string) bool) func(param string) func(string) bool {
	return func(param string) func(string) bool { return func(s string) bool { return !relation(s, param) } }
}

// validator's containsrune looks for one character, and takes the first where it is given more.
func containsFirst(s, param string) bool {
	first, _ := utf8.DecodeRuneInString(param)
	return strings.ContainsRune(s, first)
}

// Choices are few, so they are compared one by one: folding a text would take memory for each.
func isOneInAnyCase(param string) func(string) bool {
	options := Words(param)
	return func(s string) bool {
		return slices.ContainsFunc(options, func(option string) bool { return strings.EqualFold(option, s) })
	}
}

func isNoneInAnyCase(param string) func(string) bool {
	isOne := isOneInAnyCase(param)
	return func(s string) bool { return !isOne(s) }
}

// madeOf returns the check that a text is not empty and has characters of one class only.
func madeOf(class func(r rune) bool) func(string) bool {
	return func(s string) bool {
		for _, r := range s {
			if !class(r) {
				return false
			}
		}
		return s != ""
	}
}

func isASCII(r rune) bool { return r < utf8.RuneSelf }

func isDigit(c rune) bool { return '0' <= c && c <= '9' }

// With the bit 0x20 set, capitals become small letters, and nothing else becomes one.
func isLetter(c rune) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlphanumeric(c rune) bool { return isLetter(c) || isDigit(c) }

func isHexDigit(c rune) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isNumeric reports whether a text is a decimal number, perhaps with a sign and a
// fraction.
func isNumeric(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	whole, fraction, hasFraction := strings.Cut(s, ".")
	return madeOf(isDigit)(whole) && (!hasFraction || madeOf(isDigit)(fraction))
}

// Validator takes "0x" with digits behind it, and "0x" alone for no number.
func isHexadecimal(s string) bool {
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		s = s[2:]
	}
	return madeOf(isHexDigit)(s)
}

// Three or six digits, or one or two more for how opaque it is.
func isHexColour(s string) bool {
	digits, ok := strings.CutPrefix(s, "#")
	n := len(digits)
	return ok && (n == 3 || n == 4 || n == 6 || n == 8) && madeOf(isHexDigit)(digits)
}

// isPhoneNumber reports whether a text is eight to fifteen digits, with a plus before
// them or without.
func isPhoneNumber(s string) bool {
	s = strings.TrimPrefix(s, "+")
	return len(s) >= 8 && len(s) <= 15 && s[0] != '0' && madeOf(isDigit)(s)
}

func isLowerCase(s string) bool { return s != "" && s == strings.ToLower(s) }

func isUpperCase(s string) bool { return s != "" && s == strings.ToUpper(s) }

// uuidOf returns the check of UUIDs of a version, of any for 0. Those in lower case have no
// capitals.
// By position, since validator has a regular expression for it, and identifiers are the values that
// are checked most.
func uuidOf(version byte, lower bool) func(string) bool {
	return func(s string) bool {
		if len(s) != 36 || version != 0 && s[14] != version || version > '3' && strings.IndexByte("89abAB", s[19]) < 0 {
			return false
		}
		for i := range len(s) {
			switch c := s[i]; {
			case i == 8 || i == 13 || i == 18 || i == 23:
				if c != '-' {
					return false
				}
			case !isHexDigit(rune(c)) || lower && 'A' <= c && c <= 'F':
				return false
			}
		}
		return true
	}
}

// judgeEmail knows addresses of letters, digits and few signs.
// All others are validator's: quotes, comments and letters beyond ASCII are rare in addresses, and
// hard to get right twice.
func judgeEmail(s string) (holds, isSure bool) {
	local, domain, ok := strings.Cut(s, "@")
	holds = ok && isDotted(local, isPlainLocal) && isPlainDomain(domain)
	return holds, holds || !ok
}

func isPlainLocal(c rune) bool { return isAlphanumeric(c) || c == '_' || c == '-' || c == '+' }

func isPlainHost(c rune) bool { return isAlphanumeric(c) || c == '-' }

// isPlainDomain reports whether a text is a domain name with two labels or more, which
// begin and end with a letter or digit, the last with letters.
// What is no plain domain may still be one: the caller then says that it does not know.
func isPlainDomain(s string) bool {
	var dots int
	before := byte('.')
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '.':
			dots++
			fallthrough
		case c == '-':
			if before == '.' || before == '-' && c == '.' {
				return false
			}
		case !isAlphanumeric(rune(c)):
			return false
		}
		before = c
	}
	return dots > 0 && isLetter(rune(before)) && isLetter(rune(s[strings.LastIndexByte(s, '.')+1]))
}

// isDotted reports whether a text is words of some bytes with dots between them.
// Dots at the ends, or two in a row, leave a word empty.
func isDotted(s string, class func(c rune) bool) bool {
	before := byte('.')
	for i := range len(s) {
		if c := s[i]; c == '.' && before == '.' || c != '.' && !class(rune(c)) {
			return false
		}
		before = s[i]
	}
	return before != '.'
}

// isURL returns the check of addresses of plain hosts and paths with one of the schemes.
// An address with a port, a user or letters beyond ASCII is left to net/url.
func isURL(schemes ...string) func(string) (holds, isSure bool) {
	return func(s string) (holds, isSure bool) {
		holds = slices.ContainsFunc(schemes, func(scheme string) bool {
			rest, ok := strings.CutPrefix(s, scheme)
			return ok && isPlainHostAndPath(rest)
		})
		return holds, holds || s == ""
	}
}

func isPlainHostAndPath(s string) bool {
	host, path, _ := strings.Cut(s, "/")
	for i := range len(path) {
		if c := path[i]; !isAlphanumeric(rune(c)) && strings.IndexByte("/-_.~?=&", c) < 0 {
			return false
		}
	}
	return isDotted(host, isPlainHost)
}
