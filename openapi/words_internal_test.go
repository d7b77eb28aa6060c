package openapi

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestNamesAsWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Book":           "book",
		"DragonTreasure": "dragon treasure",
		"HTTPServer":     "HTTP server",
		"APIToken":       "API token",
		"MyURLs":         "my urls",
		"OAuth2Client":   "oauth2 client",
		"snake_case":     "snake case",
		"Double__Under":  "double under",
		"mostValuable":   "most valuable",
		"X":              "x",
		"Ärger":          "ärger",
	} {
		if got := phrase(name); got != want {
			t.Errorf("phrase(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestTextsBecomeSentences(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		texts []string
		want  string
	}{
		"nothing is nothing":              {[]string{"", ""}, ""},
		"one text stays as it is":         {[]string{"", "as printed", ""}, "As printed."},
		"the last one too":                {[]string{"as printed"}, "as printed"},
		"two are sentences":               {[]string{"as printed", "must be long."}, "As printed. Must be long."},
		"a question stays a question":     {[]string{"is it?", "it is"}, "Is it? It is."},
		"empty ones between are left out": {[]string{"One", "", "two"}, "One. Two."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := sentences(test.texts...); got != test.want {
				t.Errorf("sentences(%q) = %q, want %q", test.texts, got, test.want)
			}
		})
	}
}

func TestNamesOfComponents(t *testing.T) {
	t.Parallel()
	allowed := regexp.MustCompile(`^[a-zA-Z0-9._-]*$`)
	for name, want := range map[string]string{
		"Book": "Book", "book": "Book", "Page[int]": "Pageint", "Local·12": "Local", "Größe": "GrUF6UDFe", "日": "U65E5", "": "",
	} {
		if got := cleanName(name); got != want || !allowed.MatchString(got) {
			t.Errorf("cleanName(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzPatternsInAnyCase(f *testing.F) {
	f.Add("red", "RED")
	f.Add("kelvin", "\u212aelvin")
	f.Add("straße", "STRASSE")
	f.Add("a+b", "A+B")
	f.Add("", "\n")
	f.Fuzz(func(t *testing.T, text, other string) {
		if !utf8.ValidString(text) || !utf8.ValidString(other) {
			t.Skip("not UTF-8")
		}
		pattern, err := regexp.Compile("^" + foldedPattern(text) + "$")
		if err != nil {
			t.Fatalf("the pattern of %q: %v", text, err)
		}
		for _, other := range []string{other, strings.ToUpper(text), strings.ToLower(text), strings.Map(unicode.SimpleFold, text)} {
			if got, want := pattern.MatchString(other), strings.EqualFold(text, other); got != want {
				t.Errorf("the pattern of %q matches %q: %v, want %v", text, other, got, want)
			}
		}
	})
}
