package openapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	yaml "github.com/oasdiff/yaml3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestDocumentationIsServedBelowThePrefix(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ prefix, docs string }{
		"below /api by default":   {"", "/api/docs"},
		"below a prefix":          {"/shop/v1", "/shop/v1/docs"},
		"at the root without one": {"/", "/docs"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, configuration{config: resource.Config{Prefix: test.prefix}, declarations: []resource.Declaration{resource.Of[Category]{}}})
			if err := openapi.Mount(api, openapi.Config{}); err != nil {
				t.Fatal(err)
			}
			for path, mediaType := range map[string]string{
				test.docs: "text/html; charset=utf-8", test.docs + ".json": "application/json", test.docs + ".yaml": "application/yaml",
				test.docs + "/swagger-ui.css": "text/css; charset=utf-8", test.docs + "/swagger-ui-bundle.js": "text/javascript; charset=utf-8",
				test.docs + "/favicon-32x32.png": "image/png",
			} {
				w := get(t, api, path)
				if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != mediaType || w.Body.Len() == 0 {
					t.Errorf("GET %s is %d %s with %d bytes, want 200 %s", path, w.Code, got, w.Body.Len(), mediaType)
				}
			}
			if w := get(t, api, test.docs+"/"); w.Code != http.StatusFound || w.Header().Get("Location") != test.docs {
				t.Errorf("GET %s/ is %d to %q, want 302 to %s", test.docs, w.Code, w.Header().Get("Location"), test.docs)
			}
			for _, path := range []string{test.docs + "/index.html", test.docs + "/../secret", test.docs + ".json/", test.docs + ".xml"} {
				if w := get(t, api, path); w.Code != http.StatusNotFound {
					t.Errorf("GET %s is %d, want 404", path, w.Code)
				}
			}
		})
	}
}

func TestTheHomePageLinksToTheDocumentation(t *testing.T) {
	t.Parallel()
	w := get(t, mounted(t, resource.Of[Category]{}), "/api", "Accept", "text/html")
	for _, path := range []string{"/api/docs", "/api/docs.json", "/api/docs.yaml"} {
		if !strings.Contains(w.Body.String(), `<a href="`+path+`">`) || w.Code != http.StatusOK {
			t.Errorf("GET /api is %d, want 200 with a link to %s", w.Code, path)
		}
	}
}

func TestOtherMethods(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range []string{"/api/docs", "/api/docs.json", "/api/docs.yaml", "/api/docs/swagger-ui.css"} {
		head := send(t, api, http.MethodHead, path, "")
		if head.Code != http.StatusOK || head.Body.Len() != 0 {
			t.Errorf("HEAD %s is %d with %d bytes, want 200 without body", path, head.Code, head.Body.Len())
		}
		options := send(t, api, http.MethodOptions, path, "")
		if options.Code != http.StatusNoContent || options.Header().Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s is %d with Allow: %s", path, options.Code, options.Header().Get("Allow"))
		}
		post := send(t, api, http.MethodPost, path, "{}")
		if post.Code != http.StatusMethodNotAllowed || post.Header().Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("POST %s is %d with Allow: %s", path, post.Code, post.Header().Get("Allow"))
		}
	}
}

func TestUnchangedContentIsNotSentAgain(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	tests := map[string]struct{ path, cache string }{
		"the document is asked for each time": {"/api/docs.json", "no-cache"},
		"the document as YAML too":            {"/api/docs.yaml", "no-cache"},
		"the page too":                        {"/api/docs", "no-cache"},
		"files of the page without version":   {"/api/docs/swagger-ui-bundle.js", "no-cache"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := get(t, api, test.path)
			tag := first.Header().Get("ETag")
			if !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) || first.Header().Get("Cache-Control") != test.cache {
				t.Fatalf("ETag: %s, Cache-Control: %s; want a strong tag and %s", tag, first.Header().Get("Cache-Control"), test.cache)
			}
			for header, want := range map[string]int{tag: 304, `"other", ` + tag: 304, "W/" + tag: 304, "*": 304, `"other"`: 200} {
				if w := get(t, api, test.path, "If-None-Match", header); w.Code != want {
					t.Errorf("If-None-Match: %s is %d, want %d", header, w.Code, want)
				}
			}
		})
	}
}

func TestYAMLSaysTheSameAsJSON(t *testing.T) {
	t.Parallel()
	tricky := openapi.Config{Title: "yes", Version: "1.0", Summary: "12:30:45", Description: "# not a comment\n- [x]: {y}\n\u2028\u0085 'quoted' \"twice\"\n"}
	for name, c := range configurations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, c)
			if err := openapi.Mount(api, tricky); err != nil {
				t.Fatal(err)
			}
			var fromJSON, fromYAML any
			if err := json.Unmarshal(get(t, api, compiled.Of(api).Docs+".json").Body.Bytes(), &fromJSON); err != nil {
				t.Fatal(err)
			}
			text := get(t, api, compiled.Of(api).Docs+".yaml").Body.Bytes()
			if err := yaml.Unmarshal(text, &fromYAML); err != nil {
				t.Fatal(err)
			}
			again, err := json.Marshal(fromYAML)
			if err != nil {
				t.Fatal(err)
			}
			var normal any
			if err := json.Unmarshal(again, &normal); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(fromJSON, normal); diff != "" {
				t.Errorf("YAML differs from JSON (-json +yaml):\n%s", diff)
			}
			if !strings.HasPrefix(string(text), "openapi: 3.1.1\ninfo:\n  title: \"yes\"\n") {
				t.Errorf("YAML begins with %.80s", text)
			}
		})
	}
}

