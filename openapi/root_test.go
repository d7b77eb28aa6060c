package openapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

type leaf struct {
	ID int64 `json:"id"`
}

func TestTheRootLeadsToTheHomePage(t *testing.T) {
	t.Parallel()
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	own := func(api *resource.API) {
		api.Router().Get("/*", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	}
	for name, test := range map[string]struct {
		request, accept string
		documented      bool
		routes          func(*resource.API)
		status          int
		location        string
	}{
		"a browser":                          {"GET /", browser, true, nil, 302, "/v1"},
		"a browser that asks for a header":   {"HEAD /", browser, true, nil, 302, "/v1"},
		"a program":                          {"GET /", "*/*", true, nil, 302, "/v1"},
		"a program that wants JSON":          {"GET /", "application/json", true, nil, 302, "/v1"},
		"a program that names no type":       {"GET /", "", true, nil, 302, "/v1"},
		"another method":                     {"POST /", browser, true, nil, 404, ""},
		"another path":                       {"GET /x", browser, true, nil, 404, ""},
		"an API without documentation":       {"GET /", browser, false, nil, 404, ""},
		"a program at such an API":           {"GET /", "*/*", false, nil, 404, ""},
		"a program at a route of the user's": {"GET /", "*/*", true, own, 418, ""},
		"a route of the user's, added late":  {"GET /", browser, true, own, 418, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api, err := resource.New(resource.Config{Prefix: "/v1"}, resource.Of[leaf]{})
			if err != nil {
				t.Fatal(err)
			}
			if test.documented {
				if err := openapi.Mount(api, openapi.Config{}); err != nil {
					t.Fatal(err)
				}
			}
			if test.routes != nil {
				test.routes(api)
			}
			method, path, _ := strings.Cut(test.request, " ")
			r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
			if test.accept != "" {
				r.Header.Set("Accept", test.accept)
			}
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			if w.Code != test.status || w.Header().Get("Location") != test.location {
				t.Errorf("the response is %d to %q, want %d to %q", w.Code, w.Header().Get("Location"), test.status, test.location)
			}
		})
	}
}
