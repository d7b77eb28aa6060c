// Package discovery_test holds the well-known documents to their RFCs.
package discovery_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type user struct{ Name string }

type note struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

var admin = access.If("admin", func(u *user) bool { return u.Name == "root" })

func byName(_ context.Context, name string) (*user, access.Scopes, error) {
	if name != "ann" && name != "root" {
		return nil, nil, access.ErrCredentials
	}
	return &user{name}, nil, nil
}

var (
	bearer = access.Bearer("token", byName)
	cookie = access.Cookie("session", "sid", byName)
	oidc   = access.OpenIDConnect("oidc", "https://id.example.com/realms/shop/.well-known/openid-configuration", byName)
	oauth  = access.OAuth2("oauth", access.Flows{AuthorizationCode: &access.Flow{
		AuthorizationURL: "https://login.example.com/authorize", TokenURL: "https://login.example.com/token", Scopes: map[string]string{"profile": "The name."},
	}}, byName)
)

// service is an API with its documents.
type service struct {
	prefix  string
	schemes []access.Scheme
	docs    *openapi.Config // nil for none
	agents  bool
}

func (s service) start(t *testing.T) *resource.API {
	t.Helper()
	hidden := func(context.Context, *note, struct{}) (struct{}, error) { return struct{}{}, nil }
	api, err := resource.New(
		resource.Config{Prefix: s.prefix, Authentication: s.schemes, Logger: slog.New(slog.DiscardHandler)},
		resource.Of[note]{
			ShortName: "Note",
			Access:    access.Rules{Read: access.Authenticated, Create: access.Scope("note:write"), Update: access.Any(access.Scope("note:write"), access.Scope("all:write")), Delete: access.Authenticated},
			Operations: append(operation.Standard(), operation.Post{
				Name: "purge", URITemplate: "/notes/{id}/purge", Hidden: true, Handler: operation.Handle(hidden), Access: access.Scope("secret:purge"),
			}),
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	if s.docs != nil {
		if err := openapi.Mount(api, *s.docs); err != nil {
			t.Fatal(err)
		}
	}
	if s.agents {
		if err := mcp.Mount(api, mcp.Config{}); err != nil {
			t.Fatal(err)
		}
	}
	return api
}

// send sends a request such as "GET /api" to https://shop.example.com, with pairs of header fields.
func send(t *testing.T, api http.Handler, request string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, target, http.NoBody)
	r.Host, r.TLS = "shop.example.com", &tls.ConnectionState{}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w
}

// document compares a document with JSON.
func document(t *testing.T, w *httptest.ResponseRecorder, want string) {
	t.Helper()
	var got, wanted any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("the response is %d: %s", w.Code, w.Body)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("the document differs (-want +got):\n%s", diff)
	}
}

func TestTheCatalogLinksToTheAPIAndItsDocuments(t *testing.T) {
	t.Parallel()
	api := service{schemes: []access.Scheme{oidc}, docs: &openapi.Config{Title: "Shop"}, agents: true}.start(t)
	w := send(t, api, "GET /.well-known/api-catalog")
	document(t, w, `{"linkset":[
		{"anchor":"https://shop.example.com/.well-known/api-catalog","item":[
			{"href":"https://shop.example.com/api","title":"Shop"},
			{"href":"https://shop.example.com/mcp","title":"Agents (MCP)"}]},
		{"anchor":"https://shop.example.com/api",
			"service-desc":[
				{"href":"https://shop.example.com/api/docs.json","title":"OpenAPI (JSON)","type":"application/json"},
				{"href":"https://shop.example.com/api/docs.yaml","title":"OpenAPI (YAML)","type":"application/yaml"}],
			"service-doc":[{"href":"https://shop.example.com/api/docs","title":"Documentation","type":"text/html"}],
			"service-meta":[{"href":"https://shop.example.com/.well-known/oauth-protected-resource/api","type":"application/json"}]}]}`)
	const mediaType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
	const link = `<https://shop.example.com/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`
	head := send(t, api, "HEAD /.well-known/api-catalog")
	for name, want := range map[string]string{"Content-Type": mediaType, "Link": link, "Cache-Control": "private, no-cache"} {
		if w.Header().Get(name) != want || head.Header().Get(name) != want {
			t.Errorf("%s is %q, and %q for HEAD; want %q", name, w.Header().Get(name), head.Header().Get(name), want)
		}
	}
	if head.Code != http.StatusOK || head.Body.Len() > 0 {
		t.Errorf("HEAD returns %d with %d bytes", head.Code, head.Body.Len())
	}
	if options := send(t, api, "OPTIONS /.well-known/api-catalog"); options.Code != http.StatusNoContent || options.Header().Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("OPTIONS returns %d with Allow: %s", options.Code, options.Header().Get("Allow"))
	}
	if post := send(t, api, "POST /.well-known/api-catalog"); post.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST returns %d, want 405", post.Code)
	}
}

