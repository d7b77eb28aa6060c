package jsonapi_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/resource"
)

type owner struct {
	Name  string
	Admin bool
}

type Vault struct {
	Name  string   `json:"name" api:"id"`
	Owner string   `json:"owner"`
	Heir  *string  `json:"heir" api:"ref=Vault"`
	Twins []string `json:"twins" validate:"max=3" api:"ref=Vault"`
	Keys  []string `json:"keys" validate:"max=3" api:"ref=Vault"`
}

// newVaults returns an API where vaults are seen and changed by their owners, who are the tokens of requests; keys
// are the admin's, who sees all and changes none.
func newVaults(t *testing.T) client {
	t.Helper()
	admin := access.If("admin", func(o *owner) bool { return o.Admin })
	own := access.Equal("owner", func(o *owner) string { return o.Name })
	c := newClient(t, resource.Config{Authentication: []access.Scheme{
		access.Bearer("token", func(_ context.Context, token string) (*owner, access.Scopes, error) {
			return &owner{token, token == "root"}, access.Unlimited, nil
		}),
	}}, resource.Of[Vault]{Access: access.Rules{
		Read: access.Any(own, admin), Create: access.Authenticated, Update: own, Delete: own,
		Members: map[string]access.Member{"keys": {Read: admin}, "twins": {Write: access.Not(admin)}},
	}})
	for _, of := range [][2]string{{"a", "ann"}, {"b", "bob"}, {"c", "ann"}, {"r", "root"}} {
		c.Send("POST /api/vaults.jsonapi", `{"data":{"type":"vaults","id":"`+of[0]+`","attributes":{"owner":"`+of[1]+`"}}}`, as(of[1])...).Mentions(201)
	}
	return c
}

func as(who string) []string { return []string{"Authorization", "Bearer " + who} }

// vaults is the body of a relationship to vaults.
func vaults(name string) string { return `{"data":[{"type":"vaults","id":"` + name + `"}]}` }

func TestRulesHoldForRelationships(t *testing.T) {
	t.Parallel()
	c := newVaults(t)
	const twins, keys = "/relationships/twins", "/relationships/keys"
	hidden := c.Send("GET /api/vaults/b"+twins, "", as("ann")...).Mentions(404)
	c.Send("GET /api/vaults/none"+twins, "", as("ann")...).Is(404, hidden.Body)
	c.Send("GET /api/vaults/a"+twins, "").Mentions(401).Has("WWW-Authenticate", `Bearer realm="token"`)
	for _, method := range []string{"PATCH", "POST", "DELETE"} {
		c.Send(method+" /api/vaults/a"+twins, vaults("c"), as("bob")...).Mentions(404)
		c.Send(method+" /api/vaults/a"+twins, vaults("c"), as("root")...).Mentions(403)
		c.Send(method+" /api/vaults/a"+twins, vaults("c")).Mentions(401)
	}
	// A hidden record does not reveal whether it exists.
	for _, method := range []string{"PATCH", "POST"} {
		there := c.Send(method+" /api/vaults/a"+twins, vaults("b"), as("ann")...).Mentions(400, `"pointer":"/data/0"`)
		c.Send(method+" /api/vaults/a"+twins, vaults("none"), as("ann")...).Is(400, there.Body)
	}
	c.Send("POST /api/vaults/a"+twins, vaults("c"), as("ann")...).Is(204, "")
	// A rule for the field applies to its relationship.
	c.Send("GET /api/vaults/a"+keys, "", as("ann")...).Mentions(404)
	c.Send("GET /api/vaults/a"+keys, "", as("root")...).Mentions(200, `"data":[]`)
	c.Send("POST /api/vaults/r"+twins, vaults("a"), as("root")...).Mentions(403)
	c.Send("GET /api/vaults/r"+twins, "", as("root")...).Mentions(200, `"data":[]`).Has("Cache-Control", "private, no-cache")
}

func TestRelationshipsAreRowsOfTheTableOfAccess(t *testing.T) {
	t.Parallel()
	c := newVaults(t)
	callers := accesstest.Callers{{Name: "nobody"}}
	for _, name := range []string{"ann", "bob", "root"} {
		callers = append(callers, accesstest.Caller{Name: name, Header: map[string][]string{"Authorization": {"Bearer " + name}}})
	}
	accesstest.Matrix(t, c.api, "testdata/access.golden", callers, accesstest.Records{"Vault": {"ann's": "a", "bob's": "b"}})
}
