package mcp_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Vault has hidden fields that its rules look at.
type Vault struct {
	ID     int64  `json:"id"`
	Buried bool   `json:"buried" api:"hidden"`
	Name   string `json:"name"`
	Open   bool   `json:"open"`
}

func TestNoToolAndNoErrorNamesAHiddenField(t *testing.T) {
	t.Parallel()
	rule := access.All(access.Where("buried", false), access.Any(access.Where("open", true), isAdmin))
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}, resource.Of[Vault]{
		Store: memory.New(Vault{Name: "a", Open: true}, Vault{Name: "b", Buried: true}),
		Access: access.Rules{
			Read: access.Public, Create: rule, Update: access.Not(access.Not(rule)), Delete: rule,
			Fields: map[string]access.Field{"open": {Read: access.Not(access.Where("buried", true)), Write: rule}},
		},
		Operations: append(operation.Standard(), operation.Get{Name: "peek", URITemplate: "/vaults/{id}/peek", Access: access.Where("buried", false)}),
	}, resource.Of[Keeper]{Access: access.Rules{Read: access.Public, Create: isAdmin, Update: isAdmin, Delete: isAdmin}})
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, api)
	for _, who := range []string{"", "ann", "root"} {
		_, tools, _ := s.post(who, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if !strings.Contains(tools, "a condition on the record") || strings.Contains(tools, "buried") {
			t.Errorf("the tools as %q: %s", who, tools)
		}
		for _, test := range []struct{ request, tool, body, arguments string }{
			{"DELETE /api/vaults/2", "deleteVault", "", `{"id":2}`},
			{"PATCH /api/vaults/2", "patchVault", `{"name":"x"}`, `{"id":2,"name":"x"}`},
			{"PATCH /api/vaults/2", "patchVault", `{"open":true}`, `{"id":2,"open":true}`},
			{"GET /api/vaults/2/peek", "peekVault", "", `{"id":2}`},
		} {
			status, body, header := s.exchange(who, test.request, test.body)
			if status < 400 || strings.Contains(body, "buried") {
				t.Errorf("%s as %q: %d %s", test.request, who, status, body)
			}
			for name, values := range header {
				if strings.Contains(strings.Join(values, " "), "buried") {
					t.Errorf("%s as %q: %s: %v", test.request, who, name, values)
				}
			}
			if got := s.agent(who).fails(test.tool, test.arguments); strings.Contains(got, "buried") {
				t.Errorf("%s as %q: %s", test.tool, who, got)
			}
		}
	}
}
