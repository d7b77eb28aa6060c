package openapi_test

import (
	"compress/gzip"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

func TestThePolicyAllowsNoInlineCode(t *testing.T) {
	t.Parallel()
	w := get(t, mounted(t, resource.Of[Category]{}), "/api/docs")
	want := "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	if policy := w.Header().Get("Content-Security-Policy"); policy != want {
		t.Errorf("the policy is %s, want %s", policy, want)
	}
	if inline := regexp.MustCompile(`(?i)<style|<script[^>]*>[^<]|\s(?:style|on[a-z]+)=`).FindString(w.Body.String()); inline != "" {
		t.Errorf("the page has inline code: %s", inline)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// loaded returns the paths that a page loads.
func loaded(t *testing.T, page string) (paths []string) {
	t.Helper()
	for _, match := range regexp.MustCompile(`<(?:link|script|img)[^>]*(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		paths = append(paths, match[1])
	}
	if len(paths) == 0 {
		t.Fatal("the page loads nothing")
	}
	return paths
}

func TestThePageLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range loaded(t, get(t, api, "/api/docs").Body.String()) {
		if w := get(t, api, path); !strings.HasPrefix(path, "/api/docs") || w.Code != 200 {
			t.Errorf("the page loads %s, which returns %d", path, w.Code)
		}
	}
}

func TestModulesOfThePageImportOnlyEachOther(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	seen, next := map[string]bool{}, []string{"main.js"}
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		w := get(t, api, "/api/docs/"+name)
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") {
			t.Errorf("%s is %d %s", name, w.Code, w.Header().Get("Content-Type"))
		}
		for _, match := range regexp.MustCompile(`(?m)^import .* from "([^"]*)"`).FindAllStringSubmatch(w.Body.String(), -1) {
			next = append(next, strings.TrimPrefix(match[1], "./"))
		}
	}
	if len(seen) < 8 {
		t.Errorf("the page has the modules %v", seen)
	}
}

func TestFilesWithTheirVersionAreKept(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range loaded(t, get(t, api, "/api/docs").Body.String()) {
		plain, _, versioned := strings.Cut(path, "?v=")
		if !versioned {
			continue // the document
		}
		for requested, want := range map[string]string{
			path: "public, max-age=31536000, immutable", plain: "no-cache", plain + "?v=": "no-cache", plain + "?v=old": "no-cache",
		} {
			if got := get(t, api, requested).Header().Get("Cache-Control"); got != want {
				t.Errorf("GET %s has Cache-Control: %s, want %s", requested, got, want)
			}
		}
	}
}

func TestThePageMayCallOtherServers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ server, connect string }{
		"none":               {"", "connect-src 'self';"},
		"a path":             {"/v2", "connect-src 'self';"},
		"another origin":     {"https://api.example.com/v2", "connect-src 'self' https://api.example.com;"},
		"an origin and port": {"http://localhost:8080", "connect-src 'self' http://localhost:8080;"},
		"another scheme":     {"ftp://example.com", "connect-src 'self';"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{}}})
			var servers openapi3.Servers
			if test.server != "" {
				servers = openapi3.Servers{{URL: test.server}}
			}
			if err := openapi.Mount(api, openapi.Config{Servers: servers}); err != nil {
				t.Fatal(err)
			}
			if policy := get(t, api, "/api/docs").Header().Get("Content-Security-Policy"); !strings.Contains(policy, test.connect) {
				t.Errorf("the policy is %s, which lacks %s", policy, test.connect)
			}
		})
	}
}

func TestTheTitleIsText(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{})
	if err := openapi.Mount(api, openapi.Config{Title: `</title><script>alert("x")</script>`}); err != nil {
		t.Fatal(err)
	}
	if page := get(t, api, "/api/docs").Body.String(); strings.Contains(page, "<script>alert") {
		t.Error("the title is part of the page's code")
	}
}

func TestFilesAreSentCompressedToThoseWhoTakeThat(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	plain := get(t, api, "/api/docs/swagger-ui.css")
	tests := map[string]struct {
		accepted   string
		compressed bool
	}{
		"nothing said":       {"", false},
		"gzip":               {"gzip", true},
		"among others":       {"br;q=1.0, GZIP;q=0.5", true},
		"refused":            {"gzip;q=0, identity", false},
		"refused with zeros": {"gzip; q=0.000", false},
		"another one":        {"br", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := get(t, api, "/api/docs/swagger-ui.css", "Accept-Encoding", test.accepted)
			if got := w.Header().Get("Content-Encoding") == "gzip"; got != test.compressed || w.Header().Get("Vary") != "Accept-Encoding" {
				t.Fatalf("compressed: %v, want %v; Vary: %s", got, test.compressed, w.Header().Get("Vary"))
			}
			body := io.Reader(w.Body)
			if test.compressed {
				var err error
				if body, err = gzip.NewReader(w.Body); err != nil {
					t.Fatal(err)
				}
			}
			text, err := io.ReadAll(body)
			if err != nil || string(text) != plain.Body.String() {
				t.Errorf("the file differs from the plain one, error %v", err)
			}
			if (w.Header().Get("ETag") == plain.Header().Get("ETag")) == test.compressed {
				t.Error("the two forms share an entity tag, or one form has two")
			}
		})
	}
}
