package schema_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/schema"
)

func TestPatternsOfTextsArePrintableASCII(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"":       {``, `[]`},
		"a.b":    {`a\.b`, `[a.b]`},
		"]^[-\\": {`\]\^\[-\\`, `[\]\^\[\-\\]`},
		"\té":    {`\x09\xE9`, `[\x09\xE9]`},
		"\u2028": {`\u2028`, `[\u2028]`},
		"a😀":     {`a\uD83D\uDE00`, `(\uD83D\uDE00|[a])`},
		"😀":      {`\uD83D\uDE00`, `(\uD83D\uDE00)`},
	} {
		if got := schema.Quote(text); got != want[0] {
			t.Errorf("the pattern of %q is %s, want %s", text, got, want[0])
		}
		if got := schema.QuoteAny(text); got != want[1] {
			t.Errorf("the pattern of the characters %q is %s, want %s", text, got, want[1])
		}
	}
}

func TestPatternsAreThoseOfECMAScript(t *testing.T) {
	t.Parallel()
	const spaces = "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
	for pattern, want := range map[string]string{ // the characters that match
		`\s`: spaces, `[\s]`: spaces, `[^\S]`: spaces, `\S`: "a\x1c\u0085\u180e\u200b😀", `[\Sx]`: "a\x1c\u0085\u180e\u200b😀", `[^\s]`: "a\x1c\u0085\u180e\u200b😀",
		`.`: "\t\v\f \u00a0\u1680\u2000\u200a\u202f\u205f\u3000\ufeffa\x1c\u0085\u180e\u200b😀", `[.]`: "", `\u2028`: "\u2028", `\uD83D\uDE00`: "😀", `\u{1F600}`: "😀", `[\u{1f600}a]`: "a😀", `\u0061`: "a",
	} {
		made, err := schema.Compile(pattern)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, r := range spaces + "a\x1c\u0085\u180e\u200b😀" {
			if got := made.MatchString(string(r)); got != strings.ContainsRune(want, r) {
				t.Errorf("%s matches %q: %v", pattern, r, got)
			}
		}
	}
	for _, pattern := range []string{`\u12`, `\u`, `\`, `[`, `(?=a)`} {
		if _, err := schema.Compile(pattern); err == nil {
			t.Errorf("%s compiles", pattern)
		}
	}
}
