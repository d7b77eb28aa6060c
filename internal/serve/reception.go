package serve

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// Client is the authenticated client of a request.
type Client struct {
	principal any // nil for an anonymous client, or for the principal that operation.WithPrincipal has set in the context
	scopes    access.Scopes
	secret    string // the secret of the credentials, which is removed from logs
}

// IsAnonymous reports whether neither the credentials nor the context have a principal.
func (c *Client) IsAnonymous(ctx context.Context) bool {
	return isNothing(c.principal) && isNothing(operation.PrincipalFrom(ctx))
}

// Gate returns the client as rules see it.
func (c *Client) Gate(ctx context.Context) *authz.Caller {
	caller := &authz.Caller{}
	if c.principal == nil {
		caller.Set(operation.PrincipalFrom(ctx), c.scopes)
	} else {
		caller.Set(c.principal, c.scopes)
	}
	return caller
}

// Reception authenticates requests that are not operations, and sends errors like operations do. Other protocols in front of
// operations use it, such as MCP. It is safe for concurrent use.
type Reception struct{ op *Operation }

// NewReception returns the reception of a path, which logs show.
func NewReception(api *compiled.API, path string) *Reception {
	return &Reception{guard(api, path, nil)}
}

// Limit sets the maximum size of a request, and the time in which it must arrive, 0 for no limit. Call it before serving.
func (p *Reception) Limit(size int64, timeout time.Duration) {
	p.op.MaxBodyBytes, p.op.Timeout = size, timeout
}

// MaxBytes returns the maximum size of a request.
func (p *Reception) MaxBytes() int64 { return p.op.MaxBodyBytes }

// Receive reads the body of a request, within the limits. Send its error with Reject.
func (p *Reception) Receive(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	c := p.op.unrouted(w, r)
	err := c.readBody()
	return c.body, err
}

// unrouted returns a call of the operation that routing has not found.
func (o *Operation) unrouted(w http.ResponseWriter, r *http.Request) *call {
	return &call{arrival: arrival{op: o}, w: w, r: r}
}

// LeadTo makes challenges lead to the metadata of a path, instead of that of the API. Call it before serving.
func (p *Reception) LeadTo(metadata *Metadata) { p.op.audience = metadata.path }

// Identify authenticates a request. It returns nil if it has sent an error response, because the credentials are invalid or
// cannot be checked.
func (p *Reception) Identify(w http.ResponseWriter, r *http.Request) *Client {
	c := p.op.unrouted(w, r)
	if !c.mayPass() {
		return nil
	}
	return &c.Client
}

// Challenge sends a 401 with challenges.
func (p *Reception) Challenge(w http.ResponseWriter, r *http.Request) {
	c := p.op.unrouted(w, r)
	c.sendError(c.op.unauthorized(c.r, problem.Unauthorized.Detail(), nil))
}

// Reject sends an error response, and logs failures.
func (p *Reception) Reject(w http.ResponseWriter, r *http.Request, err error) {
	c := p.op.unrouted(w, r)
	c.sendError(err)
}

// Fail logs a panic outside of an operation, and sends a 500 with the incident, unless w is nil.
func (p *Reception) Fail(w http.ResponseWriter, r *http.Request, client *Client, cause any) {
	c := p.op.unrouted(w, r)
	if client != nil {
		c.Client = *client
	}
	made := problem.New(problem.Internal.Status(), "")
	made.Incident = newIncident()
	c.logPanic(cause, made.Incident)
	if w != nil {
		c.sendProblem(made, nil)
	}
}

// Inner is the request of an operation within a request of another protocol, such as a tool call. Its client is authenticated,
// and its format is fixed.
type Inner struct {
	Client *Client
	Path   string           // percent-encoded, one of the operation's template
	Body   []byte           // JSON; nil for none
	Format *compiled.Format // of the response; errors are problems as JSON
	Trial  bool             // nothing is saved, regardless of the response
}

// ServeInner serves an inner request like a request of its own, for hooks, observers and stored responses too. The method, URL
// and header of r must be those of the operation.
func (o *Operation) ServeInner(w http.ResponseWriter, r *http.Request, inner *Inner) {
	r.Pattern = o.Path()
	var routing *Routing
	if len(o.API.Observers) > 0 {
		r, routing = WithRouting(r, nil)
		routing.found(r, o, inner.Path, "")
	}
	arrival{op: o, routing: routing, path: inner.Path, inner: inner}.admit(w, r)
}

