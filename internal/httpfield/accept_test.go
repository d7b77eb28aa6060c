package httpfield_test

import (
	"testing"

	"github.com/trove-api/trove/internal/httpfield"
)

func TestAccept(t *testing.T) {
	t.Parallel()
	const json, csv, html = "application/json", "text/csv", "text/html"
	for _, test := range []struct {
		rule   string
		header []string
		offers []string
		want   string // "" for none
	}{
		{"no field takes the first offer", nil, []string{json, csv}, json},
		{"an empty field takes the first offer", []string{""}, []string{json}, json},
		{"anything takes the first offer", []string{"*/*"}, []string{json, csv}, json},
		{"an exact type is taken", []string{"text/csv"}, []string{json, csv}, csv},
		{"a type that is not offered is rejected", []string{"text/csv"}, []string{json}, ""},
		{"a range of subtypes is taken", []string{"text/*"}, []string{json, csv}, csv},
		{"the heavier type wins", []string{"application/json;q=0.5, text/csv;q=0.9"}, []string{json, csv}, csv},
		{"at the same weight the earlier offer wins", []string{"text/csv, application/json"}, []string{json, csv}, json},
		{"a weight of zero refuses", []string{"application/json;q=0"}, []string{json}, ""},
		{"the more specific range decides", []string{"*/*, application/json;q=0"}, []string{json}, ""},
		{"a specific range decides whatever its place", []string{"application/json;q=0.1, */*;q=0.9"}, []string{json, csv}, csv},
		{"several lines are one list", []string{"text/html", "text/csv"}, []string{json, csv}, csv},
		{"letter case does not matter", []string{"Application/JSON;Q=1"}, []string{json}, json},
		{"other parameters are passed over", []string{"application/json; charset=utf-8"}, []string{json}, json},
		{"parameters that are not well formed are passed over", []string{`text/csv;a, application/json;b="c;q=0.5`}, []string{json, csv}, csv},
		{"an unquoted URL is a parameter", []string{"text/csv;profile=http://www.example.com/a#b, application/json;q=0.9"}, []string{json, csv}, csv},
		{"a second weight is passed over", []string{"text/csv;q=0.9;q=0.1, application/json;q=0.5"}, []string{json, csv}, csv},
		{"a range that is not well formed is passed over", []string{"json, */json, text/csv;q=x, application/json"}, []string{csv, json}, json},
		{"nothing well formed takes the first offer", []string{"garbage"}, []string{json}, json},
		{"a weight over one is not well formed", []string{"text/csv;q=2, application/json"}, []string{csv, json}, json},
		{"a browser prefers a page", []string{"text/html,application/xml;q=0.9,*/*;q=0.8"}, []string{json, html}, html},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got, ok := httpfield.Accept(test.header, test.offers, nil)
			if got != test.want || ok != (test.want != "") {
				t.Errorf("Accept(%q, %q) = %q, %v; want %q", test.header, test.offers, got, ok, test.want)
			}
		})
	}
}

func TestContentType(t *testing.T) {
	t.Parallel()
	supported := []string{"application/merge-patch+json", "application/json"}
	for header, want := range map[string]bool{
		"application/json":                  true,
		"application/merge-patch+json":      true,
		"APPLICATION/JSON":                  true,
		"application/json; charset=utf-8":   true,
		`application/json; charset="UTF-8"`: true,
		"application/json; profile=x":       true,
		"application/json; charset=latin1":  false,
		"text/plain":                        false,
		"application/jsonx":                 false,
		"application/json; charset":         false,
		"":                                  false,
		"/":                                 false,
	} {
		if _, ok := httpfield.ContentType(header, supported, nil); ok != want {
			t.Errorf("ContentType(%q) = %v, want %v", header, ok, want)
		}
	}
}

func FuzzAcceptPicksOnlyWhatIsOffered(f *testing.F) {
	f.Add("text/html,application/xml;q=0.9,*/*;q=0.8")
	f.Add(";q=,/;,*/*;q=NaN")
	f.Fuzz(func(t *testing.T, header string) {
		got, ok := httpfield.Accept([]string{header}, []string{"application/json"}, nil)
		if ok != (got == "application/json") {
			t.Errorf("Accept(%q) = %q, %v", header, got, ok)
		}
	})
}
