package check

import "strings"

// isURL returns the check of addresses with one of the schemes.
func isURL(schemes ...string) func(string) verdict {
	return func(s string) verdict { return judgeURL(s, schemes...) }
}

// judgeEmail knows addresses of letters, digits and few signs.
// All others are validator's: quotes, comments and letters beyond ASCII are rare in addresses, and
// hard to get right twice.
func judgeEmail(s string) verdict {
	local, domain, ok := strings.Cut(s, "@")
	switch {
	case !ok:
		return breaks
	case isDotted(local, isPlainLocal) && isPlainDomain(domain):
		return follows
	}
	return unknown
}

func isPlainLocal(c byte) bool { return isAlphanumeric(c) || c == '_' || c == '-' || c == '+' }

func isPlainHost(c byte) bool { return isAlphanumeric(c) || c == '-' }

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
		case !isAlphanumeric(c):
			return false
		}
		before = c
	}
	return dots > 0 && isLetter(before) && isLetter(s[strings.LastIndexByte(s, '.')+1])
}

// isDotted reports whether a text is words of some bytes with dots between them.
// Dots at the ends, or two in a row, leave a word empty.
func isDotted(s string, class func(c byte) bool) bool {
	before := byte('.')
	for i := range len(s) {
		if c := s[i]; c == '.' && before == '.' || c != '.' && !class(c) {
			return false
		}
		before = s[i]
	}
	return before != '.'
}

// judgeURL knows addresses of plain hosts and paths with those schemes.
// An address with a port, a user or letters beyond ASCII is left to net/url.
func judgeURL(s string, schemes ...string) verdict {
	if s == "" {
		return breaks
	}
	for _, scheme := range schemes {
		if rest, ok := strings.CutPrefix(s, scheme); ok && isPlainHostAndPath(rest) {
			return follows
		}
	}
	return unknown
}

func isPlainHostAndPath(s string) bool {
	host, path, _ := strings.Cut(s, "/")
	for i := range len(path) {
		if c := path[i]; !isAlphanumeric(c) && strings.IndexByte("/-_.~?=&", c) < 0 {
			return false
		}
	}
	return isDotted(host, isPlainHost)
}
