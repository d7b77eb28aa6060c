package route_test

import (
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/internal/route"
)

func TestWhatIsAtAPath(t *testing.T) {
	t.Parallel()
	const none = "none"
	tests := map[string]struct {
		patterns []string // GET, or the method before the space
		request  string
		want     string
	}{
		"a literal goes before a variable":                 {[]string{"/a/{x}", "/a/b"}, "GET /a/b", "/a/b"},
		"a variable takes what is no literal":              {[]string{"/a/{x}", "/a/b"}, "GET /a/bb", "/a/{x}"},
		"what leads nowhere is gone back from":             {[]string{"/a/{x}/c", "/a/b/d"}, "GET /a/b/c", "/a/{x}/c"},
		"and so is what lacks the method":                  {[]string{"POST /a/b", "/a/{x}"}, "GET /a/b", "/a/{x}"},
		"a method that is not there is nothing":            {[]string{"/a/b"}, "PUT /a/b", none},
		"an encoded slash parts no segments":               {[]string{"/a/{x}"}, "GET /a/b%2Fc", "/a/{x}"},
		"an empty segment is a variable within the path":   {[]string{"/a/{x}/c"}, "GET /a//c", "/a/{x}/c"},
		"but not at its end":                               {[]string{"/a/{x}"}, "GET /a/", none},
		"a slash at the end is a path of its own":          {[]string{"/a", "/a/"}, "GET /a/", "/a/"},
		"an asterisk takes all of the rest":                {[]string{"/a/*"}, "GET /a/b/c/", "/a/*"},
		"and nothing, too":                                 {[]string{"/a/*"}, "GET /a/", "/a/*"},
		"but not less":                                     {[]string{"/a/*"}, "GET /a", none},
		"it goes after all others":                         {[]string{"/*", "/{x}", "/a"}, "GET /b", "/{x}"},
		"the root is a path":                               {[]string{"/"}, "GET /", "/"},
		"a path without a slash is none":                   {[]string{"/", "/*"}, "OPTIONS *", none},
		"before a regular expression a literal is known":   {[]string{"/a/{x:[0-9]+}", "/a/7"}, "GET /a/7", "/a/7"},
		"after one nothing is":                             {[]string{"/a/{x:[0-9]+}", "/a/{x}"}, "GET /a/b", none},
		"nor after a variable in part of a segment":        {[]string{"/a/{x}.txt", "/a/{x}"}, "GET /a/b", none},
		"elsewhere it is":                                  {[]string{"/a/{x}.txt", "/b/{x}"}, "GET /b/c", "/b/{x}"},
		"an asterisk for all methods goes after the named": {[]string{"* /a", "GET /a"}, "GET /a", "/a"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tree route.Tree
			for _, pattern := range test.patterns {
				method, path, ok := strings.Cut(pattern, " ")
				if !ok {
					method, path = http.MethodGet, pattern
				}
				tree.Add(route.Route{Method: method, Pattern: path})
			}
			method, path, _ := strings.Cut(test.request, " ")
			got := none
			if found, _ := tree.Match(method, path); found != nil {
				got = found.Pattern
			}
			if got != test.want {
				t.Errorf("at %s is %s, want %s", test.request, got, test.want)
			}
		})
	}
}

// TestTreeAndChiFindTheSame compares the tree with a router of chi's that has the same
// patterns, drawn at random as are the paths.
func TestTreeAndChiFindTheSame(t *testing.T) {
	t.Parallel()
	const seed = 8
	random := rand.New(rand.NewPCG(seed, seed))
	matched, unclear := 0, 0
	for range 3000 {
		router, tree, patterns := chi.NewRouter(), route.Tree{}, make([]string, 0, 8)
		nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
		odd := random.IntN(3) == 0
		known := map[string]bool{}
		for range 1 + random.IntN(8) {
			pattern, method := randomPattern(random, odd), pick(random, "GET", "POST", "PUT")
			shape := method + names.ReplaceAllString(pattern, "{")
			if known[shape] { // of two, chi has the later
				continue
			}
			known[shape] = true
			router.Method(method, pattern, nothing)
			tree.Add(route.Route{Method: method, Pattern: pattern})
			patterns = append(patterns, pattern)
		}
		for range 40 {
			path, method := randomPath(random), pick(random, "GET", "POST", "PUT", "BREW")
			want := router.Find(chi.NewRouteContext(), method, path)
			found, _ := tree.Match(method, path)
			switch {
			case found != nil && found.Pattern != want:
				t.Fatalf("%s %s is at %q, by chi at %q; patterns %q", method, path, found.Pattern, want, patterns)
			case found == nil && want != "" && !odd:
				t.Fatalf("%s %s is at nothing, by chi at %q; patterns %q", method, path, want, patterns)
			case found != nil:
				matched++
			case want != "":
				unclear++
			}
		}
	}
	if matched < 1000 || unclear < 100 {
		t.Errorf("%d paths are found and %d are unclear: that compares little", matched, unclear)
	}
}

var names = regexp.MustCompile(`\{[a-z]+`)

func randomPattern(random *rand.Rand, odd bool) string {
	segments := []string{"a", "ab", "b", "abc", "a%2Fb", "{x}", "{y}", "{x}"}
	if odd {
		segments = append(segments, "{x:[a-b]+}", "a{x}", "{x}.b", "{x}-{y}")
	}
	var pattern strings.Builder
	for i := range random.IntN(4) {
		segment := pick(random, segments...)
		if strings.Contains(pattern.String(), "{") { // chi takes each name once
			segment = strings.NewReplacer("x", "z"+string(rune('a'+i)), "y", "w"+string(rune('a'+i))).Replace(segment)
		}
		pattern.WriteString("/" + segment)
	}
	switch {
	case random.IntN(6) == 0:
		return pattern.String() + "/*"
	case pattern.Len() == 0, random.IntN(12) == 0:
		return pattern.String() + "/"
	}
	return pattern.String()
}

func randomPath(random *rand.Rand) string {
	var path strings.Builder
	for range 1 + random.IntN(4) {
		path.WriteString("/" + pick(random, "a", "ab", "b", "abc", "a%2Fb", "abcd", "", ".", "a.b", "a-b", "%20"))
	}
	return path.String()
}

func pick(random *rand.Rand, from ...string) string { return from[random.IntN(len(from))] }
