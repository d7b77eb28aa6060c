package access

import (
	"context"
	"errors"
	"reflect"
	"slices"
)

// ErrCredentials reports invalid credentials: unknown, forged or expired ones. Return it, wrapped or not, from an
// authenticate function; the response is 401. An operation.Error with the status 429 is sent as it is. Any other error is a
// failure of the service; the response is 503.
var ErrCredentials = errors.New("access: invalid credentials")

// Scheme is an authentication scheme. Create schemes with the functions of this package; the fields are for reading. The
// zero value is invalid.
//
// The first scheme of resource.Config.Authentication whose credentials a request contains authenticates it, before
// anything else of the request is checked. A request without credentials is anonymous. Invalid credentials return 401,
// for public operations too. A 401 has one WWW-Authenticate field for each scheme (RFC 9110, section 11.6.1).
// Credentials are never logged.
type Scheme struct {
	// Name is the name of the scheme in the OpenAPI document. Allowed: letters, digits, ".", "_" and "-".
	Name string
	// Kind is the name, in lower case, of the function that creates such a scheme: "bearer", "basic", "token",
	// "apikey", "cookie", "oauth2" or "openidconnect".
	Kind string
	// Field is the header field of an API key, the name of a cookie, or the word before a token.
	Field string
	// Flows are the flows of OAuth 2.
	Flows Flows
	// URL is the URL of the OpenID Connect configuration.
	URL string
	// Principal is the type of the principals that Authenticate returns.
	Principal reflect.Type
	// Authenticate calls the authenticate function. User is the name of "basic", else ""; secret is the password, the
	// token or the key.
	Authenticate func(ctx context.Context, user, secret string) (principal any, scopes Scopes, err error)
	// Err is an error in what the scheme was created from, which New of package resource reports. Nil for none.
	Err error
}

// Scopes are the scopes that credentials grant (RFC 6749, section 3.3). Nil grants none.
type Scopes []string

// Unlimited grants every scope. Only this value does, so a token that contains the same string does not.
var Unlimited = Scopes{" unlimited "} //nolint:gochecknoglobals // known by its place, which nothing else can have

// Grant reports whether the scopes include a scope.
func (s Scopes) Grant(scope string) bool {
	if len(s) == 1 && &s[0] == &Unlimited[0] {
		return true
	}
	return slices.Contains(s, scope)
}

// Bearer returns the scheme of bearer tokens in the header field Authorization (RFC 6750).
//
// The function authenticate, of this and every other scheme, returns the principal and the scopes of valid credentials.
// It returns [ErrCredentials] for invalid ones. A nil principal without an error is a failure of the service; the
// response is 500. The function must be safe for concurrent use.
func Bearer[P any](name string, authenticate func(ctx context.Context, token string) (P, Scopes, error)) Scheme {
	return byToken("bearer", name, "", authenticate)
}

// Token returns the scheme of tokens in the header field Authorization with another word than Bearer:
// access.Token("token", "Token", …) reads "Authorization: Token abc". The word is case-insensitive and must not be
// Bearer or Basic, which have their own schemes. See [Bearer] for the function. OpenAPI documents describe it as an API
// key in Authorization, because the word is not registered.
func Token[P any](name, word string, authenticate func(ctx context.Context, token string) (P, Scopes, error)) Scheme {
	return byToken("token", name, word, authenticate)
}

// Basic returns the scheme of user names and passwords (RFC 7617), both in UTF-8. Browsers remember them and send them
// for any page. So a POST from a page of another origin returns 403, unless its Content-Type requires a CORS preflight,
// as that of JSON does. See [Bearer] for the function. Its context carries the request, for operation.RequestFrom.
func Basic[P any](name string, authenticate func(ctx context.Context, user, password string) (P, Scopes, error)) Scheme {
	s := Scheme{Kind: "basic", Name: name, Principal: reflect.TypeFor[P]()}
	if authenticate != nil {
		s.Authenticate = func(ctx context.Context, user, password string) (any, Scopes, error) {
			return authenticate(ctx, user, password)
		}
	}
	return s
}

// APIKey returns the scheme of keys in a header field, such as "X-API-Key". See [Bearer] for the function.
func APIKey[P any](name, field string, authenticate func(ctx context.Context, key string) (P, Scopes, error)) Scheme {
	return byToken("apikey", name, field, authenticate)
}

// Cookie returns the scheme of a session cookie. Requests with an unsafe method from pages of another origin return 403
// (see [net/http.CrossOriginProtection]). See [Bearer] for the function.
//
// Give the cookie the prefix "__Host-", Secure and the path "/". Otherwise pages of sibling domains can set it too. If a
// request has several cookies of the name, at most eight, it is authenticated by the only valid one. Several valid ones
// return 401.
func Cookie[P any](name, cookie string, authenticate func(ctx context.Context, value string) (P, Scopes, error)) Scheme {
	return byToken("cookie", name, cookie, authenticate)
}

// OAuth2 returns the scheme of OAuth 2 access tokens (RFC 6749), which are read like those of [Bearer]. The flows are
// for the OpenAPI document, and at least one is required. The function must verify the token; see [Bearer].
func OAuth2[P any](name string, flows Flows, authenticate func(ctx context.Context, token string) (P, Scopes, error)) Scheme {
	s := byToken("oauth2", name, "", authenticate)
	s.Flows = flows
	return s
}

// OpenIDConnect returns the scheme of OpenID Connect tokens, which are read like those of [Bearer]. The URL is the
// absolute one of the configuration, which ends in /.well-known/openid-configuration. It is for the OpenAPI document.
// The function must verify the token; see [Bearer].
func OpenIDConnect[P any](name, url string, authenticate func(ctx context.Context, token string) (P, Scopes, error)) Scheme {
	s := byToken("openidconnect", name, "", authenticate)
	s.URL = url
	return s
}

func byToken[P any](kind, name, field string, authenticate func(context.Context, string) (P, Scopes, error)) Scheme {
	s := Scheme{Kind: kind, Name: name, Field: field, Principal: reflect.TypeFor[P]()}
	if authenticate != nil {
		s.Authenticate = func(ctx context.Context, _, token string) (any, Scopes, error) {
			return authenticate(ctx, token)
		}
	}
	return s
}

// Flows are the OAuth 2 flows that a service supports (OpenAPI, OAuth Flows Object). Nil flows are not supported.
type Flows struct {
	// AuthorizationCode redirects users to the authorization server (RFC 6749, section 4.1).
	AuthorizationCode *Flow
	// ClientCredentials is for programs that act for themselves (RFC 6749, section 4.4).
	ClientCredentials *Flow
	// DeviceAuthorization is for devices without a browser (RFC 8628).
	DeviceAuthorization *Flow
	// Implicit is for programs in browsers (RFC 6749, section 4.2). RFC 9700 advises against it.
	Implicit *Flow
	// Password gives the user's password to the program (RFC 6749, section 4.3). RFC 9700 forbids it.
	Password *Flow
}

// Flow is one OAuth 2 flow.
type Flow struct {
	// AuthorizationURL is the URL where users give consent, for AuthorizationCode and Implicit. For DeviceAuthorization
	// it is the device authorization URL (RFC 8628, section 3.1).
	AuthorizationURL string
	// TokenURL is the URL that issues tokens. Implicit does not use it.
	TokenURL string
	// RefreshURL is the URL that renews tokens. Default: none.
	RefreshURL string
	// Scopes are the available scopes by name, each with a description. Default: none.
	Scopes map[string]string
}
