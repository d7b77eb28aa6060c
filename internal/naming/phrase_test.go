package naming_test

import (
	"testing"

	"github.com/trove-api/trove/internal/naming"
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
		if got := naming.Phrase(name); got != want {
			t.Errorf("Phrase(%q) = %q, want %q", name, got, want)
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
			if got := naming.Sentences(test.texts...); got != test.want {
				t.Errorf("Sentences(%q) = %q, want %q", test.texts, got, test.want)
			}
		})
	}
}

func TestLabelsNameFieldsForPeople(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"publishedAt": "Published at", "id": "ID", "url": "URL", "imageURL": "Image URL", "first_name": "First name", "first-name": "First name",
	} {
		if got := naming.Label(name); got != want {
			t.Errorf("Label(%q) is %q, want %q", name, got, want)
		}
	}
}