func TestMountRejects(t *testing.T) {
	t.Parallel()
	type Doc struct {
		ID int64 `json:"id"`
	}
	nothing := func(http.ResponseWriter, *http.Request) {}
	mount := func(api *resource.API) { _ = openapi.Mount(api, openapi.Config{}) }
	tests := map[string]struct {
		declaration resource.Declaration
		before      func(*resource.API)
		config      openapi.Config
		want        []string
	}{
		"a second time": {
			resource.Of[Category]{},
			mount,
			openapi.Config{},
			[]string{"openapi: already mounted at /api/docs"},
		},
		"a resource at its path": {
			resource.Of[Doc]{},
			nil,
			openapi.Config{},
			[]string{"openapi: route /api/docs conflicts with the documentation; use another path"},
		},
		"routes of the user's at its paths": {
			resource.Of[Category]{},
			func(api *resource.API) {
				api.Router().Get("/api/docs.yaml", nothing)
				api.Router().Mount("/api/docs", http.HandlerFunc(nothing))
			},
			openapi.Config{},
			[]string{"openapi: route /api/docs.yaml conflicts", "openapi: route /api/docs/* conflicts"},
		},
		"another version of OpenAPI, with all else": {
			resource.Of[Category]{},
			mount,
			openapi.Config{OpenAPI: "2.0"},
			[]string{"already mounted", `openapi: config: OpenAPI is "2.0"; allowed: "3.1", "3.0"`},
		},
		"functions for operations that the document does not have, and a nil one": {
			resource.Of[Category]{Operations: []operation.Operation{operation.Get{}, operation.Post{}, operation.Delete{Hidden: true}}},
			nil,
			openapi.Config{OpenAPI: "2.0", Operations: map[string]func(*openapi3.Operation){
				"getCategry": func(*openapi3.Operation) {}, "sing": func(*openapi3.Operation) {},
				"deleteCategory": func(*openapi3.Operation) {}, "createCategory": nil,
			}},
			[]string{`openapi: config: OpenAPI is "2.0"; allowed: "3.1", "3.0"
openapi: config: Operations: the function of createCategory is nil; remove it
openapi: config: Operations: no documented operation has the id "deleteCategory"; allowed: getCategory, createCategory
openapi: config: Operations: no documented operation has the id "getCategry"; did you mean "getCategory"?
openapi: config: Operations: no documented operation has the id "sing"; allowed: getCategory, createCategory`},
		},
		"a panic of Customize": {
			resource.Of[Category]{},
			nil,
			openapi.Config{Customize: func(*openapi3.T) { panic("no") }},
			[]string{"openapi: Customize panicked: no"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, configuration{declarations: []resource.Declaration{test.declaration}})
			if test.before != nil {
				test.before(api)
			}
			err := openapi.Mount(api, test.config)
			if err == nil {
				t.Fatal("Mount succeeds")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %q, which lacks %q", err, want)
				}
			}
		})
	}
}

func TestANilAPIIsAnError(t *testing.T) {
	t.Parallel()
	if err := openapi.Mount(nil, openapi.Config{}); err == nil || err.Error() != "openapi: the API is nil" {
		t.Errorf("Mount gives %v", err)
	}
	if _, err := openapi.Document(nil, openapi.Config{}); err == nil || err.Error() != "openapi: the API is nil" {
		t.Errorf("Document gives %v", err)
	}
}

func TestNothingIsServedAfterAnError(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{}}})
	if err := openapi.Mount(api, openapi.Config{OpenAPI: "2.0"}); err == nil {
		t.Fatal("Mount succeeds")
	}
	if w := get(t, api, "/api/docs.json"); w.Code != http.StatusNotFound {
		t.Errorf("GET /api/docs.json is %d, want 404", w.Code)
	}
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Errorf("a second try fails: %v", err)
	}
}

func TestOwnRoutesThatAreLessExactStay(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{
		Operations: []operation.Operation{operation.Get{URITemplate: "/{id}"}},
	}}})
	api.Router().Get("/*", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/api/docs": 200, "/api/docs.json": 200, "/api/7": 404, "/elsewhere": 418} {
		if w := get(t, api, path); w.Code != want {
			t.Errorf("GET %s is %d, want %d", path, w.Code, want)
		}
	}
}
