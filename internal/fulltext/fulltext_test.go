package fulltext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/fulltext"
	"github.com/trove-api/trove/store"
)

func TestTheWordsOfATextAreItsLettersMarksAndDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                        nil,
		" !?. ":                   nil,
		"The golden crown":        {"the", "golden", "crown"},
		"it's foo_bar-baz x2":     {"it", "s", "foo", "bar", "baz", "x2"},
		"ÉTÉ été e\u0301te\u0301": {"été", "été", "été"},
		"ﬁne ２０２６ Ⅷ":              {"fine", "2026", "viii"},
		"ΣΊΣΥΦΟΣ σίσυφος":         {"σίσυφοσ", "σίσυφοσ"},
		"हिन्दी 日本語 a\x00b \xff":       {"हिन्दी", "日本語", "a", "b"},
		strings.Repeat("é", 300):       {strings.Repeat("é", 100)},
		strings.Repeat("a ", 252):      append(slices.Repeat([]string{"a"}, 250), "\uFFFD", "\uFFFD"),
		"x" + strings.Repeat("é", 150): {"x" + strings.Repeat("é", 99)},
	} {
		if got := fulltext.Words("", text); !slices.Equal(got, want) {
			t.Errorf("%.40q has the words %q, want %q", text, got, want)
		}
	}
}

func TestLanguagesReduceWordsToTheirStems(t *testing.T) {
	t.Parallel()
	for language, words := range map[string][2]string{
		"english": {"Crowns running", "crown run"}, "german": {"Häuser", "haus"}, "french": {"continuellement", "continuel"},
		"spanish": {"coronas", "coron"}, "swedish": {"kronorna", "kron"}, "": {"Crowns", "crowns"},
	} {
		if got := strings.Join(fulltext.Words(language, words[0]), " "); got != words[1] {
			t.Errorf("%s: the stems of %q are %q, want %q", language, words[0], got, words[1])
		}
	}
}

func TestALongTextIsSearchedToALimit(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "w%d ", i)
	}
	if got := len(fulltext.Words("", text.String())); got != 16_000 {
		t.Errorf("%d words", got)
	}
	text.Reset()
	for i := range 4000 {
		fmt.Fprintf(&text, "%0200d ", i)
	}
	if got := len(fulltext.Words("", text.String())); got != 500_000/208 {
		t.Errorf("%d long words", got)
	}
	if fulltext.Phrase("", strings.Repeat("a ", 101)) != nil || fulltext.Phrase("", strings.Repeat("a ", 100)) == nil {
		t.Error("a phrase has another limit than 100 words")
	}
}

func TestQueriesHaveTheSyntaxOfSearchEngines(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                             "[]",
		" - \"\" -\"\" or OR -or":      "[[{or true}]]",
		"gold crown":                   "[[{gold false} {crown false}]]",
		`"gold crown" -"old ring" x`:   "[[{gold crown false} {old ring true} {x false}]]",
		"gold OR silver -ring or Or a": "[[{gold false}] [{silver false} {ring true}] [{a false}]]",
		`"or" gold`:                    "[[{or false} {gold false}]]",
		`a"b c"d`:                      "[[{a false} {b c false} {d false}]]",
		`"never closed`:                "[[{never false} {closed false}]]",
		"foo-bar --x a* (b) & | !":     "[[{foo-bar false} {-x true} {a* false} {(b) false}]]",
		"a b a -a":                     "[[{a false} {b false} {a true}]]",
		`-"`:                           "[]",
		"- a":                          "[[{a false}]]",
	} {
		got, err := fulltext.Parse(query)
		if text := fmt.Sprint(got); err != nil || text != want {
			t.Errorf("%q means %s (%v), want %s", query, text, err, want)
		}
	}
	if _, err := fulltext.Parse(strings.Repeat("a ", 33)); err == nil || err.Error() != "must have at most 32 words" {
		t.Errorf("33 words: %v", err)
	}
	if _, err := fulltext.Parse(`"` + strings.Repeat("a ", 33) + `"`); err == nil {
		t.Error("a phrase of 33 words is allowed")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`gold "golden crown" OR -silver`, "english")
	f.Add(`-"a" or --"`, "turkish")
	f.Fuzz(func(t *testing.T, text, language string) {
		for _, language := range append(fulltext.Languages(), language) {
			words := fulltext.Words(language, text)
			if again := fulltext.Words(language, store.Fold(text)); !slices.Equal(words, again) && utf8.ValidString(text) {
				t.Errorf("%s: %q has the words %q, and in another case %q", language, text, words, again)
			}
			for _, word := range words {
				if word == "" || len(word) > 250 || strings.ContainsAny(word, " '\"\\:_") {
					t.Errorf("%s: %q has the word %q", language, text, word)
				}
			}
		}
		alternatives, err := fulltext.Parse(text)
		if err != nil {
			return
		}
		terms := 0
		for _, list := range alternatives {
			if len(list) == 0 {
				t.Errorf("%q has an empty alternative", text)
			}
			for _, term := range list {
				if terms++; len(fulltext.Words("", term.Text)) == 0 {
					t.Errorf("%q has the term %q", text, term.Text)
				}
			}
		}
		if terms > fulltext.MaxTerms {
			t.Errorf("%q has %d terms", text, terms)
		}
	})
}
