package access

import (
	"context"
	"errors"
	"reflect"
	"slices"
)

// ErrCredentials is the error of credentials that are not good: unknown, forged, expired. It is
// answered 401. Every other error of a function that authenticates is a failure of the service:
// 503.
var ErrCredentials = errors.New("access: the credentials are not good")

// Scheme is a way in which requests say who makes them. The functions of this package make
// them; the fields are there to be read. The zero value is a mistake.
//
// A request is authenticated by the first scheme of resource.Config.Authentication whose
// credentials it has, before anything else of it is looked at; one that has none is nobody's.
// Bad credentials are answered 401, by operations that everybody may use, too. Neither they nor
// good ones are logged.
type Scheme struct {
	// Name is what the document calls the scheme: letters, digits, ".", "_" and "-".
	Name string
	// Kind is the function that makes such a scheme, in lower case: "bearer", "basic",
	// "token", "apikey", "cookie", "oauth2" or "openidconnect".
	Kind string
	// Field is the header field of an API key, the name of a cookie, or the word before a token.
	Field string
	// Flows are those of OAuth 2.
	Flows Flows
	// URL is where the configuration of OpenID Connect is found.
	URL string
	// Principal is the type of those that the function gives.
	Principal reflect.Type
	// Authenticate is the function: user is the name of "basic", "" for all others, secret the
	// password, the token or the key.
	Authenticate func(ctx context.Context, user, secret string) (principal any, scopes Scopes, err error)
}

// Scopes are what credentials grant (RFC 6749, section 3.3). Nil grants nothing.
type Scopes []string

// Unlimited grants every scope, for credentials that are not limited to some. It is this value
// alone, and no text that a token could have in it.
var Unlimited = Scopes{" unlimited "} //nolint:gochecknoglobals // known by its place, which nothing else can have

// Grant reports whether the scopes grant one.
func (s Scopes) Grant(scope string) bool {
	if len(s) == 1 && &s[0] == &Unlimited[0] {
		return true
	}
	return slices.Contains(s, scope)
}

// Bearer is the scheme of tokens in the field Authorization (RFC 6750). Functions that
// authenticate are safe for use by many goroutines, and return a principal and what its
// credentials grant, or an error that is [ErrCredentials]. A principal that is nil beside no
// error is a fault of the service: 500.
func Bearer[P any](name string, authenticate func(ctx context.Context, token string) (P, Scopes, error)) Scheme {
	return byToken("bearer", name, authenticate)
}

// Token is the scheme of tokens in the field Authorization that have another word than Bearer before them:
// access.Token("token", "Token", …) reads "Authorization: Token abc". The word is compared without case, and is
// neither Bearer nor Basic, which have schemes of their own. Because no registry has such a word, documents describe
// the scheme as a key in the field Authorization.
func Token[P any](name, word string, authenticate func(ctx context.Context, token string) (P, Scopes, error)) Scheme {
	s := byToken("token", name, authenticate)
	s.Field = word
	return s
}

// Basic is the scheme of names and passwords (RFC 7617), both in UTF-8.
func Basic[P any](name string, authenticate func(ctx context.Context, user, password string) (P, Scopes, error)) Scheme {
	s := Scheme{Kind: "basic", Name: name, Principal: reflect.TypeFor[P]()}
	if authenticate != nil {
		s.Authenticate = func(ctx context.Context, user, password string) (any, Scopes, error) {
			return authenticate(ctx, user, password)
		}
	}
	return s
}

// APIKey is the scheme of a key in a header field of that name, such as "X-API-Key".
func APIKey[P any](name, field string, authenticate func(ctx context.Context, key string) (P, Scopes, error)) Scheme {
	s := byToken("apikey", name, authenticate)
	s.Field = field
	return s
}

// Cookie is the scheme of a cookie of that name. Requests that change something and come from
// pages of another origin are refused, 403 (net/http.CrossOriginProtection).
func Cookie[P any](name, cookie string, authenticate func(ctx context.Context, value string) (P, Scopes, error)) Scheme {
	s := byToken("cookie", name, authenticate)
	s.Field = cookie
	return s
}

// OAuth2 is the scheme of access tokens of OAuth 2 (RFC 6749), which come as those of [Bearer]
// do. The flows are for the document: the function verifies the token.
func OAuth2[P any](name string, flows Flows, authenticate func(ctx context.Context, token string) (P, Scopes, error)) Scheme {
	s := byToken("oauth2", name, authenticate)
	s.Flows = flows
	return s
}

// OpenIDConnect is the scheme of tokens of OpenID Connect, which come as those of [Bearer] do.
// The URL is that of the configuration, ending in /.well-known/openid-configuration, for the
// document: the function verifies the token.
func OpenIDConnect[P any](name, url string, authenticate func(ctx context.Context, token string) (P, Scopes, error)) Scheme {
	s := byToken("openidconnect", name, authenticate)
	s.URL = url
	return s
}

func byToken[P any](kind, name string, authenticate func(context.Context, string) (P, Scopes, error)) Scheme {
	s := Scheme{Kind: kind, Name: name, Principal: reflect.TypeFor[P]()}
	if authenticate != nil {
		s.Authenticate = func(ctx context.Context, _, token string) (any, Scopes, error) {
			return authenticate(ctx, token)
		}
	}
	return s
}

// Flows are the ways to a token of OAuth 2 that a service offers (OpenAPI, OAuth Flows Object).
// Nil is one that it does not.
type Flows struct {
	// AuthorizationCode leads through the pages of the authorization server (RFC 6749, section 4.1).
	AuthorizationCode *Flow
	// ClientCredentials is for programs that ask for themselves (section 4.4).
	ClientCredentials *Flow
	// DeviceAuthorization is for devices without a browser (RFC 8628).
	DeviceAuthorization *Flow
	// Implicit is an old way for programs in browsers (section 4.2). RFC 9700 advises against it.
	Implicit *Flow
	// Password hands the user's password to the program (section 4.3). RFC 9700 forbids it.
	Password *Flow
}

// Flow is one way to a token.
type Flow struct {
	// AuthorizationURL is where users consent; of DeviceAuthorization, where devices begin.
	AuthorizationURL string
	// TokenURL is where tokens are given.
	TokenURL string
	// RefreshURL is where they are renewed. Default: none.
	RefreshURL string
	// Scopes are those that there are, with a text for each.
	Scopes map[string]string
}
