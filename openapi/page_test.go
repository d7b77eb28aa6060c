package openapi_test

import (
	"compress/gzip"
	"io"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/redoc"
	"github.com/trove-api/trove/openapi/scalar"
	"github.com/trove-api/trove/resource"
)

func TestThePolicyAllowsNoInlineCode(t *testing.T) {
	t.Parallel()
	w := get(t, mounted(t, resource.Of[Category]{}), "/api/docs")
	want := "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	if policy := w.Header().Get("Content-Security-Policy"); policy != want {
		t.Errorf("the policy is %s, want %s", policy, want)
	}
	if inline := regexp.MustCompile(`(?i)<style|<script[^>]*>[^<]|\s(?:style|on[a-z]+)=`).FindString(w.Body.String()); inline != "" {
		t.Errorf("the page has inline code: %s", inline)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// loaded returns the paths that a page loads.
func loaded(t *testing.T, page string) (paths []string) {
	t.Helper()
	for _, match := range regexp.MustCompile(`<(?:link|script|img)[^>]*(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		paths = append(paths, match[1])
	}
	if len(paths) == 0 {
		t.Fatal("the page loads nothing")
	}
	return paths
}

func TestThePageLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range loaded(t, get(t, api, "/api/docs").Body.String()) {
		if w := get(t, api, path); !strings.HasPrefix(path, "/api/docs") || w.Code != 200 {
			t.Errorf("the page loads %s, which returns %d", path, w.Code)
		}
	}
}

func TestModulesOfThePageImportOnlyEachOther(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	seen, next := map[string]bool{}, []string{"main.js"}
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		w := get(t, api, "/api/docs/"+name)
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") {
			t.Errorf("%s is %d %s", name, w.Code, w.Header().Get("Content-Type"))
		}
		for _, match := range regexp.MustCompile(`(?m)^import .* from "([^"]*)"`).FindAllStringSubmatch(w.Body.String(), -1) {
			next = append(next, strings.TrimPrefix(match[1], "./"))
		}
	}
	if len(seen) < 8 {
		t.Errorf("the page has the modules %v", seen)
	}
}

func TestFilesWithTheirVersionAreKept(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range loaded(t, get(t, api, "/api/docs").Body.String()) {
		plain, _, versioned := strings.Cut(path, "?v=")
		if !versioned {
			continue // the document
		}
		for requested, want := range map[string]string{
			path: "public, max-age=31536000, immutable", plain: "no-cache", plain + "?v=": "no-cache", plain + "?v=old": "no-cache",
		} {
			if got := get(t, api, requested).Header().Get("Cache-Control"); got != want {
				t.Errorf("GET %s has Cache-Control: %s, want %s", requested, got, want)
			}
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

// withUI mounts an API with a page.
func withUI(t *testing.T, config openapi.Config) map[string]string {
	t.Helper()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{}}})
	if err := openapi.Mount(api, config); err != nil {
		t.Fatal(err)
	}
	w := get(t, api, "/api/docs")
	bodies := map[string]string{"page": w.Body.String(), "policy": w.Header().Get("Content-Security-Policy")}
	for _, path := range loaded(t, w.Body.String()) {
		if file := get(t, api, path); path != "data:," {
			if file.Code != 200 {
				t.Errorf("the page loads %s, which returns %d", path, file.Code)
			}
			bodies[strings.TrimPrefix(strings.Split(path, "?")[0], "/api/docs/")] = file.Body.String()
		}
	}
	return bodies
}

func TestOtherPagesLoadTheirFilesOnly(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ui     openapi.UI
		script string
		policy string
	}{
		"scalar": {scalar.UI(), "scalar.js", "style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "},
		"redoc":  {redoc.UI(), "redoc.js", "style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src blob:; connect-src 'self'; "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := withUI(t, openapi.Config{UI: test.ui})
			if want := "default-src 'none'; script-src 'self'; " + test.policy; !strings.HasPrefix(got["policy"], want) {
				t.Errorf("the policy is %s, want %s…", got["policy"], want)
			}
			if len(got[test.script]) < 1e6 || strings.Contains(got["page"], "swagger") {
				t.Errorf("the script has %d bytes, and the page is\n%s", len(got[test.script]), got["page"])
			}
		})
	}
}

