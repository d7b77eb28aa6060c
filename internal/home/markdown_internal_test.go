package home

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMarkdownBecomesParagraphs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		markdown string
		want     []paragraph
	}{
		"nothing":               {"  \r\n\n", nil},
		"lines are one":         {"one\r\ntwo\n\nthree", []paragraph{{"one two"}, {"three"}}},
		"code":                  {"use `a` and `b`", []paragraph{{"use ", "a", " and ", "b", ""}}},
		"code that has no end":  {"use `a", []paragraph{{"use ", "a"}}},
		"headings":              {"# Books\nAll of them.\n## More", []paragraph{{"Books"}, {"All of them."}, {"More"}}},
		"lists":                 {"Has:\n- one\n  and a half\n* two", []paragraph{{"Has:"}, {"• one and a half"}, {"• two"}}},
		"links and emphasis":    {"see **the** [guide](https://example.com/x)", []paragraph{{"see the guide"}}},
		"no link to a script":   {"[x](javascript:alert(1))", []paragraph{{"x)"}}},
		"a number sign is text": {"#1 of 5 - 2", []paragraph{{"#1 of 5 - 2"}}},
	} {
		if diff := cmp.Diff(test.want, paragraphs(test.markdown)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
