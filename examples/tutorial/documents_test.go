package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// .ci/example builds by the line, which takes a minute.
func TestTheGuideBuildsABinaryAsItIsTested(t *testing.T) {
	t.Parallel()
	const line = "CGO_ENABLED=0 go build -trimpath -ldflags='-s -w'"
	if guide := read(t, "../../docs/guides/deploy.md"); strings.Count(guide, line) != 2 || !strings.Contains(guide, line+" ./examples/hoard") {
		t.Error("the guide builds in another way")
	}
	if script := read(t, "../../.ci/example"); !strings.Contains(script, line) {
		t.Error(".ci/example builds in another way")
	}
}

func behindTLS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Scheme = "https"
		next.ServeHTTP(w, r)
	})
}

func TestLinksBehindAProxyAreAsTheGuideOfDeploymentSays(t *testing.T) {
	t.Parallel()
	for _, block := range blocks(read(t, "../../docs/guides/deploy.md"), "go") {
		if !strings.Contains(read(t, "documents_test.go"), block) {
			t.Errorf("this file does not have this code of the guide:\n%s", block)
		}
	}
	api, _, _ := service(t)
	for want, handler := range map[string]http.Handler{"<http://hoard.example/": api, "<https://hoard.example/": behindTLS(api)} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/users?itemsPerPage=1", nil)
		r.Host = "hoard.example"
		r.Header.Set("Accept", "application/ld+json")
		r.Header.Set("X-Forwarded-Host", "elsewhere.example")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if got := strings.Join(w.Header().Values("Link"), ", "); !strings.Contains(got, want) {
			t.Errorf("Link is %q, want %q…", got, want)
		}
	}
}
