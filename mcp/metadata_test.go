package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/resource"
)

// TestTheSDKFindsTheAuthorizationServer holds the challenge and the metadata to what clients of the official SDK read.
func TestTheSDKFindsTheAuthorizationServer(t *testing.T) {
	t.Parallel()
	oidc := access.OpenIDConnect("oidc", "https://id.example.com/.well-known/openid-configuration",
		func(context.Context, string) (*Keeper, access.Scopes, error) { return nil, nil, access.ErrCredentials })
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{oidc}},
		resource.Of[Shelf]{Access: access.Only(access.All(access.Authenticated, access.Scope("shelf:use")))})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	challenges, err := oauthex.ParseWWWAuthenticate(response.Header.Values("WWW-Authenticate"))
	if err != nil || len(challenges) != 1 || response.StatusCode != http.StatusUnauthorized {
		t.Fatalf("the response is %d with %v, %v", response.StatusCode, challenges, err)
	}
	found, err := oauthex.GetProtectedResourceMetadata(t.Context(), challenges[0].Params["resource_metadata"], server.URL+"/mcp", server.Client())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found.AuthorizationServers, []string{"https://id.example.com"}) || !slices.Equal(found.ScopesSupported, []string{"shelf:use"}) {
		t.Errorf("the metadata is %+v", found)
	}
}
