package tutorial_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// linked returns an API that has JSON-LD, and so a Link to the documentation.
func linked(t *testing.T) *resource.API {
	t.Helper()
	type Book struct {
		ID int64 `json:"id"`
	}
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonld.Format)}, resource.Of[Book]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Bookshop", Version: "1.0.0"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func behindTLS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Scheme = "https"
		next.ServeHTTP(w, r)
	})
}

func TestLinksBehindAProxyAreAsTheGuideOfDeploymentSays(t *testing.T) {
	t.Parallel()
	api := linked(t)
	for want, handler := range map[string]http.Handler{"<http://hoard.example/": api, "<https://hoard.example/": behindTLS(api)} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/books", nil)
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
