package uritemplate_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/uritemplate"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, path string
		variables  []string
		suffix     bool
	}{
		{"/", "/", nil, false},
		{"/books", "/books", nil, false},
		{"/books{._format}", "/books", nil, true},
		{"/books/{id}", "/books/{id}", []string{"id"}, false},
		{"/books/{id}{._format}", "/books/{id}", []string{"id"}, true},
		{"/{a}/x/{b_2}", "/{a}/x/{b_2}", []string{"a", "b_2"}, false},
		{"/dragon-plunder.v1", "/dragon-plunder.v1", nil, false},
		{"/a%20b", "/a%20b", nil, false},
		{"/caf%C3%A9", "/caf%C3%A9", nil, false},
		{"/~user@home:x;y=1", "/~user@home:x;y=1", nil, false},
	} {
		got, err := uritemplate.Parse(test.text)
		if err != nil {
			t.Errorf("Parse(%q) fails: %v", test.text, err)
			continue
		}
		if got.Path() != test.path || !slices.Equal(got.Variables(), test.variables) || got.Suffix() != test.suffix {
			t.Errorf("Parse(%q) has the path %q, the variables %q and suffix %v", test.text, got.Path(), got.Variables(), got.Suffix())
		}
	}
}

func TestTheShapeHasNoNamesOfVariables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/":                        "/",
		"/books{._format}":         "/books",
		"/books/{id}{._format}":    "/books/{}",
		"/{a}/a/{b_2}/{c}":         "/{}/a/{}/{}",
		"/books/{isbn}/pages/{no}": "/books/{}/pages/{}",
	} {
		got, err := uritemplate.Parse(text)
		if err != nil || got.Shape() != want {
			t.Errorf("the shape of %q is %q, error %v, want %q", text, got.Shape(), err, want)
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":               "must begin with a slash",
		"books":          "must begin with a slash",
		"{id}":           "must begin with a slash",
		"/books/":        "has an empty segment",
		"//books":        "has an empty segment",
		"/{._format}":    "has an empty segment",
		"/a/./b":         `has the dot segment "."`,
		"/a/..":          `has the dot segment ".."`,
		"/a/{}":          "has the variable {}",
		"/a/{id-x}":      "has the variable {id-x}",
		"/a/{1}":         "has the variable {1}",
		"/a/{+id}":       "has the variable {+id}",
		"/a/x{id}":       "a variable must be a whole segment",
		"/a/{id}.json":   "a variable must be a whole segment",
		"/a/{id}/{id}":   "has the variable {id} twice",
		"/a b":           `write it percent-encoded as "a%20b"`,
		"/a?b":           "percent-encoded",
		"/a#b":           "percent-encoded",
		"/*":             "percent-encoded",
		"/a%zz":          "percent-encoded",
		"/café":          `write it percent-encoded as "caf%C3%A9"`,
		"/a{._format}/b": "a variable must be a whole segment",
	} {
		if _, err := uritemplate.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) gives the error %v, want one with %q", text, err, want)
		}
	}
}

func TestExpandEncodesValues(t *testing.T) {
	t.Parallel()
	template, err := uritemplate.Parse("/api/books/{id}/x{._format}")
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		"1":    "/api/books/1/x",
		"a/b":  "/api/books/a%2Fb/x",
		"a b":  "/api/books/a%20b/x",
		"é":    "/api/books/%C3%A9/x",
		"日本":   "/api/books/%E6%97%A5%E6%9C%AC/x",
		"100%": "/api/books/100%25/x",
		".":    "/api/books/%2E/x",
		"..":   "/api/books/%2E%2E/x",
		"...":  "/api/books/.../x",
		"a?b#": "/api/books/a%3Fb%23/x",
	} {
		if got := template.Expand(func(string) string { return value }); got != want {
			t.Errorf("of %q Expand makes %q, want %q", value, got, want)
		}
	}
	root, err := uritemplate.Parse("/")
	if err != nil || root.Expand(nil) != "/" {
		t.Errorf("the root expands to %q, %v", root.Expand(nil), err)
	}
}

func TestVariablesOfAPath(t *testing.T) {
	t.Parallel()
	template, err := uritemplate.Parse("/api/{year}/books/{id}{._format}")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][2]string{
		"/api/2026/books/7":    {"2026", "7"},
		"/api/a%2Fb/books/c.d": {"a%2Fb", "c.d"},
		"/api//books/7":        {"", "7"},
		"/7":                   {"", "7"},
		"":                     {"", ""},
	} {
		if got := [2]string{template.Variable(path, "year"), template.Variable(path, "id")}; got != want {
			t.Errorf("the variables of %s are %q, want %q", path, got, want)
		}
	}
	if got := template.Variable("/api/2026/books/7", "books"); got != "" {
		t.Errorf("a variable that is none is %q", got)
	}
}

func FuzzExpandCanBeReadBack(f *testing.F) {
	for _, value := range []string{"1", "a/b", "..", "é", "%2F", "x.json", "a;b,c", "\x00"} {
		f.Add(value)
	}
	template, err := uritemplate.Parse("/books/{id}")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if value == "" || !utf8.ValidString(value) {
			return
		}
		path := template.Expand(func(string) string { return value })
		segment, ok := strings.CutPrefix(path, "/books/")
		if !ok || strings.Contains(segment, "/") || segment == "." || segment == ".." {
			t.Fatalf("of %q Expand makes the path %q", value, path)
		}
		if segment != template.Variable(path, "id") {
			t.Errorf("the variable of %s is %q", path, template.Variable(path, "id"))
		}
		if back, err := url.PathUnescape(segment); err != nil || back != value {
			t.Errorf("%q comes back as %q, %v", value, back, err)
		}
	})
}

func FuzzParseNeverPanics(f *testing.F) {
	for _, text := range []string{"/", "/{id}{._format}", "/{", "/%", "{._format}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		template, err := uritemplate.Parse(text)
		if err == nil && !strings.HasPrefix(template.Path(), "/") {
			t.Errorf("Parse(%q) has the path %q", text, template.Path())
		}
	})
}
