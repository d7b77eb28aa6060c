package main

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// configurations lists services whose documentation differs, with the operations to try out and their expected
// statuses.
func configurations() map[string]struct {
	config resource.Config
	of     []resource.Declaration
	tried  string
} {
	type configuration = struct {
		config resource.Config
		of     []resource.Declaration
		tried  string
	}
	moved := []operation.Operation{
		operation.Get{URITemplate: "/dragon-plunder/{id}"}, operation.GetCollection{URITemplate: "/dragon-plunder"}, operation.Post{},
	}
	signed := func(scheme access.Scheme) configuration {
		authenticated := access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
		return configuration{
			config: resource.Config{Authentication: []access.Scheme{scheme}},
			of:     []resource.Declaration{resource.Of[DragonTreasure]{Access: authenticated}},
		}
	}
	known := func(_ context.Context, secret string) (*User, access.Scopes, error) {
		if secret != "ann" {
			return nil, nil, access.ErrCredentials
		}
		return &User{}, nil, nil
	}
	bearer, cookie := signed(access.Bearer("token", known)), signed(access.Cookie("session", "sid", known))
	basic := signed(access.Basic("login", func(ctx context.Context, _, password string) (*User, access.Scopes, error) {
		return known(ctx, password)
	}))
	bearer.tried = "listDragonTreasures:200,createDragonTreasure:401,@token=ann,createDragonTreasure:201,listDragonTreasures:200,@token=,createDragonTreasure:401"
	basic.tried = "@login=ann/ann,createDragonTreasure:201"
	cookie.tried = "createDragonTreasure:401,@session=ann,createDragonTreasure:201,@session=,createDragonTreasure:401"
	return map[string]configuration{
		"bearer": bearer, "basic": basic, "cookie": cookie,
		"all":     {of: []resource.Declaration{resource.Of[DragonTreasure]{}}, tried: "listDragonTreasures:200,createDragonTreasure:201"},
		"renamed": {of: []resource.Declaration{resource.Of[DragonTreasure]{ShortName: "Treasure", Operations: moved}}, tried: "listTreasures:200,createTreasure:201"},
		"reduced": {
			config: resource.Config{Prefix: "/v1"},
			of:     []resource.Declaration{resource.Of[DragonTreasure]{Operations: []operation.Operation{operation.GetCollection{}}}, resource.Of[Programmer]{}},
			tried:  "listDragonTreasures:200,createProgrammer:201",
		},
	}
}

// TestTheDocumentationInABrowser needs Chromium, Node.js and the packages of clients:
// .ci/browser runs it.
func TestTheDocumentationInABrowser(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("TROVE_TEST_BROWSER")
	if folder == "" {
		t.Skip("set TROVE_TEST_BROWSER to a folder for screenshots to open the documentation in Chromium")
	}
	for name, test := range configurations() {
		api, err := resource.New(test.config, test.of...)
		if err != nil {
			t.Fatal(err)
		}
		config := documentation(0)
		config.Operations = nil // some of these APIs do not have the operation that it is for
		if err := openapi.Mount(api, config); err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(api)
		var routes strings.Builder
		if err := api.WriteRoutes(&routes); err != nil {
			t.Fatal(err)
		}
		served := filepath.Join(t.TempDir(), "routes")
		if err := os.WriteFile(served, []byte(routes.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		docs := server.URL + "/api/docs"
		if test.config.Prefix != "" {
			docs = server.URL + test.config.Prefix + "/docs"
		}
		command := exec.CommandContext(t.Context(), "node", "../../clients/browser/docs.mjs", docs, served, filepath.Join(folder, name+".png"), test.tried)
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		server.Close()
	}
}
