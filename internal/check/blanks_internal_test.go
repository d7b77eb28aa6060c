package check

import (
	"slices"
	"testing"
	"unicode"

	"github.com/trove-api/trove/internal/schema"
)

// isSpace reports whether ECMA-262 has a character in its tables of white space (12.2) and line terminators (12.3).
func isSpace(r rune) bool {
	listed := []rune{'\t', '\n', '\v', '\f', '\r', ' ', '\u00a0', '\u1680', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff'}
	return slices.Contains(listed, r) || '\u2000' <= r && r <= '\u200a'
}

func TestBlankIsWhatECMAScriptCallsWhiteSpaceForEachCharacter(t *testing.T) {
	t.Parallel()
	pattern := notBlank(Subject{}).Keywords.Pattern
	said, err := schema.Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	last := rune(unicode.MaxRune)
	if testing.Short() {
		last = 0xffff // all white space is below
	}
	for r := rune(0); r <= last; r++ {
		text := string(r)
		if is := IsNotBlank(text); is == isSpace(r) || is != said.MatchString(text) {
			t.Errorf("%U is not blank: %v, by the pattern: %v, by ECMA-262: %v", r, is, said.MatchString(text), !isSpace(r))
		}
		if r > ' ' && !IsNotBlank(" \t"+text+"\ufeff") != isSpace(r) {
			t.Errorf("%U among white space is not found", r)
		}
	}
	if IsNotBlank("") || IsNotBlank("  ") || !IsNotBlank("\xff") {
		t.Error("the check of several characters is wrong")
	}
}
