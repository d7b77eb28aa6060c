package spec

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
)

// Captain is the user of the tests, and a resource itself.
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

// The rules that those of captains and hoards are made of.
var (
	IsAdmin   = access.If("admin", func(c *Captain) bool { return c.Admin })
	IsSelf    = access.Equal("id", func(c *Captain) int64 { return c.ID })
	IsOwner   = access.Equal("owner", func(c *Captain) int64 { return c.ID })
	Published = access.Where("published", true)
	MayWrite  = access.Scope("hoard:write")
)

// CaptainRules are the rules of captains.
var CaptainRules = access.Rules{
	Read: access.Public, Create: access.Public, Update: access.Any(IsSelf, IsAdmin), Delete: IsAdmin,
	Fields: map[string]access.Field{
		"email": {Read: access.Any(IsSelf, IsAdmin)},
		"admin": {Read: access.Any(IsSelf, IsAdmin), Write: IsAdmin},
		"pin":   {Write: IsAdmin},
	},
}

// HoardRules are the rules of hoards.
var HoardRules = access.Rules{
	Read:   access.Any(Published, IsOwner, IsAdmin),
	Create: access.All(IsOwner, MayWrite),
	Update: access.All(access.Any(IsOwner, IsAdmin), MayWrite),
	Delete: IsAdmin,
}

// Captains are the callers, by name.
var Captains = map[string]*Captain{
	"ann": {ID: 1, Name: "ann"}, "bob": {ID: 2, Name: "bob"}, "root": {ID: 3, Name: "root", Admin: true},
}

// Bearer is the scheme of tokens: a name, with "-plain" behind it for one without scopes.
func Bearer() access.Scheme {
	return access.Bearer("token", func(_ context.Context, token string) (*Captain, access.Scopes, error) {
		switch {
		case token == "outage":
			return nil, nil, errors.New("the directory does not respond about outage")
		case token == "panic":
			panic("cannot look up panic")
		case token == "nothing":
			return nil, nil, nil
		case Captains[token] != nil:
			return Captains[token], access.Scopes{"hoard:read", "hoard:write"}, nil
		}
		name, plain := strings.CutSuffix(token, "-plain")
		if !plain || Captains[name] == nil {
			return nil, nil, access.ErrCredentials
		}
		return Captains[name], nil, nil
	})
}

// As sends a request as a user, "" for an anonymous caller.
func (c Client) As(who, request, body string, header ...string) Response {
	c.T.Helper()
	if who != "" {
		header = append(header, "Authorization", "Bearer "+who)
	}
	return c.Send(request, body, header...)
}

// Crewed is an API of captains and hoards, with three of each: hoard 1 is ann's, 2 her draft,
// 3 bob's.
type Crewed struct {
	Client

	Log *bytes.Buffer
}

// NewCrew makes the API of captains and hoards, with a scheme by which each captain calls it.
func NewCrew(t testing.TB, hoards resource.Of[Hoard], captains resource.Of[Captain]) Crewed {
	t.Helper()
	f := Crewed{Log: &bytes.Buffer{}}
	if hoards.Access.Read == nil {
		hoards.Access = HoardRules
	}
	if captains.Access.Read == nil {
		captains.Access = CaptainRules
	}
	config := resource.Config{
		Logger:         slog.New(slog.NewTextHandler(f.Log, nil)),
		Authentication: []access.Scheme{Bearer()},
	}
	f.Client = NewClient(t, config, hoards, captains)
	for _, body := range []string{
		`{"name":"ann","email":"ann@x.example"}`, `{"name":"bob","email":"bob@x.example"}`, `{"name":"root","email":"root@x.example"}`,
	} {
		f.As("root", "POST /api/captains", body).HasStatus(201)
	}
	f.As("root", "PATCH /api/captains/3", `{"admin":true}`).HasStatus(200)
	f.As("ann", "POST /api/hoards", `{"name":"gold","published":true,"owner":1,"worth":9}`).HasStatus(201)
	f.As("ann", "POST /api/hoards", `{"name":"draft","published":false,"owner":1,"worth":5}`).HasStatus(201)
	f.As("bob", "POST /api/hoards", `{"name":"silver","published":true,"owner":2}`).HasStatus(201)
	f.Log.Reset()
	return f
}
