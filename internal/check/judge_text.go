package check

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsNotBlank reports whether a string has more than white space, as \s means it in ECMA-262. The first byte decides for
// most strings.
func IsNotBlank(s string) bool {
	return s != "" && (s[0] > ' ' && s[0] < utf8.RuneSelf || strings.ContainsFunc(s, isNotSpace))
}

// isNotSpace differs from package unicode in two characters: ECMA-262 counts the byte order mark as white space, and
// U+0085 (next line) as none.
func isNotSpace(r rune) bool { return r != '\ufeff' && (r == '\u0085' || !unicode.IsSpace(r)) }

// withParam returns a check that a relation holds between a string and the parameter.
func withParam(relation func(s, param string) bool) func(param string) func(string) bool {
	return func(param string) func(string) bool { return func(s string) bool { return relation(s, param) } }
}

// withoutParam returns a check that a relation does not hold.
func withoutParam(relation func(s, param string) bool) func(param string) func(string) bool {
	return func(param string) func(string) bool { return func(s string) bool { return !relation(s, param) } }
}

// containsFirst is validator's containsrune, which uses only the first character of its parameter.
func containsFirst(s, param string) bool {
	first, _ := utf8.DecodeRuneInString(param)
	return strings.ContainsRune(s, first)
}

// isOneInAnyCase compares one by one, because folding a string would allocate.
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

// madeOf returns a check that a string is not empty and has only characters of one class.
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

// The bit 0x20 turns capitals into small letters, and nothing else into one.
func isLetter(c rune) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlphanumeric(c rune) bool { return isLetter(c) || isDigit(c) }

func isHexDigit(c rune) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isNumeric reports whether a string is a decimal number, with an optional sign and fraction.
func isNumeric(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	whole, fraction, hasFraction := strings.Cut(s, ".")
	return madeOf(isDigit)(whole) && (!hasFraction || madeOf(isDigit)(fraction))
}

// isHexadecimal accepts a prefix "0x", as validator does, but not "0x" alone.
func isHexadecimal(s string) bool {
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		s = s[2:]
	}
	return madeOf(isHexDigit)(s)
}

// isHexColour accepts three or six digits, and one or two more for the opacity.
func isHexColour(s string) bool {
	digits, ok := strings.CutPrefix(s, "#")
	n := len(digits)
	return ok && (n == 3 || n == 4 || n == 6 || n == 8) && madeOf(isHexDigit)(digits)
}

// isPhoneNumber reports whether a string has eight to fifteen digits, with an optional plus in front.
func isPhoneNumber(s string) bool {
	s = strings.TrimPrefix(s, "+")
	return len(s) >= 8 && len(s) <= 15 && s[0] != '0' && madeOf(isDigit)(s)
}

func isLowerCase(s string) bool { return s != "" && s == strings.ToLower(s) }

func isUpperCase(s string) bool { return s != "" && s == strings.ToUpper(s) }

// uuidOf returns a check of UUIDs of a version, 0 for any. If lower, capitals are rejected. It works by position,
// because UUIDs are checked often and a regular expression is slower.
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

// judgeEmail decides simple email addresses: letters, digits and a few symbols. Validator decides the rare others: quotes,
// comments, non-ASCII letters.
func judgeEmail(s string) (holds, isSure bool) {
	local, domain, ok := strings.Cut(s, "@")
	holds = ok && isDotted(local, isPlainLocal) && isPlainDomain(domain)
	return holds, holds || !ok
}

func isPlainLocal(c rune) bool { return isAlphanumeric(c) || c == '_' || c == '-' || c == '+' }

func isPlainHost(c rune) bool { return isAlphanumeric(c) || c == '-' }

// isPlainDomain reports whether a string is a simple domain name: at least two labels that begin and end with a
// letter or digit, the last with letters. Others may still be valid.
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

// isDotted reports whether a string is non-empty words separated by dots.
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

// isURL returns a check of URLs with one of the schemes and a simple host and path. Validator decides URLs with a
// port, a user or non-ASCII letters.
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