func TestTheIndexLinksToTheCatalog(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{"application/json": true, "text/html": true} {
		w := send(t, service{schemes: []access.Scheme{cookie}, docs: &openapi.Config{}}.start(t), "GET /api", "Accept", accept)
		if got := strings.Contains(strings.Join(w.Header().Values("Link"), ", "), `</.well-known/api-catalog>; rel="api-catalog"`); got != want {
			t.Errorf("the index as %s has the links %q", accept, w.Header().Values("Link"))
		}
	}
	undocumented := service{schemes: []access.Scheme{cookie}}.start(t)
	if w := send(t, undocumented, "GET /api"); strings.Contains(strings.Join(w.Header().Values("Link"), ""), "catalog") {
		t.Error("the index of an API without documentation has a catalog")
	}
	if w := send(t, undocumented, "GET /.well-known/api-catalog"); w.Code != http.StatusNotFound {
		t.Errorf("an API without documentation has a catalog: %d", w.Code)
	}
}

func TestAnAPIWithoutPrefixIsTheRoot(t *testing.T) {
	t.Parallel()
	api := service{prefix: "/", schemes: []access.Scheme{cookie}, docs: &openapi.Config{}}.start(t)
	w := send(t, api, "GET /.well-known/api-catalog")
	if !strings.Contains(w.Body.String(), `"anchor":"https://shop.example.com/",`) {
		t.Errorf("the catalog is %s", w.Body)
	}
	metadata := send(t, service{prefix: "/", schemes: []access.Scheme{oidc}}.start(t), "GET /.well-known/oauth-protected-resource")
	document(t, metadata, `{"resource":"https://shop.example.com","authorization_servers":["https://id.example.com/realms/shop"],
		"bearer_methods_supported":["header"],"scopes_supported":["all:write","note:write"]}`)
}

func TestTheCatalogIsGuardedLikeTheDocumentation(t *testing.T) {
	t.Parallel()
	api := service{schemes: []access.Scheme{bearer}, docs: &openapi.Config{Title: "Plans", Access: admin}}.start(t)
	for caller, want := range map[string]int{"": 401, "ann": 403, "root": 200} {
		var header []string
		if caller != "" {
			header = []string{"Authorization", "Bearer " + caller}
		}
		w := send(t, api, "GET /.well-known/api-catalog", header...)
		if w.Code != want || want != 200 && strings.Contains(w.Body.String(), "docs") {
			t.Errorf("%q gets %d, want %d: %s", caller, w.Code, want, w.Body)
		}
	}
}

func TestAnOwnCatalogIsKept(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[note]{})
	if err != nil {
		t.Fatal(err)
	}
	api.Router().Get("/.well-known/api-catalog", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	if w := send(t, api, "GET /.well-known/api-catalog"); w.Code != http.StatusTeapot {
		t.Errorf("the response is %d, want that of the user's route", w.Code)
	}
}

func TestTheMetadataOfAProtectedResource(t *testing.T) {
	t.Parallel()
	api := service{schemes: []access.Scheme{oidc, oauth, bearer, cookie}, docs: &openapi.Config{Title: "Shop"}, agents: true}.start(t)
	for path, url := range map[string]string{"": "https://shop.example.com", "/api": "https://shop.example.com/api", "/mcp": "https://shop.example.com/mcp"} {
		w := send(t, api, "GET /.well-known/oauth-protected-resource"+path)
		document(t, w, `{"resource":"`+url+`","authorization_servers":["https://id.example.com/realms/shop"],
			"scopes_supported":["all:write","note:write","profile"],"bearer_methods_supported":["header"],
			"resource_name":"Shop","resource_documentation":"https://shop.example.com/api/docs"}`)
		if w.Header().Get("Content-Type") != "application/json" || w.Header().Get("Cache-Control") != "private, no-cache" {
			t.Errorf("the header is %v", w.Header())
		}
		head := send(t, api, "HEAD /.well-known/oauth-protected-resource"+path)
		if head.Code != http.StatusOK || head.Body.Len() > 0 || head.Header().Get("Content-Length") != w.Header().Get("Content-Length") {
			t.Errorf("HEAD returns %d with %d bytes, %v", head.Code, head.Body.Len(), head.Header())
		}
	}
	for _, path := range []string{"/other", "/api/notes", "/api/"} {
		if w := send(t, api, "GET /.well-known/oauth-protected-resource"+path); w.Code != http.StatusNotFound {
			t.Errorf("the metadata of %s returns %d, want 404", path, w.Code)
		}
	}
}

