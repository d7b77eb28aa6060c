package memory

import (
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/store"
)

// textTest returns the test of an operator that looks into text, for what store.Fold made
// of its value; nil for another one. The text itself is not folded, for that would make a
// copy of each that is looked at.
func textTest(operator store.Operator) func(text, folded string) bool {
	switch operator {
	case store.EqualFold:
		return strings.EqualFold
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

func contains(text, folded string) bool {
	if folded == "" {
		return true
	}
	first := rune(folded[0])
	for i, c := range text {
		if c < utf8.RuneSelf && first < utf8.RuneSelf && lower(c) != first {
			continue
		}
		if hasPrefix(text[i:], folded) {
			return true
		}
	}
	return false
}

func lower(c rune) rune {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// hasPrefix compares character by character: one and the same letter may have more bytes in
// one case than in the other.
func hasPrefix(text, folded string) bool {
	for i := 0; i < len(folded); {
		if text == "" {
			return false
		}
		if text[0] < utf8.RuneSelf && folded[i] < utf8.RuneSelf {
			if lower(rune(text[0])) != rune(folded[i]) {
				return false
			}
			text, i = text[1:], i+1
			continue
		}
		_, n := utf8.DecodeRuneInString(text)
		_, m := utf8.DecodeRuneInString(folded[i:])
		if !strings.EqualFold(text[:n], folded[i:i+m]) {
			return false
		}
		text, i = text[n:], i+m
	}
	return true
}

func hasSuffix(text, folded string) bool {
	start := len(text)
	for range folded {
		if start == 0 {
			return false
		}
		_, n := utf8.DecodeLastRuneInString(text[:start])
		start -= n
	}
	return hasPrefix(text[start:], folded)
}

func hasWordPrefix(text, folded string) bool {
	for !hasPrefix(text, folded) {
		space := strings.IndexByte(text, ' ')
		if space < 0 {
			return false
		}
		text = text[space+1:]
	}
	return true
}
