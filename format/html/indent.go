package html

import (
	"unicode/utf8"

	"github.com/trove-api/trove/format/internal/scan"
)

const (
	maxString = 1_000   // bytes of a string in the JSON that a page shows
	maxShown  = 100_000 // bytes of that JSON
)

// indent returns well-formed JSON on several lines. It cuts long strings, and the end; cut reports whether it did.
func indent(text []byte) (pretty string, isCut bool) {
	b := make([]byte, 0, min(2*len(text), 2*maxShown))
	depth := 0
	line := func() {
		b = append(b, '\n')
		for range min(depth, 40) {
			b = append(b, ' ', ' ')
		}
	}
	for i := 0; i < len(text); {
		if len(b) > maxShown {
			return string(b) + "…", true
		}
		switch c := text[i]; c {
		case '"':
			end, _ := scan.String(text, i)
			quoted := text[i:end]
			if i = end; len(quoted) > maxString {
				quoted, isCut = cutQuoted(quoted), true
			}
			b = append(b, quoted...)
			continue
		case '{', '[':
			b = append(b, c)
			if next := scan.Space(text, i+1); next < len(text) && (text[next] == '}' || text[next] == ']') {
				b, i = append(b, text[next]), next+1
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			b = append(b, c)
		case ',':
			b = append(b, c)
			line()
		case ':':
			b = append(b, ':', ' ')
		case ' ', '\n', '\t', '\r':
		default:
			b = append(b, c)
		}
		i++
	}
	return string(b), isCut
}

// cutQuoted returns the beginning of a JSON string.
func cutQuoted(quoted []byte) []byte {
	end := maxString
	for end > 0 && !utf8.RuneStart(quoted[end]) {
		end--
	}
	made := make([]byte, 0, end+4)
	return append(append(made, quoted[:end]...), "…\""...)
}
