package parameters

import (
	"net/url"
	"slices"
	"strings"
)

// AppendAddress appends a path with its query, encoded anew so that nothing in it can end
// the address.
func AppendAddress(b []byte, of *url.URL) []byte {
	b = append(append(b, of.EscapedPath()...), '?')
	begin := len(b)
	if b = appendQuery(b, of.RawQuery, nil); len(b) == begin {
		b = b[:begin-1]
	}
	return b
}

// appendKept appends a query without the parameters that turn pages, encoded anew. A filter can be called offset where
// that turns no pages.
func (s *Set) appendKept(b []byte, query string) []byte {
	turning := []string{"page", "cursor", "offset"}
	if !s.paging.takesOffset() {
		turning = turning[:2]
	}
	return appendQuery(b, query, turning)
}

// Pair by pair and in the client's order: net/url sorts what it parses, and a link should look like the
// request that it came from.
func appendQuery(b []byte, query string, without []string) []byte {
	start := len(b)
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, value, hasValue := strings.Cut(pair, "=")
		before := len(b)
		if before > start {
			b = append(b, '&')
		}
		begin := len(b)
		b = appendEncoded(b, name)
		if pair == "" || slices.Contains(without, string(b[begin:])) {
			b = b[:before]
			continue
		}
		if hasValue {
			b = appendEncoded(append(b, '='), value)
		}
	}
	return b
}

// appendEncoded appends a name or a value of a query as [net/url.QueryEscape] encodes it,
// which stands there encoded in any other way.
// By bytes and not by characters: a query may have what is not UTF-8, and a link has to keep it.
func appendEncoded(b []byte, text string) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]) {
			c = unhex(text[i+1])<<4 | unhex(text[i+2])
			i += 2
		} else if c == '+' {
			c = ' '
		}
		b = appendByte(b, c)
	}
	return b
}

// appendByte appends a byte of a name or a value, encoded unless it is unreserved (RFC
// 3986, section 2.3).
// All that is not unreserved is encoded, so that a comma, a quote or an angle bracket cannot end the
// target of a Link (RFC 8288, section 3).
func appendByte(b []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == '~':
		return append(b, c)
	case c == ' ':
		return append(b, '+')
	}
	return append(b, '%', digits[c>>4], digits[c&15])
}

// isHex reports whether a byte is a hexadecimal digit.
func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// unhex returns the value of a hexadecimal digit.
func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
