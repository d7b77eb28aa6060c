// Package routes_test finds operations by methods and paths, also behind proxies, and holds the well-known documents to their RFCs.
package routes_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	workplace "github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type reader struct{ Name string }

type note struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

var admins = access.If("admin", func(u *reader) bool { return u.Name == "root" })

func byName(_ context.Context, name string) (*reader, access.Scopes, error) {
	if name != "ann" && name != "root" {
		return nil, nil, access.ErrCredentials
	}
	return &reader{name}, nil, nil
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
	api := service{schemes: []access.Scheme{bearer}, docs: &openapi.Config{Title: "Plans", Access: admins}}.start(t)
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
	api := service{schemes: []access.Scheme{oidc}, docs: &openapi.Config{Title: "Plans", Access: admins}}.start(t)
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
	api := service{schemes: []access.Scheme{oidc, bearer, cookie}, docs: &openapi.Config{Access: admins}, agents: true}.start(t)
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

// mark is a part of every name and description that is hidden from anonymous callers.
const mark = "zq"

type novelist struct {
	ID       int64  `json:"id"`
	Name     string `json:"name" api:"filter,sort"`
	Zqsalary int    `json:"zqsalary" doc:"zqmoney" api:"filter=range,sort"`
	Zqboss   *int64 `json:"zqboss" api:"ref=Zqboss,expand"`
}

type zqboss struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"filter"`
}

type novel struct {
	ID     int64  `json:"id"`
	Title  string `json:"title" validate:"notblank" doc:"zqtitle" api:"filter=partial,sort,search"`
	Zqcost int    `json:"zqcost" doc:"zqprice" example:"7" api:"filter=range,sort"`
	Author *int64 `json:"author" api:"ref=Novelist,expand,filter,through=name|zqsalary"`
	Zqnext *int64 `json:"zqnext" api:"ref=Novelist,expand,filter,through=name"`
}

type zqghost struct {
	ID int64 `json:"id"`
}

type appraisal struct {
	Worth int `json:"worth" doc:"zqworth"`
}

func newLibrary(t *testing.T) spec.Client {
	t.Helper()
	isKeeper := access.If("zqrule", func(c *spec.Captain) bool { return c.Admin })
	closed := access.Rules{Read: isKeeper, Create: isKeeper, Update: isKeeper, Delete: isKeeper}
	open := access.Rules{Read: access.Public, Create: access.Public, Update: isKeeper, Delete: isKeeper}
	shown, novelists := open, open
	shown.Fields = map[string]access.Field{"zqcost": {Read: isKeeper, Write: isKeeper}, "zqnext": {Read: isKeeper, Write: isKeeper}}
	novelists.Fields = map[string]access.Field{"zqsalary": {Read: isKeeper, Write: isKeeper}, "zqboss": {Read: isKeeper, Write: isKeeper}}
	nothing := operation.Handle(func(context.Context, *novel, struct{}) (struct{}, error) { return struct{}{}, nil })
	appraise := operation.Handle(func(context.Context, *novel, appraisal) (appraisal, error) { return appraisal{}, nil })
	var hidden []operation.Operation
	hidden = append(hidden, operation.Get{Hidden: true}, operation.GetCollection{Hidden: true}, operation.Post{Hidden: true})
	client := spec.NewClient(t, resource.Config{
		Authentication: []access.Scheme{spec.Bearer()},
		Formats:        append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format),
	},
		resource.Of[novel]{
			ShortName: "Novel", Description: "zqabout", Access: shown, Operations: append(operation.Standard(),
				operation.Post{Name: "zqburn", URITemplate: "/novels/{id}/zqburn", Handler: nothing, Access: isKeeper, Description: "zqfire"},
				operation.Post{Name: "zqbury", URITemplate: "/novels/{id}/zqbury", Handler: nothing, Hidden: true, Access: access.Public},
				operation.Post{Name: "appraise", URITemplate: "/novels/{id}/appraise", Handler: appraise, Access: access.Public, Summary: "zqappraise", Description: "zqgauge"},
			),
		},
		resource.Of[novelist]{ShortName: "Novelist", Access: novelists},
		resource.Of[zqboss]{ShortName: "Zqboss", Description: "zqchief", Access: closed},
		resource.Of[zqghost]{ShortName: "Zqghost", Access: open, Operations: hidden},
	)
	api := client.Handler.(*resource.API)
	isKeepers := openapi.Config{Title: "Library", Description: "zqsummary", Access: isKeeper}
	for _, err := range []error{openapi.Mount(api, isKeepers), workplace.Mount(api, workplace.Config{}), mcp.Mount(api, mcp.Config{})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	client.As("root", "POST /api/novelists", `{"name":"ann","zqsalary":5}`).HasStatus(http.StatusCreated)
	client.As("root", "POST /api/zqbosses", `{"name":"bob"}`).HasStatus(http.StatusCreated)
	client.As("root", "POST /api/novels", `{"title":"Dune","zqcost":7,"author":"/api/novelists/1","zqnext":"/api/novelists/1"}`).HasStatus(http.StatusCreated)
	return client
}

// An anonymous caller learns the names and descriptions of hidden fields, operations, rules and resources nowhere. Root, who
// may see them, shows that the request would reveal them.
func TestNoResponseNamesWhatRulesHide(t *testing.T) {
	t.Parallel()
	client := newLibrary(t)
	tool := func(method string) string { return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{}}` }
	agent := []string{"Accept", "application/json, text/event-stream"}
	for _, test := range []struct {
		request, body string
		header        []string
		rootSees      bool
	}{
		{request: "GET /api", rootSees: true},
		{request: "GET /api.jsonld", rootSees: true},
		{request: "GET /api.jsonhal", rootSees: true},
		{request: "GET /api.jsonapi"},
		{request: "GET /api", header: []string{"Accept", "text/html"}, rootSees: true},
		{request: "GET /api/docs", rootSees: false},
		{request: "GET /api/docs.json", rootSees: true},
		{request: "GET /api/docs.yaml", rootSees: true},
		{request: "GET /api/docs.jsonld", rootSees: true},
		{request: "GET /api/contexts/Entrypoint", rootSees: true},
		{request: "GET /api/contexts/Novel", rootSees: true},
		{request: "GET /api/contexts/Novelist", rootSees: true},
		{request: "GET /api/contexts/Zqboss", rootSees: true},
		{request: "GET /api/admin/model", rootSees: true},
		{request: "GET /admin/model", rootSees: true},
		{request: "POST /mcp", body: tool("tools/list"), header: agent, rootSees: true},
		{request: "POST /mcp", body: tool("resources/templates/list"), header: agent, rootSees: true},
		{request: "GET /.well-known/api-catalog"},
		{request: "GET /.well-known/oauth-protected-resource/api"},
		{request: "GET /api/novels", rootSees: true},
		{request: "GET /api/novels.jsonld", rootSees: true},
		{request: "GET /api/novels.jsonhal", rootSees: true},
		{request: "GET /api/novels.jsonapi", rootSees: true},
		{request: "GET /api/novels.ndjson", rootSees: true},
		{request: "GET /api/novels.csv", rootSees: true},
		{request: "GET /api/novels/1", rootSees: true},
		{request: "GET /api/novels/1.jsonld?expand=author", rootSees: true},
		{request: "GET /api/novels/1.jsonhal?expand=author", rootSees: true},
		{request: "GET /api/novels?unknown=1", rootSees: true},
		{request: "GET /api/novels?cost=1", rootSees: false},
		{request: "GET /api/novels?sort=unknown", rootSees: true},
		{request: "GET /api/novels?fields=unknown", rootSees: true},
		{request: "GET /api/novels?expand=unknown", rootSees: true},
		{request: "GET /api/novels.jsonapi?sort=unknown", rootSees: true},
		{request: "GET /api/novels.jsonapi?fields[novels]=unknown", rootSees: true},
		{request: "GET /api/novels.jsonapi?include=unknown", rootSees: true},
		{request: "GET /api/novels.jsonld?unknown=1", rootSees: true},
		{request: "GET /api/novels/1?expand=unknown", rootSees: true},
		{request: "GET /api/novels/1?unknown=1"},
		{request: "OPTIONS /api"},
		{request: "OPTIONS /api/novels"},
		{request: "OPTIONS /api/novels/1"},
		{request: "POST /api/novels", body: `{"cost":1}`},
		{request: "POST /api/novels", body: `{"title":" ","zcost":1}`},
		{request: "PATCH /api/novels/1", body: `{"title":""}`},
		{request: "POST /api/novels/1/appraise", body: `{"wort":1}`},
		{request: "GET /api/unknown"},
		{request: "DELETE /api/novels"},
	} {
		shown := client.As("root", test.request, test.body, test.header...)
		if has := strings.Contains(strings.ToLower(shown.Body), mark); test.rootSees && shown.Status != http.StatusNotFound && !has {
			t.Errorf("%s says nothing hidden to root, so the test shows nothing: %d %s", test.request, shown.Status, shown.Body)
		}
		got := client.As("", test.request, test.body, test.header...)
		text := strings.ToLower(got.Body)
		for name, values := range got.Header {
			text += "\n" + strings.ToLower(name+": "+strings.Join(values, ", "))
		}
		for {
			i := strings.Index(text, mark)
			if i < 0 {
				break
			}
			t.Errorf("%s %s is %d and reveals …%s…", test.request, test.body, got.Status, text[max(0, i-60):min(len(text), i+40)])
			text = text[i+len(mark):]
		}
	}
}

func TestListsHaveWhatTheCallerMayUse(t *testing.T) {
	t.Parallel()
	client := newLibrary(t)
	client.As("", "GET /api", "").Is(http.StatusOK, `{"Novel":"/api/novels","Novelist":"/api/novelists"}`)
	client.As("root", "GET /api", "").Is(http.StatusOK, `{"Novel":"/api/novels","Novelist":"/api/novelists","Zqboss":"/api/zqbosses"}`)
	client.As("", "GET /api/contexts/Zqboss", "").HasStatus(http.StatusNotFound)
	client.As("root", "GET /api/contexts/Zqboss", "").HasStatus(http.StatusOK)
	client.As("nobody", "GET /api", "").HasStatus(http.StatusUnauthorized)
	vary := client.As("", "GET /api", "").Header.Values("Vary")
	if !slices.Contains(vary, "Authorization") || client.As("", "GET /api", "").Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("a list that depends on the caller has Vary %q", vary)
	}
}
