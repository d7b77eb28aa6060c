package httpserve

import (
	"bytes"

	"github.com/trove-api/trove/internal/refusal"
)

// checkExtent refuses a body that is nested too deeply or has too many members and
// elements, before anything is made of it. Most bodies have too few brackets and commas
// for either, which is quickly seen.
func checkExtent(body []byte, maxDepth, maxMembers int) error {
	// Counting single bytes is done by the processor's wide instructions, so that a body which is within
	// the limits costs next to nothing here. Brackets and commas within strings count too much, never
	// too little.
	brackets := bytes.Count(body, []byte("{")) + bytes.Count(body, []byte("["))
	if brackets <= maxDepth && bytes.Count(body, []byte(","))+brackets <= maxMembers {
		return nil
	}
	depth, members := extent(body)
	switch {
	case depth > maxDepth:
		return raise(refusal.TooDeep, maxDepth)
	case members > maxMembers:
		return raise(refusal.TooMany, maxMembers)
	}
	return nil
}

// extent returns how deeply a JSON text is nested, and how many members and elements its
// objects and arrays have at least. It is no parser: of a text that is not JSON the numbers mean
// nothing, and need not, since the decoder refuses such a text whatever they are. It has to come
// before the decoder, whose memory a body of a million small members would take.
func extent(text []byte) (deepest, members int) {
	depth, opened := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			continue
		}
		if opened && c != '}' && c != ']' {
			members++
		}
		opened = false
		switch c {
		case ',':
			members++
		case '{', '[':
			depth++
			deepest, opened = max(deepest, depth), true
		case '}', ']':
			depth--
		case '"':
			i = endOfString(text, i)
		}
	}
	return deepest, members
}

// endOfString returns the index of the quotation mark that ends the string which begins
// at i.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
