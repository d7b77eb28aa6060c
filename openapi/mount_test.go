package openapi_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
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
				test.docs + "/icon.svg": "image/svg+xml",
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

// TestWhatOperationsDoAtTheEdgesIsDescribed reads the configuration in which everything is
// set, and one in which nothing is.
func TestWhatOperationsDoAtTheEdgesIsDescribed(t *testing.T) {
	t.Parallel()
	everything, nothing := configurations()["http"], configurations()["default"]
	documents := map[string]tree{}
	for name, c := range map[string]configuration{"everything": everything, "nothing": nothing} {
		api := newAPI(t, c)
		if err := openapi.Mount(api, c.document); err != nil {
			t.Fatal(err)
		}
		documents[name] = documentOf(t, api)
	}
	const (
		programmers, programmer = "/api/programmers", "/api/programmers/{nickname}"
		counted, bump           = "/api/counteds/{id}", "/api/counteds/{id}/bump"
	)
	for _, row := range []struct {
		document, path, method string
		statuses               string // documented, "!" before those that must be absent
		parameters             string
		headers                string // of success
		deprecated             bool
	}{
		{"everything", programmer, "get", "200 304 404 !428", "If-None-Match !If-Match", "ETag Deprecation Sunset Link !Last-Modified", true},
		{"everything", programmers, "get", "200 304", "If-None-Match", "ETag Deprecation Sunset Link", true},
		{"everything", programmers, "post", "201 409 422 !428", "Idempotency-Key !If-Match", "ETag Location Deprecation", true},
		{"everything", programmer, "patch", "200 412 428 422 !304", "If-Match !Idempotency-Key", "ETag Sunset", true},
		{"everything", programmer, "delete", "204 412 428", "If-Match", "Deprecation !ETag", true},
		{"everything", counted, "get", "200 304", "If-None-Match", "ETag Last-Modified !Deprecation", false},
		{"everything", bump, "post", "200 409 412", "Idempotency-Key If-Match", "!Location", false},
		{"nothing", "/api/dragon_treasures", "post", "201 !422 !428", "!Idempotency-Key", "ETag Location !Deprecation", false},
		{"nothing", "/api/dragon_treasures/{id}", "put", "200 412 !428", "If-Match", "ETag !Last-Modified", false},
	} {
		op := tree(documents[row.document].at(t, "paths", row.path, row.method).(map[string]any))
		where := row.method + " " + row.path
		responses := sortedKeys(op.at(t, "responses").(map[string]any))
		assertListed(t, where+": the statuses", responses, row.statuses)
		var names []string
		parameters, _ := op["parameters"].([]any)
		for _, p := range parameters {
			names = append(names, p.(map[string]any)["name"].(string))
		}
		assertListed(t, where+": the parameters", names, row.parameters)
		success := strings.Fields(row.statuses)[0]
		headers, _ := tree(op.at(t, "responses", success).(map[string]any))["headers"].(map[string]any)
		assertListed(t, where+": the header", sortedKeys(headers), row.headers)
		if got, _ := op["deprecated"].(bool); got != row.deprecated {
			t.Errorf("%s: deprecated is %v", where, got)
		}
	}
}

// assertListed compares a list with the names that it must have, and with those after a
// "!" that it must not have.
func assertListed(t *testing.T, what string, list []string, want string) {
	t.Helper()
	for name := range strings.FieldsSeq(want) {
		plain, not := strings.CutPrefix(name, "!")
		if slices.Contains(list, plain) == not {
			t.Errorf("%s are %v, want %s", what, list, want)
		}
	}
}

func TestTheDocumentComesWholeWithItsLength(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range []string{"/api/docs", "/api/docs.json", "/api/docs.yaml"} {
		plain, part := get(t, api, path), get(t, api, path, "Range", "bytes=2-5")
		body := plain.Body.String()
		if plain.Code != 200 || plain.Header().Get("Content-Length") != strconv.Itoa(len(body)) || plain.Header().Get("Accept-Ranges") != "bytes" {
			t.Errorf("GET %s is %d with %d bytes, and the header %v", path, plain.Code, len(body), plain.Header())
		}
		if part.Code != 206 || part.Body.String() != body[2:6] {
			t.Errorf("a part of %s is %d: %q, want %q", path, part.Code, part.Body, body[2:6])
		}
	}
}

func TestTheDocumentIsSentCompressedToThoseWhoAcceptIt(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range []string{"/api/docs", "/api/docs.json", "/api/docs.yaml", "/api/docs.json?version=3.0"} {
		plain := get(t, api, path)
		zipped := get(t, api, path, "Accept-Encoding", "br, gzip;q=0.8")
		header := zipped.Header()
		if header.Get("Content-Encoding") != "gzip" || header.Get("Content-Length") != strconv.Itoa(zipped.Body.Len()) || zipped.Body.Len() >= plain.Body.Len() {
			t.Errorf("%s is sent with %d of %d bytes, and %v", path, zipped.Body.Len(), plain.Body.Len(), header)
		}
		reader, err := gzip.NewReader(bytes.NewReader(zipped.Body.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(reader); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
			t.Errorf("%s has another body when it is compressed: %v", path, err)
		}
		for _, w := range []http.Header{plain.Header(), header} {
			if !slices.Contains(w["Vary"], "Accept-Encoding") || w.Get("ETag") == "" {
				t.Errorf("the header of %s is %v", path, w)
			}
		}
		for _, accept := range []string{"", "br", "gzip;q=0", "identity"} {
			if w := get(t, api, path, "Accept-Encoding", accept); w.Header().Get("Content-Encoding") != "" || w.Header().Get("ETag") != plain.Header().Get("ETag") {
				t.Errorf("%s with Accept-Encoding %q has the header %v", path, accept, w.Header())
			}
		}
	}
}

func TestEachCodingOfTheDocumentHasItsOwnTag(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range []string{"/api/docs.json", "/api/docs.yaml"} {
		plain, zipped := get(t, api, path).Header().Get("ETag"), get(t, api, path, "Accept-Encoding", "gzip").Header().Get("ETag")
		for _, test := range []struct {
			tag, accept string
			status      int
		}{{plain, "identity", 304}, {zipped, "gzip", 304}, {plain, "gzip", 200}, {zipped, "identity", 200}, {plain + ", " + zipped, "gzip", 304}} {
			w := get(t, api, path, "If-None-Match", test.tag, "Accept-Encoding", test.accept)
			if w.Code != test.status || w.Code == 304 && (w.Body.Len() > 0 || w.Header().Get("Content-Encoding") != "" || !slices.Contains(w.Header()["Vary"], "Accept-Encoding")) {
				t.Errorf("%s with If-None-Match %s and Accept-Encoding %s returns %d, %v", path, test.tag, test.accept, w.Code, w.Header())
			}
		}
		head := send(t, api, http.MethodHead, path, "", "Accept-Encoding", "gzip")
		if head.Body.Len() > 0 || head.Header().Get("ETag") != zipped {
			t.Errorf("HEAD %s has the header %v", path, head.Header())
		}
	}
}

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
		"GET /api/docs/swagger-ui.css", "GET /api/docs/icon.svg", "GET /api/docs/none",
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
			t.Errorf("%s gets %d with %v", request, w.Code, w.Header())
		}
		if isPage := strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") && w.Code == http.StatusOK; isPage && w.Header().Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s is a page that others can frame", request)
		}
	}
}
