package resource

import (
	"testing"

	"github.com/go-chi/chi/v5"
)

func TestAPatternIsAloneWhereNoOtherMatchesItsPaths(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		pattern string
		others  []string
		alone   bool
	}{
		"among none":                         {"/books", nil, true},
		"beside itself":                      {"/books/{id}", []string{"/books/{id}"}, true},
		"beside other literals":              {"/books", []string{"/cars", "/"}, true},
		"beside shorter and longer ones":     {"/books/{id}", []string{"/books", "/books/{id}/pages", "/"}, true},
		"beside a variable elsewhere":        {"/books/new", []string{"/cars/{id}"}, true},
		"but not beside a variable":          {"/books/new", []string{"/books/{id}"}, false},
		"nor where it has one":               {"/books/{id}", []string{"/books/new"}, false},
		"nor beside one of another name":     {"/books/{id}", []string{"/books/{isbn}"}, false},
		"nor where a segment has one":        {"/books/new", []string{"/books/{id}.json"}, false},
		"nor beside a variable further up":   {"/books/{id}", []string{"/{shelf}/7"}, false},
		"nor where it has one further up":    {"/{shelf}/7", []string{"/books/{id}"}, false},
		"nor below an asterisk":              {"/books/{id}", []string{"/books/*"}, false},
		"nor far below one":                  {"/books/{id}/pages", []string{"/*"}, false},
		"nor where a router is within":       {"/books", []string{"/books/*"}, false},
		"but above an asterisk":              {"/books", []string{"/books/{id}/*"}, true},
		"nor beside the last of many others": {"/books/new", []string{"/a", "/b/{c}", "/books", "/books/{id}"}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			routes := []chi.Route{{Pattern: test.pattern}}
			for _, other := range test.others {
				routes = append(routes, chi.Route{Pattern: other})
			}
			if got := newFork(routes).isAlone(test.pattern); got != test.alone {
				t.Errorf("%s among %q is alone: %v, want %v", test.pattern, test.others, got, test.alone)
			}
		})
	}
}
