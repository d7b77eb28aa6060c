package mcp_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestReadGuardsTheToolOfAReadingHandler(t *testing.T) {
	t.Parallel()
	count := func(context.Context, *Gem, struct{}) (int, error) { return 7, nil }
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}, resource.Of[Gem]{
		Access:     access.Rules{Read: isAdmin, Create: access.Public},
		Operations: []operation.Operation{operation.Get{Name: "count", URITemplate: "/gem-count", Handler: operation.Handle(count)}},
	}, resource.Of[Keeper]{Access: access.Rules{Read: isAdmin}, Operations: []operation.Operation{operation.Get{}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	s := &service{t: t, url: server.URL}
	for caller, want := range map[string]string{"": "401", "ann": "403", "root": `"value":7`} {
		call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"countGem","arguments":{}}}`
		_, text, _ := s.exchange(caller, "POST /mcp", call, "Accept", "application/json, text/event-stream")
		if !strings.Contains(text, want) {
			t.Errorf("%q gets %s, want %s", caller, text, want)
		}
	}
}
