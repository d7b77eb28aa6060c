package serve

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
)

// WellKnownResource is the path of the metadata of a protected resource (RFC 9728, section 3). The path of the resource
// follows it.
const WellKnownResource = "/.well-known/oauth-protected-resource"

// configuration ends the URL of an OpenID Connect configuration. What is before it is the issuer (OpenID Connect
// Discovery 1.0, section 4).
const configuration = "/.well-known/openid-configuration"

// Metadata serves the metadata of a protected resource: how clients get tokens for a URL of the service (RFC 9728). It is
// an http.Handler that is safe for concurrent use.
type Metadata struct {
	api  *compiled.API
	path string // of the resource, as clients see it; "" for the whole origin
}

// NewMetadata returns the metadata of the URLs below a path that clients see. It returns nil for an API without bearer
// tokens, which has nothing to describe.
func NewMetadata(api *compiled.API, path string) *Metadata {
	if !slices.ContainsFunc(api.Authentication, func(s access.Scheme) bool { return isBearer(s.Kind) }) {
		return nil
	}
	return &Metadata{api, path}
}

// isBearer reports whether a kind of scheme reads bearer tokens (RFC 6750).
func isBearer(kind string) bool { return kind == "bearer" || isDiscoverable(kind) }

// isDiscoverable reports whether clients of a kind of scheme can get a token by themselves, so that a challenge leads
// them to the metadata.
func isDiscoverable(kind string) bool { return kind == "oauth2" || kind == "openidconnect" }

// Path returns where the program serves the metadata.
func (m *Metadata) Path() string { return WellKnownResource + m.path }

// Link returns a path at which clients see the metadata. If they see the program below a path, the metadata is there too,
// because the origin may have other programs.
func (m *Metadata) Link() string { return m.api.Base + m.Path() }

// metadata is the document (RFC 9728, section 2).
//
//nolint:tagliatelle // the names are those of the RFC
type metadata struct {
	Resource      string   `json:"resource"`
	Servers       []string `json:"authorization_servers,omitempty"`
	Scopes        []string `json:"scopes_supported,omitempty"`
	Methods       []string `json:"bearer_methods_supported"`
	Name          string   `json:"resource_name,omitempty"`
	Documentation string   `json:"resource_documentation,omitempty"`
}

// ServeHTTP sends the metadata. It has no texts and scopes of the documentation if some callers may not read that, because
// everyone may read the metadata. Shared caches must not store it, because it has the Host that the client has sent.
func (m *Metadata) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	origin := Origin(m.api, r)
	document := metadata{Resource: origin + m.path, Servers: m.servers(), Methods: []string{"header"}}
	if m.api.DocsRule == nil {
		document.Scopes, document.Name = m.scopes(), m.api.FormatAPI.Title
	}
	if m.api.Docs != "" {
		document.Documentation = origin + m.api.Docs
	}
	SendJSON(w, r, m.api, "application/json", &document)
}

// SendJSON sends a document about the service. Shared caches do not store it.
func SendJSON(w http.ResponseWriter, r *http.Request, api *compiled.API, mediaType string, document any) {
	body, err := json.Marshal(document, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		api.Logger.ErrorContext(r.Context(), "document failed", "path", r.URL.Path, "error", err.Error())
		problem.New(problem.Internal.Status(), "").Write(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Type", mediaType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "private, no-cache")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone
	}
}

// servers returns the issuers of the authorization servers. Only OpenID Connect declares one; the URLs of OAuth 2 flows do
// not reveal it (RFC 8414, section 3).
func (m *Metadata) servers() []string {
	var issuers []string
	for _, s := range m.api.Authentication {
		if issuer, ok := strings.CutSuffix(s.URL, configuration); ok && s.Kind == "openidconnect" && !slices.Contains(issuers, issuer) {
			issuers = append(issuers, issuer)
		}
	}
	return issuers
}

// scopes returns the scopes in the rules of operations that are not hidden, and in the flows of the schemes, sorted.
func (m *Metadata) scopes() []string {
	found := map[string]bool{}
	for _, r := range m.api.Resources {
		for _, op := range r.Operations {
			if !op.Hidden {
				for _, scope := range compiled.ScopesIn(op.Access) {
					found[scope] = true
				}
			}
		}
	}
	for _, s := range m.api.Authentication {
		for _, flow := range []*access.Flow{s.Flows.AuthorizationCode, s.Flows.ClientCredentials, s.Flows.DeviceAuthorization, s.Flows.Implicit, s.Flows.Password} {
			if flow != nil {
				for scope := range flow.Scopes {
					found[scope] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// challenge returns the challenge of a scheme. It leads clients that can get a token by themselves to the metadata (RFC
// 9728, section 5.1).
func (c *call) challenge(s *scheme) string {
	api := c.op.API
	if !s.isDiscoverable || api.Origin == "" && !IsPlainHost(c.r.Host) {
		return s.realm
	}
	return s.realm + `, resource_metadata="` + Origin(api, c.r) + api.Base + WellKnownResource + c.op.audience + `"`
}

// IsPlainHost reports whether a host can be part of a quoted string as it is.
func IsPlainHost(host string) bool {
	return host != "" && !strings.ContainsFunc(host, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("-._:[]", c)
	})
}
