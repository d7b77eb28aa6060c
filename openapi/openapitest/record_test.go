package openapitest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

func TestRequestsOfOwnTestsAreChecked(t *testing.T) {
	t.Parallel()
	api := compile(t, []resource.Declaration{resource.Of[book]{}})
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/api/books/{id}/secret", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for request, want := range map[string]int{
		`POST /api/books {"title":"Dune","year":1965}`: 201,
		`POST /api/books {"title":"","year":1965}`:     400,
		`POST /api/books {`:                            400,
		"GET /api/books?year[gt]=1":                    200,
		"GET /api/books.json":                          200,
		"GET /api/books.ndjson":                        200,
		"GET /api/books?colour=red":                    400,
		"GET /api/books/99":                            404,
		"HEAD /api/books":                              200,
		"GET /api/docs.json":                           200,
		"GET /api/nothing":                             404,
		"GET /api/books/1/secret":                      418,
		"OPTIONS /api/books":                           204,
	} {
		notes := &recorder{TB: t}
		method, rest, _ := strings.Cut(request, " ")
		path, body, _ := strings.Cut(rest, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		w := httptest.NewRecorder()
		openapitest.Record(notes, api).ServeHTTP(w, r)
		if w.Code != want || len(notes.complaints) > 0 {
			t.Errorf("%s returns %d, want %d, with the errors %v", request, w.Code, want, notes.complaints)
		}
	}
}

// TestDefaultIsForProblems returns statuses that only the default response covers.
func TestDefaultIsForProblems(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		code            int
		mediaType, body string
		want            string // "" for a documented response
	}{
		"a problem of that status":  {418, "application/problem+json", `{"type":"about:blank","title":"Teapot","status":418,"pot":"tea"}`, ""},
		"a problem of another":      {418, "application/problem+json", `{"type":"about:blank","title":"Teapot","status":409}`, "a status that is not documented"},
		"a problem without a title": {418, "application/problem+json", `{"type":"about:blank","status":418}`, "a body that does not match its schema"},
		"text":                      {418, "text/plain", "a teapot", "a media type that is not documented"},
		"nothing":                   {418, "", "", "a media type that is not documented"},
		"a success":                 {202, "application/problem+json", `{"type":"about:blank","title":"Later","status":202}`, "a status that is not documented"},
	} {
		respond := func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", test.mediaType)
				w.WriteHeader(test.code)
				_, _ = w.Write([]byte(test.body))
			})
		}
		api, err := resource.New(resource.Config{Middleware: []func(http.Handler) http.Handler{respond}}, resource.Of[book]{})
		if err != nil {
			t.Fatal(err)
		}
		notes := &recorder{TB: t}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodDelete, "/api/books/1", nil)
		openapitest.Record(notes, api).ServeHTTP(httptest.NewRecorder(), r)
		if got := strings.Join(notes.complaints, "\n"); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: the errors are %q, want %q", name, got, test.want)
		}
	}
}

func TestAResponseThatDriftsIsReported(t *testing.T) {
	t.Parallel()
	type loose struct {
		ID   int64  `json:"id"`
		Kind string `json:"kind" validate:"oneof=a b"`
	}
	drift := resource.Config{Middleware: []func(http.Handler) http.Handler{drifting(replace(`"kind":"a"`, `"kind":"z"`))}}
	api, err := resource.New(drift, resource.Of[loose]{})
	if err != nil {
		t.Fatal(err)
	}
	notes := &recorder{TB: t}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/looses", strings.NewReader(`{"kind":"a"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	openapitest.Record(notes, api).ServeHTTP(w, r)
	if got := strings.Join(notes.complaints, ""); !strings.Contains(got, "does not match its schema") || w.Code != 201 {
		t.Errorf("%d: %s", w.Code, got)
	}
}
