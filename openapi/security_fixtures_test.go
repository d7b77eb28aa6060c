package openapi_test

import (
	"context"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Keeper is a principal, and a resource.
type Keeper struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank"`
	Email string `json:"email" validate:"email"`
	Admin bool   `json:"admin"`
}

// Robot is a principal of another type.
type Robot struct{ Name string }

// Jewel is a resource with an owner.
type Jewel struct {
	ID          int64  `json:"id"`
	Name        string `json:"name" validate:"notblank"`
	IsPublished bool   `json:"isPublished"`
	Owner       int64  `json:"owner"`
}

var (
	isAdmin     = access.If("admin", func(k *Keeper) bool { return k.Admin })
	isSelf      = access.Equal("id", func(k *Keeper) int64 { return k.ID })
	isOwner     = access.Equal("owner", func(k *Keeper) int64 { return k.ID })
	isRobot     = access.If("robot", func(*Robot) bool { return true })
	isPublished = access.Where("isPublished", true)
	mayWrite    = access.Scope("jewel:write")
)

// knows rejects all credentials.
func knows[P any](context.Context, string) (P, access.Scopes, error) {
	return *new(P), nil, access.ErrCredentials
}

func knowsPassword(context.Context, string, string) (*Keeper, access.Scopes, error) {
	return nil, nil, access.ErrCredentials
}

// allSchemes are schemes of every kind.
func allSchemes() []access.Scheme {
	return []access.Scheme{
		access.Bearer("token", knows[*Keeper]),
		access.Basic("login", knowsPassword),
		access.APIKey("key", "X-API-Key", knows[*Robot]),
		access.Cookie("session", "sid", knows[*Keeper]),
		access.OAuth2("oauth", access.Flows{
			AuthorizationCode: &access.Flow{
				AuthorizationURL: "https://id.example.com/authorize", TokenURL: "https://id.example.com/token", RefreshURL: "https://id.example.com/refresh",
				Scopes: map[string]string{"jewel:read": "See jewels."},
			},
			ClientCredentials:   &access.Flow{TokenURL: "https://id.example.com/token"},
			DeviceAuthorization: &access.Flow{AuthorizationURL: "https://id.example.com/device", TokenURL: "https://id.example.com/token"},
		}, knows[*Keeper]),
		access.OpenIDConnect("oidc", "https://id.example.com/.well-known/openid-configuration", knows[*Keeper]),
	}
}

// ruled are resources with rules of every sort.
func ruled() []resource.Declaration {
	return []resource.Declaration{
		resource.Of[Keeper]{Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Any(isSelf, isAdmin), Delete: isAdmin,
			Fields: map[string]access.Field{
				"email": {Read: access.Any(isSelf, isAdmin)},
				"admin": {Read: access.Any(isSelf, isAdmin), Write: isAdmin},
			},
		}, ExtraProperties: map[string]any{"standard_put": true}},
		resource.Of[Jewel]{
			Access: access.Rules{
				Read: access.Any(isPublished, isOwner, isAdmin), Create: access.All(mayWrite, isOwner),
				Update: access.All(mayWrite, access.Any(isOwner, isAdmin)), Delete: isAdmin,
			},
			Operations: append(operation.Standard(),
				operation.GetCollection{Name: "survey", URITemplate: "/survey", Description: "For machines.", Access: access.Any(isRobot, isAdmin)},
				operation.GetCollection{Name: "mine", URITemplate: "/mine", Access: access.Authenticated}),
		},
	}
}
