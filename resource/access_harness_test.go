package resource_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Captain is who asks, and a resource itself.
type Captain struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank" api:"filter=partial,sort,search"`
	Email string `json:"email" validate:"omitempty,email" api:"filter,sort,search,unique"`
	Admin bool   `json:"admin"`
	PIN   string `json:"pin" api:"writeonly"`
}

// Hoard has an owner.
type Hoard struct {
	ID        int64  `json:"id"`
	Name      string `json:"name" validate:"notblank" api:"filter,sort,search,unique"`
	Published bool   `json:"published" api:"filter"`
	Owner     int64  `json:"owner" api:"filter"`
	Worth     *int   `json:"worth" api:"filter=range,sort"`
}

var (
	isAdmin   = access.If("admin", func(c *Captain) bool { return c.Admin })
	isSelf    = access.Equal("id", func(c *Captain) int64 { return c.ID })
	isOwner   = access.Equal("owner", func(c *Captain) int64 { return c.ID })
	published = access.Where("published", true)
	mayWrite  = access.Scope("hoard:write")
)

var captainRules = access.Rules{
	Read: access.Public, Create: access.Public, Update: access.Any(isSelf, isAdmin), Delete: isAdmin,
	Members: map[string]access.Member{
		"email": {Read: access.Any(isSelf, isAdmin)},
		"admin": {Read: access.Any(isSelf, isAdmin), Write: isAdmin},
		"pin":   {Write: isAdmin},
	},
}

var hoardRules = access.Rules{
	Read:   access.Any(published, isOwner, isAdmin),
	Create: access.All(isOwner, mayWrite),
	Update: access.All(access.Any(isOwner, isAdmin), mayWrite),
	Delete: isAdmin,
}

var crew = map[string]*Captain{
	"ann": {ID: 1, Name: "ann"}, "bob": {ID: 2, Name: "bob"}, "root": {ID: 3, Name: "root", Admin: true},
}

// bearer is the scheme of tokens: a name, with "-plain" behind it for one without scopes.
func bearer() access.Scheme {
	return access.Bearer("token", func(_ context.Context, token string) (*Captain, access.Scopes, error) {
		switch {
		case token == "outage":
			return nil, nil, errors.New("the directory does not answer about outage")
		case token == "panic":
			panic("cannot look up panic")
		case token == "nothing":
			return nil, nil, nil
		case crew[token] != nil:
			return crew[token], access.Scopes{"hoard:read", "hoard:write"}, nil
		}
		name, plain := strings.CutSuffix(token, "-plain")
		if !plain || crew[name] == nil {
			return nil, nil, access.ErrCredentials
		}
		return crew[name], nil, nil
	})
}

// as sends a request as somebody, "" for nobody.
func (c client) as(who, request, body string, header ...string) answer {
	c.t.Helper()
	if who != "" {
		header = append(header, "Authorization", "Bearer "+who)
	}
	return c.send(request, body, header...)
}

// crewed is an API of captains and hoards, with three of each: hoard 1 is ann's, 2 her draft,
// 3 bob's.
type crewed struct {
	client

	log *bytes.Buffer
}

func newCrew(t testing.TB, hoards resource.Of[Hoard], captains resource.Of[Captain]) crewed {
	t.Helper()
	f := crewed{log: &bytes.Buffer{}}
	if hoards.Access.Read == nil {
		hoards.Access = hoardRules
	}
	if captains.Access.Read == nil {
		captains.Access = captainRules
	}
	config := resource.Config{
		Logger:         slog.New(slog.NewTextHandler(f.log, nil)),
		Authentication: []access.Scheme{bearer()},
	}
	f.client = newClient(t, config, hoards, captains)
	for _, body := range []string{
		`{"name":"ann","email":"ann@x.example"}`, `{"name":"bob","email":"bob@x.example"}`, `{"name":"root","email":"root@x.example"}`,
	} {
		f.as("root", "POST /api/captains", body).hasStatus(201)
	}
	f.as("root", "PATCH /api/captains/3", `{"admin":true}`).hasStatus(200)
	f.as("ann", "POST /api/hoards", `{"name":"gold","published":true,"owner":1,"worth":9}`).hasStatus(201)
	f.as("ann", "POST /api/hoards", `{"name":"draft","published":false,"owner":1,"worth":5}`).hasStatus(201)
	f.as("bob", "POST /api/hoards", `{"name":"silver","published":true,"owner":2}`).hasStatus(201)
	f.log.Reset()
	return f
}

// onStores runs a test on crews in stores of each sort.
func onStores(t *testing.T, check func(f crewed)) {
	t.Helper()
	captains := stores[Captain](t)
	for name, hoards := range stores[Hoard](t) {
		t.Run(name, func(t *testing.T) {
			check(newCrew(t, resource.Of[Hoard]{Store: hoards}, resource.Of[Captain]{Store: captains[name]}))
		})
	}
}

// replacing are the standard ones with a replacing Put beside.
func replacing() []operation.Operation {
	return append(operation.Standard(), operation.Put{
		Name: "swap", URITemplate: "/swaps/{id}", ExtraProperties: map[string]any{"standard_put": true},
	})
}
