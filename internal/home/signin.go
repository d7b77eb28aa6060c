package home

import (
	"net/url"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/guest"
	"github.com/trove-api/trove/internal/naming"
)

// way is a way to sign in.
type way struct {
	Title string
	Text  paragraph
	Link  string // where to sign in; "" for none
}

// ways returns how callers authenticate, in the order of the schemes.
func (h *Home) ways(signIn *guest.Operation) []way {
	var list []way
	for i := range h.api.Authentication {
		list = append(list, wayOf(&h.api.Authentication[i], signIn))
	}
	return list
}

func wayOf(s *access.Scheme, signIn *guest.Operation) way {
	const bearer = "Authorization: Bearer TOKEN"
	switch s.Kind {
	case "basic":
		return way{Title: "User name and password", Text: paragraph{"Send them with HTTP Basic authentication."}}
	case "token":
		return way{Title: "Token", Text: paragraph{"Send ", "Authorization: " + s.Field + " TOKEN", "."}}
	case "apikey":
		return way{Title: "API key", Text: paragraph{"Send ", s.Field + ": KEY", "."}}
	case "cookie":
		if signIn != nil {
			return way{Title: "Session", Text: paragraph{"Sign in with ", signIn.Method + " " + signIn.Path, ", which sets the cookie ", s.Field, "."}}
		}
		return way{Title: "Session", Text: paragraph{"Send the cookie ", s.Field, "."}}
	case "oauth2":
		return way{Title: "OAuth 2.0", Text: paragraph{"Get an access token" + from(s.Flows) + ". Send ", bearer, "."}}
	case "openidconnect":
		return way{Title: "OpenID Connect", Text: paragraph{"Sign in at " + hostOf(s.URL) + ". Send ", bearer, "."}, Link: s.URL}
	}
	return way{Title: "Bearer token", Text: paragraph{"Send ", bearer, "."}}
}

// from returns where OAuth tokens come from.
func from(flows access.Flows) string {
	for _, flow := range []*access.Flow{flows.AuthorizationCode, flows.ClientCredentials, flows.DeviceAuthorization, flows.Password} {
		if flow != nil && flow.TokenURL != "" {
			return " from " + hostOf(flow.TokenURL)
		}
	}
	return ""
}

// hostOf returns the host of a URL, else the URL.
func hostOf(text string) string {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		return u.Host
	}
	return text
}

// formOf returns the form that calls the operation that signs in, nil if a form cannot.
func formOf(o *guest.Operation) *form {
	if o == nil || !o.HasForm() {
		return nil
	}
	f := &form{Path: o.Path}
	for _, name := range o.BodyFields() {
		f.Fields = append(f.Fields, inputOf(name))
	}
	return f
}

// inputOf guesses from its name what a field of a sign-in is, so that browsers can fill it in.
func inputOf(name string) input {
	in := input{Name: name, Label: naming.SentenceCase(name), Type: "text"}
	switch lower := strings.ToLower(name); {
	case strings.Contains(lower, "password"), strings.Contains(lower, "passphrase"):
		in.Type, in.Complete = "password", "current-password"
	case strings.Contains(lower, "mail"):
		in.Type, in.Complete = "email", "username"
	case strings.Contains(lower, "name"), strings.Contains(lower, "login"):
		in.Complete = "username"
	case strings.Contains(lower, "code"), strings.Contains(lower, "otp"):
		in.Complete = "one-time-code"
	}
	return in
}
