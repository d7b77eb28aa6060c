package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestTheDocumentListsTheOperationsThatAreServed(t *testing.T) {
	t.Parallel()
	s := start(t)
	doc, err := openapi3.NewLoader().LoadFromData([]byte(s.send("GET /api/docs.json", "").is(200).body))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	db, err := open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	api, err := newAPI(db, 0)
	if err != nil {
		t.Fatal(err)
	}
	documented := 0
	for _, item := range doc.Paths.Map() {
		documented += len(item.Operations())
	}
	for _, route := range api.Routes() {
		item := doc.Paths.Value(route.Path)
		if item == nil || item.GetOperation(route.Method) == nil || item.GetOperation(route.Method).OperationID != route.Operation {
			t.Errorf("the document does not have %s %s as %s", route.Method, route.Path, route.Operation)
		}
	}
	if documented != len(api.Routes()) {
		t.Errorf("the document has %d operations, the API serves %d", documented, len(api.Routes()))
	}
}

func TestTheDocumentationIsFoundFromTheIndex(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.send("GET /api", "").is(200, "DragonTreasure", `"/api/dragon_treasures"`, "Programmer", `"/api/programmers"`)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/api", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	response, err := s.client.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	home, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(home), `<a href="/api/docs">`) {
		t.Errorf("a browser at /api gets %d, %v, without a link to /api/docs", response.StatusCode, err)
	}
	page := s.send("GET /api/docs", "").is(200)
	if !strings.Contains(page.body, "/api/docs.json") {
		t.Error("the page does not name the document")
	}
	yaml := s.send("GET /api/docs.yaml", "").is(200)
	if !strings.HasPrefix(yaml.body, "openapi:") {
		t.Errorf("the YAML begins with %.40q", yaml.body)
	}
}
