package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func (a agent) read(address string) (string, error) {
	a.t.Helper()
	result, err := a.ReadResource(a.t.Context(), &sdk.ReadResourceParams{URI: address})
	if err != nil {
		return "", err
	}
	if len(result.Contents) != 1 || result.Contents[0].URI != address || result.Contents[0].MIMEType != "application/json" {
		a.t.Errorf("%s: %+v", address, result.Contents)
	}
	return result.Contents[0].Text, nil
}

func TestARecordIsAResourceIdentifiedByItsPath(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	s.send("root", "POST /api/shelves", `{"code":"é/ü .","title":"Odd"}`, 201)
	for _, who := range []string{"", "ann", "bob"} {
		for _, address := range []string{
			"/api/gems/1", "/api/gems/7", "/api/gems/8", "/api/gems/99", "/api/gems/x", "/api/keepers/1", "/api/shelves/%C3%A9%2F%C3%BC%20.",
			"/api/gems/1?expand=owner", "/api/gems/1?fields=name", "/api/shelves/a%2Ejson", "/api/shelves/a.json", "/api/gems/1.json",
		} {
			status, want, _ := s.exchange(who, "GET "+address, "")
			got, err := s.agent(who).read(address)
			if status == 200 && (err != nil || got != want) {
				t.Errorf("%s as %q: %v %s, want %s", address, who, err, got, want)
			}
			if status != 200 && err == nil {
				t.Errorf("%s as %q: %s, but HTTP answers %d", address, who, got, status)
			}
		}
	}
}

func TestAResourceURIIsAPathOrAURLOfTheService(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	nobody := s.agent("")
	if _, err := nobody.read(s.url + "/api/gems/1"); err != nil {
		t.Error(err)
	}
	missing := map[string]bool{}
	for _, address := range []string{
		"http://other.example/api/gems/1", "//other.example/api/gems/1", "file:///api/gems/1", "api/gems/1", "/api/gems/1/", "/api/gems/",
		"/api/gems", "/api/gems/%", "mailto:x@x.example", "/api/gems/99", "/api/gems/8", "/api/\"/1", "/api//1",
	} {
		_, err := nobody.read(address)
		if err == nil {
			t.Errorf("%q is a resource", address)
			continue
		}
		missing[err.Error()] = true
	}
	// Hidden records, missing records and unknown paths have the same error.
	if len(missing) != 1 {
		t.Errorf("%v", missing)
	}
}

func TestTemplatesAreThoseThatTheCallerMayRead(t *testing.T) {
	t.Parallel()
	api := declare(t, resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}},
		resource.Of[Shelf]{Access: access.Rules{Read: isAdmin, Create: isAdmin, Update: isAdmin, Delete: isAdmin}},
		resource.Of[Keeper]{Access: access.Rules{Read: access.Public, Create: isAdmin, Update: isAdmin, Delete: isAdmin}})
	s := serve(t, api)
	for who, want := range map[string][]string{"": {"/api/keepers/{id}"}, "ann": {"/api/keepers/{id}"}, "root": {"/api/keepers/{id}", "/api/shelves/{code}"}} {
		var got []string
		for template, err := range s.agent(who).ResourceTemplates(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, template.URITemplate)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("as %q (-want +got):\n%s", who, diff)
		}
	}
	// A Read rule of that sort makes each record missing: there is no tool to get it either.
	if names := s.agent("ann").tools(); slices.Contains(names, "getShelf") || slices.Contains(names, "listShelves") {
		t.Errorf("%v", names)
	}
}

func TestAnAPIWithoutPublicOperationsRequiresCallersToSignIn(t *testing.T) {
	t.Parallel()
	api := declare(t, resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}},
		resource.Of[Shelf]{Access: access.Rules{Read: access.Authenticated, Create: isAdmin, Update: isAdmin, Delete: isAdmin}})
	s := serve(t, api)
	status, body, fields := s.post("", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	if status != 401 || strings.Join(fields["Www-Authenticate"], "") != `Bearer realm="token"` {
		t.Errorf("%d %v %s", status, fields, body)
	}
	if names := s.agent("ann").tools(); len(names) != 2 {
		t.Errorf("%v", names)
	}
}

func TestSubresourcesAreToolsToo(t *testing.T) {
	t.Parallel()
	api := declare(t, resource.Config{}, resource.Of[Keeper]{}, resource.Of[Gem]{Operations: append(operation.Standard(),
		operation.GetCollection{URITemplate: "/keepers/{owner}/gems"}, operation.Post{URITemplate: "/keepers/{owner}/gems"},
		operation.Get{URITemplate: "/keepers/{owner}/gems/{id}"})})
	s := serve(t, api)
	s.send("", "POST /api/keepers", `{"name":"ann"}`, 201)
	nobody := s.agent("")
	made := nobody.does("createKeeperGem", `{"owner":1,"name":"ruby"}`)
	if made["owner"] != "/api/keepers/1" {
		t.Errorf("%v", made)
	}
	if page := nobody.does("listKeeperGems", `{"owner":1}`); len(page["items"].([]any)) != 1 {
		t.Errorf("%v", page)
	}
	if got := nobody.fails("listKeeperGems", `{"owner":2}`); !strings.Contains(got, `"status":404`) {
		t.Error(got)
	}
	var read map[string]any
	text, err := nobody.read("/api/keepers/1/gems/1")
	if err != nil || json.Unmarshal([]byte(text), &read) != nil || read["name"] != "ruby" {
		t.Errorf("%s, %v", text, err)
	}
}
