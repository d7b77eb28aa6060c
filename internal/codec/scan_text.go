package codec

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// quoted reads the string at i. What it says is valid until the next one is read.
func (d *decoding) quoted(i int) (text []byte, end int) {
	if d.at(i) != '"' {
		return nil, gaveUp
	}
	start := i + 1
	end = start + plainLength(d.body[start:])
	if d.at(end) != '"' {
		return d.quotedSpecial(start, end)
	}
	return d.body[start:end], end + 1
}

// quotedSpecial reads a string that is not all plain: it is up to the byte at i.
// Control characters must be escaped (RFC 8259, section 7), and U+0000 must not be there at all,
// which the scanner learns of once the escapes are read. Behind the end of the body stands a 0,
// which ends a string that nothing closes.
func (d *decoding) quotedSpecial(start, i int) (text []byte, end int) {
	escaped := false
	for ; d.at(i) != '"'; i++ {
		switch {
		case d.at(i) < ' ':
			return nil, gaveUp
		case d.body[i] == '\\':
			escaped = true
			i++
		}
	}
	text = d.body[start:i]
	switch {
	case escaped:
		return d.unescape(d.body[start-1:i+1], i+1)
	case !utf8.Valid(text):
		return nil, gaveUp
	}
	return text, i + 1
}

// unescape returns what a string with escapes says, which ends there.
func (d *decoding) unescape(raw []byte, end int) ([]byte, int) {
	var err error
	d.scratch, err = jsontext.AppendUnquote(d.scratch[:0], raw)
	if err != nil || bytes.IndexByte(d.scratch, 0) >= 0 {
		return nil, gaveUp
	}
	return d.scratch, end
}

// The text is noted, not made: all strings of a body get one piece of memory, see stringArena.
func scanString(d *decoding, at address, i int) int {
	text, end := d.quoted(i)
	if end != gaveUp {
		d.strings.add(as[string](at), text)
	}
	return end
}

// Bytes are not shared with the body, whose room the next request gets.
func scanBytes(d *decoding, at address, i int) int {
	text, end := d.quoted(i)
	if end == gaveUp {
		return gaveUp
	}
	made, ok := parseBase64(text)
	if !ok {
		return gaveUp
	}
	*as[[]byte](at) = made
	return end
}