func TestAPageOfYourOwn(t *testing.T) {
	t.Parallel()
	got := withUI(t, openapi.Config{
		Title: `A <b> & "c"`, Version: "2", Style: "h1 { color: green }",
		UI: openapi.UI{
			HTML:   `<title>{title}</title><h1 title="{title}">{version}</h1>{style}<p>{ }</p><script src="{file:js/run.js}" data-at="{document}" data-docs="{docs}"></script>{links}`,
			Files:  fstest.MapFS{"js/run.js": {Data: []byte("run()")}},
			Policy: map[string]string{"img-src": "https://img.example"},
		},
	})
	escaped := `A &lt;b&gt; &amp; &#34;c&#34;`
	for _, want := range []string{
		`<title>` + escaped + `</title><h1 title="` + escaped + `">2</h1><link rel="stylesheet" href="/api/docs/style.css"><p>{ }</p>`,
		`data-at="/api/docs.json" data-docs="/api/docs"></script><a href="/api">Home</a>`,
		`<a href="/api/docs.json" title="application/json">OpenAPI (JSON)</a>`,
	} {
		if !strings.Contains(got["page"], want) {
			t.Errorf("the page lacks %s:\n%s", want, got["page"])
		}
	}
	if got["js/run.js"] != "run()" || got["style.css"] != "h1 { color: green }" {
		t.Errorf("the files are %v", maps.Collect(maps.All(got)))
	}
	if !strings.Contains(got["policy"], "img-src 'self' data: https://img.example;") {
		t.Errorf("the policy is %s", got["policy"])
	}
}

func TestMistakesInAPageAreErrorsOfMount(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{})
	err := openapi.Mount(api, openapi.Config{Style: "a {}", UI: openapi.UI{
		HTML:   `{tittle}{file:run.js}`,
		Files:  fstest.MapFS{"ran.js": {}, "style.css": {}},
		Policy: map[string]string{"default-src": "*", "img-scr": "*", "font-src": "a; script-src *"},
	}})
	if err == nil {
		t.Fatal("Mount succeeds")
	}
	for _, want := range []string{
		`unknown placeholder {tittle}; did you mean "title"?`,
		`run.js is not one of the Files; did you mean "ran.js"?`,
		`no {document}`, `no {style}`, `style.css is the name of the file with Style`,
		`directive "default-src" cannot be changed; allowed: connect-src`, `"img-scr" cannot be changed`, `did you mean "img-src"?`,
		`the sources of font-src contain "a; script-src *"; separate them by spaces`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
	err = openapi.Mount(api, openapi.Config{UI: openapi.UI{Files: fstest.MapFS{}}})
	if err == nil || !strings.Contains(err.Error(), "UI: HTML is empty") {
		t.Errorf("a page without HTML: %v", err)
	}
}

// TestProgramsLinkOnlyThePagesThatTheyImport lists what package openapi imports.
func TestProgramsLinkOnlyThePagesThatTheyImport(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?m)openapi/(?:scalar|redoc)$`).Find(out); found != nil {
		t.Errorf("package openapi imports %s", found)
	}
}

// TestOtherPagesInABrowser needs Chromium, Node.js and the packages of clients: .ci/browser runs it.
func TestOtherPagesInABrowser(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("TROVE_TEST_BROWSER")
	if folder == "" {
		t.Skip("set TROVE_TEST_BROWSER to a folder for screenshots to open the pages in Chromium")
	}
	for name, config := range map[string]openapi.Config{
		"scalar": {UI: scalar.UI()}, "redoc": {UI: redoc.UI()}, "swagger": {}, "swagger-3.0": {OpenAPI: "3.0"},
	} {
		t.Run(name, func(t *testing.T) {
			config.Title = "Hoard"
			api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[DragonTreasure]{}}})
			if err := openapi.Mount(api, config); err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(api)
			defer server.Close()
			script := filepath.Join("..", "clients", "browser", "ui.mjs")
			opened := exec.CommandContext(t.Context(), "node", script, server.URL+"/api/docs", "Create a dragon treasure", filepath.Join(folder, name+".png"))
			out, err := opened.CombinedOutput()
			t.Logf("%s", out)
			if err != nil {
				t.Error(err)
			}
		})
	}
}
