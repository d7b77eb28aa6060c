package openapi_test

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

func TestThePolicyAllowsThePagesOwnBlocksAlone(t *testing.T) {
	t.Parallel()
	w := get(t, mounted(t, resource.Of[Category]{}), "/api/docs")
	policy := w.Header().Get("Content-Security-Policy")
	blocks := regexp.MustCompile(`(?s)<(?:script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(w.Body.String(), -1)
	if len(blocks) != 2 || strings.Count(policy, "'sha256-") != len(blocks) {
		t.Fatalf("the page has %d blocks and the policy is %s", len(blocks), policy)
	}
	for _, block := range blocks {
		sum := sha256.Sum256([]byte(block[1]))
		if hash := base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(policy, "'sha256-"+hash+"'") {
			t.Errorf("the policy lacks the hash %s of %.60s", hash, block[1])
		}
	}
	if strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Errorf("the policy is %s", policy)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestThePageLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	references := regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(get(t, api, "/api/docs").Body.String(), -1)
	if len(references) == 0 {
		t.Fatal("the page loads nothing")
	}
	for _, reference := range references {
		if w := get(t, api, reference[1]); !strings.HasPrefix(reference[1], "/api/docs/") || w.Code != 200 {
			t.Errorf("the page loads %s, which is answered %d", reference[1], w.Code)
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
