package openapi_test

import (
	"maps"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/redoc"
	"github.com/trove-api/trove/openapi/scalar"
	"github.com/trove-api/trove/resource"
)

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
		`<span>Formats:</span> <a href="/api/categories.json"`,
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
