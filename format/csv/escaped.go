package csv

import "bytes"

// appendEscaped appends the cell of a JSON string, and reports whether it could: where the text needs quotation
// marks, no guard, and has the most common escapes alone. Long texts with lines and quotations are so; they
// are written in one pass, without being put down as they are first.
func appendEscaped(b, quoted []byte) ([]byte, bool) {
	begin, text := len(b), quoted[1:len(quoted)-1]
	if len(text) == 0 || text[0] == '\\' || isFirstOfGuarded(text[0]) {
		return b, false
	}
	needsQuotes := bytes.IndexByte(text, ',') >= 0
	b = append(b, '"')
	for at := bytes.IndexByte(text, '\\'); at >= 0; at = bytes.IndexByte(text, '\\') {
		b = append(b, text[:at]...)
		switch c := text[at+1]; c {
		case '"':
			b, needsQuotes = append(b, `""`...), true
		case 'n':
			b, needsQuotes = append(b, '\n'), true
		case 'r':
			b, needsQuotes = append(b, '\r'), true
		case 't':
			b = append(b, '\t')
		case '\\', '/':
			b = append(b, c)
		default:
			return b[:begin], false
		}
		text = text[at+2:]
	}
	if !needsQuotes {
		return b[:begin], false
	}
	return append(append(b, text...), '"'), true
}
