package admin

import (
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/invoke"
)

// session has the operations that begin and end a session, nil for none.
type session struct{ in, out *invoke.Operation }

// newSession finds the operations. Those of the config have been checked.
func newSession(api *invoke.API, config Config) (s session) {
	s.in, s.out = api.SignIn()
	if config.SignIn != "" {
		s.in, _ = api.Operation(config.SignIn)
	}
	if config.SignOut != "" {
		s.out, _ = api.Operation(config.SignOut)
	}
	return s
}

// ways returns the ways to sign in, without the form.
func ways(api *invoke.API, config Config) (list []signIn) {
	for _, scheme := range api.Authentication {
		way := signIn{Kind: "token", Of: scheme.Kind, Header: "Authorization", Word: "Bearer"}
		flow, isClient := scheme.Flows.AuthorizationCode, config.ClientID != ""
		switch kind := scheme.Kind; {
		case kind == "cookie":
			continue
		case kind == "basic":
			way = signIn{Kind: "basic"}
		case kind == "apikey":
			way.Header, way.Word = scheme.Field, ""
		case kind == "token":
			way.Word = scheme.Field
		case kind == "openidconnect" && isClient:
			way = signIn{Kind: "oidc", Configuration: scheme.URL, ClientID: config.ClientID, Scopes: config.Scopes}
			if !slices.Contains(config.Scopes, "openid") {
				way.Scopes = append([]string{"openid"}, config.Scopes...)
			}
		case kind == "oauth2" && isClient && flow != nil:
			way = signIn{Kind: "oauth2", AuthorizationURL: flow.AuthorizationURL, TokenURL: flow.TokenURL, ClientID: config.ClientID, Scopes: config.Scopes}
		case kind == "openidconnect", kind == "oauth2":
			way.Of = "bearer"
		}
		way.Title = scheme.Name
		list = append(list, way)
	}
	return list
}

// providers lists the origins that the page sends requests to when people sign in: those of identity providers.
func providers(ways []signIn, config Config) []string {
	list := slices.Clone(config.Origins)
	for _, way := range ways {
		list = append(list, originOf(way.Configuration), originOf(way.TokenURL))
	}
	slices.Sort(list)
	return slices.Compact(slices.DeleteFunc(list, func(origin string) bool { return origin == "" }))
}

// originOf returns the origin of an absolute URL, "" for others.
func originOf(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.ContainsAny(u.Host, "; ,'\"") {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