// takeClient sets the caller to the client of the outer request.
func takeClient(_ context.Context, c *call) error {
	c.Client = *c.inner.Client
	return nil
}

// takeBody sets the body. The limits of the operation apply, because the outer request may be larger.
func takeBody(_ context.Context, c *call) error {
	if limit := c.op.MaxBodyBytes; int64(len(c.inner.Body)) > limit {
		return tooLarge(c.r, limit)
	}
	c.body = c.inner.Body
	return checkExtent(c.body, c.op.API.MaxBodyDepth, c.op.API.MaxBodyValues)
}

// MayServe reports whether a client may call the operation, as far as rules decide without a record. It returns false if they
// can see none of its records. Lists of tools leave out such operations.
func (o *Operation) MayServe(ctx context.Context, client *Client) bool {
	c := &call{arrival: arrival{op: o}}
	if !o.Anonymous {
		c.Client = *client
	}
	return authorize(ctx, c) == nil && (o.Gate == nil || o.Gate.Read.Decide(&c.caller) != authz.Denied)
}

// Guard protects a handler that is not an operation, such as the documentation, by a rule, which must need no record. Errors
// are those of operations. The context of the handler's request has the principal. Header fields keep the response out of
// shared caches. Observers see no requests to it. Logs show the path, or if it is "" the pattern of the route.
func Guard(api *compiled.API, path string, rule *authz.Rule, next http.Handler) http.Handler {
	op := guard(api, path, rule)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := op.unrouted(w, r)
		if !c.mayPass() {
			return
		}
		addField(w.Header(), "Vary", op.vary)
		w.Header()["Cache-Control"] = op.Cache
		if c.principal != nil {
			r = r.WithContext(operation.WithPrincipal(r.Context(), c.principal))
		}
		next.ServeHTTP(w, r)
	})
}

// guard returns a server for a path that is not an operation, which only checks a rule; nil for none. It has an operation for
// errors, logs and challenges.
func guard(api *compiled.API, path string, rule *authz.Rule) *Operation {
	template, err := uritemplate.Parse(path)
	if err != nil { // only logs use it
		template = &uritemplate.Template{}
	}
	op := &compiled.Operation{
		API: api, Resource: &compiled.Resource{}, Kind: operation.KindPost, Method: http.MethodGet, Status: http.StatusNoContent,
		ID: path, Template: template, Gate: &compiled.Gate{Act: rule, Create: rule}, Private: true,
		Cache: []string{"private, no-cache"},
	}
	return &Operation{
		Operation: op, audience: api.Prefix, schemes: schemesOf(api), vary: api.Vary, varyErrors: api.Vary,
	}
}

// mayPass reports whether the request is allowed; else it has sent an error response. It also handles panics of schemes.
func (c *call) mayPass() (may bool) {
	defer func() {
		if cause := recover(); cause != nil {
			c.handlePanic(cause)
		}
	}()
	err := readCredentials(c.r.Context(), c)
	if err == nil {
		err = authorize(c.r.Context(), c)
	}
	if err != nil {
		c.sendError(err)
	}
	return err == nil
}

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
	body, err := json.Marshal(document, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
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
	for op := range m.api.Operations() {
		if !op.Hidden {
			for _, scope := range compiled.ScopesIn(op.Access) {
				found[scope] = true
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
func (o *Operation) challenge(r *http.Request, s *scheme) string {
	api := o.API
	if !s.isDiscoverable || api.Origin == "" && !httpfield.IsPlainHost(r.Host) {
		return s.realm
	}
	return s.realm + `, resource_metadata="` + Origin(api, r) + api.Base + WellKnownResource + o.audience + `"`
}

// Origin returns the scheme and the host at which clients see the service: "https://api.example.com". It is the one that
// the API declares, or else the one of the request. Trove reads no header field of proxies, because clients can send
// them too. Middleware behind a proxy can set the scheme of the request's URL, and its Host.
//
// A client can send any Host. So a response with the origin must not be stored by caches that ignore the host.
func Origin(api *compiled.API, r *http.Request) string {
	if api.Origin != "" {
		return api.Origin
	}
	scheme := r.URL.Scheme
	if scheme != "http" && scheme != "https" { // the target of a request can be a URL with any scheme
		if scheme = "http"; r.TLS != nil {
			scheme = "https"
		}
	}
	return scheme + "://" + r.Host
}
