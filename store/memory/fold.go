package memory

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/store"
)

// part is a text to look for in others, folded. What looks for it folds no text, for that
// would make a copy of each: it compares letters in all their cases.
type part struct {
	text string
	// ascii says that it has ASCII characters only.
	ascii bool
	// foreign says that it has letters which fold to others: in a text that is not ASCII
	// it may be written without ASCII, or the other way round.
	foreign bool
}

func partOf(text string) part {
	p := part{text: store.Fold(text)}
	p.ascii = isASCII(p.text)
	p.foreign = !p.ascii || strings.ContainsAny(p.text, "ks") // as the Kelvin sign and the long s do
	return p
}

// textTest returns the test of an operator that looks into text; nil for another one.
func textTest(operator store.Operator) func(text string, part part) bool {
	switch operator {
	case store.EqualFold:
		return func(text string, part part) bool { return strings.EqualFold(text, part.text) }
	case store.Contains:
		return contains
	case store.HasPrefix:
		return hasPrefix
	case store.HasSuffix:
		return hasSuffix
	case store.HasWordPrefix:
		return hasWordPrefix
	}
	return nil
}

func contains(text string, part part) bool {
	switch {
	case part.ascii && containsASCII(text, part.text):
		return true
	case !part.foreign || isASCII(text):
		return false
	}
	for i := range text {
		if hasPrefix(text[i:], part) {
			return true
		}
	}
	return false
}

// hasPrefix compares as many characters as the part has.
func hasPrefix(text string, part part) bool {
	if part.ascii && !part.foreign {
		return len(text) >= len(part.text) && equalASCII(text[:len(part.text)], part.text)
	}
	end := 0
	for range part.text {
		if end == len(text) {
			return false
		}
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
	}
	return strings.EqualFold(text[:end], part.text)
}

func hasSuffix(text string, part part) bool {
	if part.ascii && !part.foreign {
		return len(text) >= len(part.text) && equalASCII(text[len(text)-len(part.text):], part.text)
	}
	start := len(text)
	for range part.text {
		if start == 0 {
			return false
		}
		_, n := utf8.DecodeLastRuneInString(text[:start])
		start -= n
	}
	return strings.EqualFold(text[start:], part.text)
}

func hasWordPrefix(text string, part part) bool {
	for {
		if hasPrefix(text, part) {
			return true
		}
		space := strings.IndexByte(text, ' ')
		if space < 0 {
			return false
		}
		text = text[space+1:]
	}
}

// equalASCII compares a text with a folded one that is ASCII and as long.
func equalASCII(text, folded string) bool {
	for i := range len(folded) {
		if lower(text[i]) != folded[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// containsASCII looks for a folded part that is ASCII. Eight bytes at a time are compared
// with the first of the part in both cases.
func containsASCII(text, part string) bool {
	if part == "" {
		return true
	}
	if len(text) < 8 {
		return containsShort(text, part)
	}
	last := len(text) - len(part)
	small, large := uint64(part[0])*ones, uint64(upper(part[0]))*ones
	for at := 0; at <= last; at += 8 {
		from := min(at, len(text)-8) // some of the last eight are looked at twice
		s := text[from : from+8]
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | // becomes one load
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		a, b := word^small, word^large
		for hits := ((a-ones)&^a | (b-ones)&^b) & tops; hits != 0; hits &= hits - 1 {
			if i := from + bits.TrailingZeros64(hits)/8; i <= last && equalASCII(text[i:i+len(part)], part) {
				return true
			}
		}
	}
	return false
}

// containsShort looks into a text of less than eight bytes.
func containsShort(text, part string) bool {
	for ; len(text) >= len(part); text = text[1:] {
		if equalASCII(text[:len(part)], part) {
			return true
		}
	}
	return false
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}
