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
func linked(t *testing.T, config resource.Config) *resource.API {
	t.Helper()
	type Book struct {
		ID int64 `json:"id"`
	}
	config.Formats = append(format.Standard(), jsonld.Format)
	api, err := resource.New(config, resource.Of[Book]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Bookshop", Version: "1.0.0"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return api
}

var public = resource.Config{
	PublicURL: "https://example.com/shop", // where clients see the root of the program
}

func TestLinksBehindAProxyAreAsTheGuideOfDeploymentSays(t *testing.T) {
	t.Parallel()
	for want, config := range map[string]resource.Config{"<http://hoard.example/api/": {}, "<https://example.com/shop/api/": public} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/books", nil)
		r.Host = "hoard.example"
		r.Header.Set("Accept", "application/ld+json")
		r.Header.Set("X-Forwarded-Host", "elsewhere.example")
		w := httptest.NewRecorder()
		linked(t, config).ServeHTTP(w, r)
		if got := strings.Join(w.Header().Values("Link"), ", "); !strings.Contains(got, want) {
			t.Errorf("Link is %q, want %q…", got, want)
		}
	}
}
