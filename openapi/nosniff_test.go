package openapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// TestBrowsersNeverGuessMediaTypes requests every kind of response that has a body.
func TestBrowsersNeverGuessMediaTypes(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{relicsOf(Relic{Name: "a"})}})
	api.Router().Get("/healthz", api.Healthz)
	api.Router().Get("/readyz", api.Readyz)
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{
		"GET /api", "GET /api text/html", "GET /api image/png", "GET /api/docs", "GET /api/docs.json", "GET /api/docs.yaml", "GET /api/docs.json?version=3.0",
		"GET /api/docs/swagger-ui.css", "GET /api/docs/favicon-16x16.png", "GET /api/docs/none",
		"GET /api/relics", "GET /api/relics.ndjson", "GET /api/relics?colour=red", "GET /api/relics image/png", "POST /api/relics", "DELETE /api/relics",
		"GET /api/none", "GET /none", "GET /healthz", "GET /readyz", "GET /api/relics?q=" + strings.Repeat("x", 9000),
	} {
		method, rest, _ := strings.Cut(request, " ")
		target, accept, _ := strings.Cut(rest, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, target, http.NoBody)
		if accept != "" {
			r.Header.Set("Accept", accept)
		}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Body.Len() == 0 && w.Code < 300 {
			t.Errorf("%s is answered %d with %v", request, w.Code, w.Header())
		}
		if isPage := strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") && w.Code == http.StatusOK; isPage && w.Header().Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s is a page that others can frame", request)
		}
	}
}
