package schema

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Patterns have the syntax of ECMA-262, as JSON Schema requires, and printable ASCII only: generators of clients copy
// them into source code, where U+2028 would end the line.

// Quote returns a pattern that matches a text and nothing else.
func Quote(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(quoted(r))
	}
	return b.String()
}

// quoted returns the pattern of one character. A character beyond U+FFFF is a pair of surrogates, which a regular
// expression with the flag u reads as one character, and one without it as two.
func quoted(r rune) string {
	switch high, low := utf16.EncodeRune(r); {
	case ' ' <= r && r <= '~':
		return regexp.QuoteMeta(string(r))
	case r <= 0xff:
		return fmt.Sprintf(`\x%02X`, r) // Go reads it, too
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04X`, r)
	default:
		return fmt.Sprintf(`\u%04X\u%04X`, high, low)
	}
}

// QuoteAny returns a pattern that matches any of the characters of a text. Characters beyond U+FFFF are alternatives to
// the class of the others, for without the flag u a class would have their halves.
func QuoteAny(characters string) string {
	var class strings.Builder
	var either []string
	for _, r := range characters {
		switch {
		case r > 0xffff:
			either = append(either, quoted(r))
		case strings.ContainsRune(`\]^[-`, r):
			class.WriteString(`\` + string(r))
		case ' ' <= r && r <= '~':
			class.WriteRune(r)
		default:
			class.WriteString(quoted(r))
		}
	}
	switch {
	case either == nil:
		return "[" + class.String() + "]"
	case class.Len() > 0:
		either = append(either, "["+class.String()+"]")
	}
	return "(" + strings.Join(either, "|") + ")"
}

// What \s and \S mean in ECMA-262 (WhiteSpace and LineTerminator, section 12.2 and 12.3), as parts of a class in Go,
// where they mean ASCII alone.
const (
	spaces = `\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`
	others = `\x00-\x08\x0E-\x1F!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}` +
		`\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`
)

// QuoteFolded returns a pattern of a text in any case, because regular expressions in schemas have no flag for it.
// It uses Unicode folding: "K" has a third form, the Kelvin sign.
func QuoteFolded(text string) string {
	var b strings.Builder
	for _, r := range text {
		forms := []rune{r}
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			forms = append(forms, other)
		}
		if len(forms) == 1 {
			b.WriteString(Quote(string(r)))
		} else {
			b.WriteString(QuoteAny(string(forms)))
		}
	}
	return b.String()
}

// Compile returns the pattern of a schema as a regular expression of Go. The error is that of package regexp: it lacks
// the look-ahead and back references of ECMA-262.
func Compile(pattern string) (*regexp.Regexp, error) {
	var b strings.Builder
	inClass := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			text, length := escape(pattern[i:], inClass)
			b.WriteString(text)
			i += length - 1
			continue
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '.' && !inClass:
			b.WriteString(`[^\n\r\x{2028}\x{2029}]`)
			continue
		}
		b.WriteByte(c)
	}
	return regexp.Compile(b.String())
}

// escape returns the escape that a pattern begins with in the syntax of Go, and the length of the original.
func escape(pattern string, inClass bool) (text string, length int) {
	inBrackets := func(class string) (string, int) {
		if inClass {
			return class, 2
		}
		return "[" + class + "]", 2
	}
	switch pattern[1] {
	case 's':
		return inBrackets(spaces)
	case 'S':
		return inBrackets(others)
	case 'u':
		if end := strings.IndexByte(pattern, '}'); end > 0 && pattern[2] == '{' {
			return `\x` + pattern[2:end+1], end + 1
		}
		high, isUnit := unit(pattern)
		if !isUnit {
			break
		}
		if len(pattern) > 6 {
			if low, isPair := unit(pattern[6:]); isPair && utf16.IsSurrogate(high) && utf16.IsSurrogate(low) {
				return fmt.Sprintf(`\x{%X}`, utf16.DecodeRune(high, low)), 12
			}
		}
		return fmt.Sprintf(`\x{%X}`, high), 6
	}
	return pattern[:2], 2
}

// unit returns the number of an escape such as \u2028.
func unit(pattern string) (rune, bool) {
	if len(pattern) < 6 || pattern[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(pattern[2:6], 16, 16)
	return rune(n), err == nil
}
