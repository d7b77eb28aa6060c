package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func behindTLS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Scheme = "https"
		next.ServeHTTP(w, r)
	})
}

func TestLinksBehindAProxyAreAsTheGuideOfDeploymentSays(t *testing.T) {
	t.Parallel()
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
