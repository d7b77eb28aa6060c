package admin

import (
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/schema"
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

// has reports whether an operation is one of the two.
func (s session) has(op *invoke.Operation) bool { return op == s.in || op == s.out }

// ways returns the ways to sign in, without the form.
func ways(api *invoke.API, config Config) (list []signIn) {
	for _, scheme := range api.Authentication {
		token := signIn{Kind: "token", Of: scheme.Kind, Header: "Authorization", Title: scheme.Name}
		switch flow := scheme.Flows.AuthorizationCode; scheme.Kind {
		case "cookie":
			continue
		case "basic":
			token = signIn{Kind: "basic", Title: scheme.Name}
		case "apikey":
			token.Header = scheme.Field
		case "token":
			token.Word = scheme.Field
		case "openidconnect":
			token.Of, token.Word = "bearer", "Bearer"
			if config.ClientID != "" {
				scopes := config.Scopes
				if !slices.Contains(scopes, "openid") {
					scopes = append([]string{"openid"}, scopes...)
				}
				token = signIn{Kind: "oidc", Title: scheme.Name, Configuration: scheme.URL, ClientID: config.ClientID, Scopes: scopes}
			}
		case "oauth2":
			token.Of, token.Word = "bearer", "Bearer"
			if config.ClientID != "" && flow != nil {
				token = signIn{
					Kind: "oauth2", Title: scheme.Name, AuthorizationURL: flow.AuthorizationURL, TokenURL: flow.TokenURL,
					ClientID: config.ClientID, Scopes: config.Scopes,
				}
			}
		default:
			token.Word = "Bearer"
		}
		list = append(list, token)
	}
	return list
}

// providers lists the origins that the page sends requests to when people sign in: those of identity providers.
func providers(api *invoke.API, config Config) []string {
	if config.ClientID == "" {
		return nil
	}
	list := slices.Clone(config.Origins)
	for _, scheme := range api.Authentication {
		list = append(list, originOf(scheme.URL))
		if flow := scheme.Flows.AuthorizationCode; flow != nil {
			list = append(list, originOf(flow.TokenURL))
		}
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

// tokenNames are usual names of the field with the token in the response of a sign-in.
var tokenNames = []string{"access_token", "accessToken", "token", "jwt", "idToken", "id_token"}

// tokenIn returns the pointer to the token in the response of a sign-in, "" for none.
func tokenIn(op *invoke.Operation) string {
	if op == nil || op.Response == nil {
		return ""
	}
	object := op.Response
	if object.Ref != nil {
		object = object.Ref.Schema
	}
	isText := func(s *schema.Schema) bool { return s != nil && slices.Equal(s.Type, []string{schema.String}) }
	for _, name := range tokenNames {
		if isText(object.Property(name)) {
			return "/" + name
		}
	}
	return ""
}