func TestTheMetadataRevealsNoMoreThanTheDocumentation(t *testing.T) {
	t.Parallel()
	api := service{schemes: []access.Scheme{oidc}, docs: &openapi.Config{Title: "Plans", Access: admin}}.start(t)
	document(t, send(t, api, "GET /.well-known/oauth-protected-resource/api"), `{"resource":"https://shop.example.com/api",
		"authorization_servers":["https://id.example.com/realms/shop"],"bearer_methods_supported":["header"],
		"resource_documentation":"https://shop.example.com/api/docs"}`)
}

func TestAnAPIWithoutBearerTokensHasNoMetadata(t *testing.T) {
	t.Parallel()
	api := service{schemes: []access.Scheme{cookie}, docs: &openapi.Config{}, agents: true}.start(t)
	for _, path := range []string{"", "/api", "/mcp"} {
		if w := send(t, api, "GET /.well-known/oauth-protected-resource"+path); w.Code != http.StatusNotFound {
			t.Errorf("the metadata of %q returns %d, want 404", path, w.Code)
		}
	}
}

func TestChallengesLeadToTheMetadata(t *testing.T) {
	t.Parallel()
	api := service{schemes: []access.Scheme{oidc, bearer, cookie}, docs: &openapi.Config{Access: admin}, agents: true}.start(t)
	const metadata = `, resource_metadata="https://shop.example.com/.well-known/oauth-protected-resource`
	const others = `|Bearer realm="token"|Cookie realm="session"`
	for request, test := range map[string]struct {
		caller    string
		status    int
		challenge string
	}{
		"GET /api/notes":      {"", 401, `Bearer realm="oidc"` + metadata + `/api"` + others},
		"GET /api/docs":       {"", 401, `Bearer realm="oidc"` + metadata + `/api"` + others},
		"POST /mcp":           {"", 401, `Bearer realm="oidc"` + metadata + `/mcp"` + others},
		"GET /api/notes/1":    {"eve", 401, `Bearer realm="oidc"` + metadata + `/api", error="invalid_token"|Bearer realm="token", error="invalid_token"|Cookie realm="session"`},
		"DELETE /api/notes/1": {"ann", 404, ""},
		"POST /api/notes":     {"ann", 403, `Bearer realm="oidc"` + metadata + `/api", error="insufficient_scope", scope="note:write"|Bearer realm="token", error="insufficient_scope", scope="note:write"`},
	} {
		var header []string
		if test.caller != "" {
			header = []string{"Authorization", "Bearer " + test.caller}
		}
		w := send(t, api, request, header...)
		if got := strings.Join(w.Header().Values("WWW-Authenticate"), "|"); w.Code != test.status || got != test.challenge {
			t.Errorf("%s as %q returns %d with %s, want %d with %s", request, test.caller, w.Code, got, test.status, test.challenge)
		}
	}
}

// Clients of plain bearer tokens get them in another way, which metadata does not describe.
func TestAPlainBearerChallengeHasNoMetadata(t *testing.T) {
	t.Parallel()
	w := send(t, service{schemes: []access.Scheme{bearer}}.start(t), "GET /api/notes")
	if got := w.Header().Get("WWW-Authenticate"); got != `Bearer realm="token"` {
		t.Errorf("the challenge is %s", got)
	}
}

// A Host that a client makes up is only in its own responses, which no shared cache stores.
func TestAHostileHostReachesNoOtherClient(t *testing.T) {
	t.Parallel()
	api := service{schemes: []access.Scheme{oidc}, docs: &openapi.Config{}}.start(t)
	for _, path := range []string{"/.well-known/api-catalog", "/.well-known/oauth-protected-resource/api", "/api/notes"} {
		w := send(t, api, "GET "+path, "Host", "evil.example.net")
		if cache := w.Header().Get("Cache-Control"); cache != "private, no-cache" && cache != "no-store" {
			t.Errorf("%s has Cache-Control: %s", path, cache)
		}
		if !strings.Contains(w.Body.String()+w.Header().Get("WWW-Authenticate"), "evil.example.net") {
			t.Errorf("%s does not use the Host; is the test still needed?", path)
		}
	}
	for _, host := range []string{`a"b`, `a, Basic realm="x`, "a b", "é", `a\`} {
		if got := send(t, api, "GET /api/notes", "Host", host).Header().Get("WWW-Authenticate"); got != `Bearer realm="oidc"` {
			t.Errorf("the challenge for Host %q is %s", host, got)
		}
	}
	for _, name := range []string{"X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"} {
		if w := send(t, api, "GET /.well-known/api-catalog", name, "evil.example.net"); strings.Contains(w.Body.String(), "evil") {
			t.Errorf("the catalog has the value of %s", name)
		}
	}
}
