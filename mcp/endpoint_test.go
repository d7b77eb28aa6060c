package mcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

const accept = "application/json, text/event-stream"

// post sends a message of JSON-RPC by itself.
func (s *service) post(who, message string, header ...string) (status int, body string, fields map[string][]string) {
	s.t.Helper()
	status, body, fields = s.exchange(who, "POST /mcp", message, append([]string{"Accept", accept}, header...)...)
	return status, body, fields
}

// calls is the message that calls a tool.
func calls(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

func TestTheConnectionSaysThatCallersMustSignIn(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	for name, test := range map[string]struct {
		who, message string
		status       int
		challenge    string
	}{
		"nobody may call what is public":     {"", calls("getGem", `{"id":1}`), 200, ""},
		"nobody calls what is for others":    {"", calls("createGem", `{"name":"x"}`), 401, `Bearer realm="token", Cookie realm="session"`},
		"nobody changes a record":            {"", calls("patchGem", `{"id":1}`), 401, `Bearer realm="token", Cookie realm="session"`},
		"bad credentials are bad everywhere": {"eve", calls("getGem", `{"id":1}`), 401, `Bearer realm="token", error="invalid_token", Cookie realm="session"`},
		"and before any message is read":     {"eve", `nonsense`, 401, `Bearer realm="token", error="invalid_token", Cookie realm="session"`},
		"credentials cannot be checked":      {"outage", calls("getGem", `{"id":1}`), 503, ""},
		"somebody without the right":         {"ann", calls("deleteGem", `{"id":1}`), 200, ""},
		"nobody reads a record of others":    {"", `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"/api/gems/1"}}`, 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, body, fields := s.post(test.who, test.message)
			if challenge := strings.Join(fields["Www-Authenticate"], ", "); status != test.status || challenge != test.challenge {
				t.Errorf("%d %q, want %d %q: %s", status, challenge, test.status, test.challenge, body)
			}
		})
	}
}

func TestTheErrorOfAMessageIsInTheBodyOfAChallenge(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	_, body, _ := s.post("", calls("createGem", `{"name":"x"}`))
	if !strings.Contains(body, `"id":7`) || !strings.Contains(body, `"status":401`) || !strings.Contains(body, `"jsonrpc":"2.0"`) {
		t.Error(body)
	}
}

func TestRequestsThatAreNoMessages(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	message := calls("getGem", `{"id":1}`)
	for name, test := range map[string]struct {
		request, body string
		header        []string
		status        int
		want          string
	}{
		"a batch":                         {"POST /mcp", `[` + message + `]`, nil, 400, "single JSON-RPC message"},
		"nothing":                         {"POST /mcp", ``, nil, 400, "single JSON-RPC message"},
		"a body beyond all limits":        {"POST /mcp", strings.Repeat(" ", 80<<10), nil, 413, "bytes"},
		"a member beyond the limit":       {"POST /mcp", calls("createKeeper", `{"name":"`+strings.Repeat("a", 5<<10)+`"}`), nil, 200, `\"status\":413`},
		"another method":                  {"GET /mcp", ``, nil, 405, "POST, OPTIONS"},
		"the end of a session":            {"DELETE /mcp", ``, nil, 405, "POST, OPTIONS"},
		"a page of another origin":        {"POST /mcp", message, []string{"Origin", "https://evil.example"}, 403, "other origins"},
		"a page of the service":           {"POST /mcp", message, []string{"Origin", s.url}, 200, "ruby"},
		"a page that is trusted":          {"POST /mcp", message, []string{"Origin", "https://chat.example"}, 200, "ruby"},
		"a name that leads here":          {"POST /mcp", message, []string{"Host", "evil.example"}, 403, "Host"},
		"a name that the service goes by": {"POST /mcp", message, []string{"Host", "API.example:443"}, 200, "ruby"},
		"the machine by its name":         {"POST /mcp", message, []string{"Host", "localhost:80"}, 200, "ruby"},
		"what nobody can subscribe to": {
			"POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
			[]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"},
			404, "method not found",
		},
		"an unknown tool":                  {"POST /mcp", calls("nothing", `{}`), nil, 200, "unknown tool"},
		"arguments that are no object":     {"POST /mcp", calls("getGem", `[1]`), nil, 200, "must be a well-formed"},
		"arguments that are not there":     {"POST /mcp", calls("listGems", `null`), nil, 200, "ruby"},
		"a message of an unknown protocol": {"POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"nonsense"}`, nil, 400, "nonsense"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trusting := newService(t, mcp.Config{Hosts: []string{"api.example"}, Origins: []string{"https://chat.example"}})
			for i, value := range test.header {
				if value == s.url {
					test.header[i] = trusting.url
				}
			}
			status, body, _ := trusting.exchange("", test.request, test.body, append([]string{"Accept", accept}, test.header...)...)
			if status != test.status || !strings.Contains(body, test.want) {
				t.Errorf("%d, want %d with %q: %s", status, test.status, test.want, body)
			}
		})
	}
}

func TestAnotherNameLeadsToNoServiceOnTheMachine(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	if status, body, _ := s.post("", calls("getGem", `{"id":1}`), "Host", "evil.example"); status != 403 {
		t.Errorf("%d: %s", status, body)
	}
}

func TestCookiesOfAnotherSiteAreRejected(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{Origins: []string{"https://chat.example"}})
	message := calls("createGem", `{"name":"x","owner":"/api/keepers/1"}`)
	if status, body, _ := s.post("", message, "Cookie", "sid=ann"); status != 200 || !strings.Contains(body, "structuredContent") {
		t.Errorf("by a cookie: %d %s", status, body)
	}
	if status, body, _ := s.post("", message, "Cookie", "sid=ann", "Origin", "https://chat.example", "Sec-Fetch-Site", "cross-site"); status != 403 {
		t.Errorf("by a cookie that another site sends along: %d %s", status, body)
	}
}

func TestListsAreForTheCallerOnly(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	_, body, fields := s.post("ann", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if !strings.Contains(body, `"cacheScope":"private"`) {
		t.Error(body)
	}
	if cached := strings.Join(fields["Cache-Control"], ""); cached != "no-store" {
		t.Errorf("Cache-Control: %s", cached)
	}
}

// TestTheSDKFindsTheAuthorizationServer holds the challenge and the metadata to what clients of the official SDK read.
func TestTheSDKFindsTheAuthorizationServer(t *testing.T) {
	t.Parallel()
	oidc := access.OpenIDConnect("oidc", "https://id.example.com/.well-known/openid-configuration",
		func(context.Context, string) (*Keeper, access.Scopes, error) { return nil, nil, access.ErrCredentials })
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{oidc}},
		resource.Of[Shelf]{Access: access.Only(access.All(access.Authenticated, access.Scope("shelf:use")))})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	challenges, err := oauthex.ParseWWWAuthenticate(response.Header.Values("WWW-Authenticate"))
	if err != nil || len(challenges) != 1 || response.StatusCode != http.StatusUnauthorized {
		t.Fatalf("the response is %d with %v, %v", response.StatusCode, challenges, err)
	}
	found, err := oauthex.GetProtectedResourceMetadata(t.Context(), challenges[0].Params["resource_metadata"], server.URL+"/mcp", server.Client())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found.AuthorizationServers, []string{"https://id.example.com"}) || !slices.Equal(found.ScopesSupported, []string{"shelf:use"}) {
		t.Errorf("the metadata is %+v", found)
	}
}

// serve starts a server for an API.
func serve(t testing.TB, api *resource.API) *service {
	t.Helper()
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return &service{t: t, url: server.URL, log: &lines{}}
}

func TestMistakesOfMountAreErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		api    func(t *testing.T) *resource.API
		config mcp.Config
		want   []string
	}{
		"no API": {func(*testing.T) *resource.API { return nil }, mcp.Config{}, []string{"mcp: the API is nil"}},
		"a config with mistakes": {
			func(t *testing.T) *resource.API { t.Helper(); return newAPI(t, io.Discard) },
			mcp.Config{Without: []string{"loginGen"}, Hosts: []string{"https://x.example"}, Origins: []string{"x.example"}},
			[]string{`operation "loginGen" does not exist; did you mean "loginGem"?`, `Hosts: "https://x.example" is not a host name`, `Origins: "x.example" is not an origin`},
		},
		"mounted twice": {func(t *testing.T) *resource.API {
			t.Helper()
			api := newAPI(t, io.Discard)
			if err := mcp.Mount(api, mcp.Config{}); err != nil {
				t.Fatal(err)
			}
			return api
		}, mcp.Config{}, []string{"/mcp has a route already"}},
		"a route of the user's": {func(t *testing.T) *resource.API {
			t.Helper()
			api := newAPI(t, io.Discard)
			api.Router().Get("/mcp", func(http.ResponseWriter, *http.Request) {})
			return api
		}, mcp.Config{}, []string{"/mcp has a route already"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := mcp.Mount(test.api(t), test.config)
			for _, want := range test.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q in it", err, want)
				}
			}
		})
	}
}

func TestThePrincipalOfAMiddlewareIsTheCaller(t *testing.T) {
	t.Parallel()
	var seen any
	api := declare(t, resource.Config{Middleware: []func(http.Handler) http.Handler{func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), r.Header.Get("X-Who"))))
		})
	}}}, resource.Of[Shelf]{Prepare: func(_ context.Context, req *operation.Request, _ *Shelf) error {
		seen = req.Principal.(string) + " " + req.HTTP().Method + " " + req.HTTP().URL.Path + " " + req.Name
		return nil
	}})
	s := serve(t, api)
	if status, body, _ := s.post("", calls("createShelf", `{"code":"a","title":"A"}`), "X-Who", "zoe"); status != 200 || seen != "zoe POST /api/shelves " {
		t.Errorf("%d %s: %v", status, body, seen)
	}
}

func TestMethodsOfOtherCapabilitiesAreNotFound(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	for method, params := range map[string]string{
		"prompts/list": `{}`, "prompts/get": `{"name":"x"}`, "logging/setLevel": `{"level":"info"}`,
		"completion/complete": `{"ref":{"type":"ref/resource","uri":"/api/gems/{id}"},"argument":{"name":"id","value":"1"}}`,
		"resources/subscribe": `{"uri":"/api/gems/1"}`, "resources/unsubscribe": `{"uri":"/api/gems/1"}`,
	} {
		_, body, _ := s.post("ann", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
		if !strings.Contains(body, `"code":-32601`) {
			t.Errorf("%s returns %s", method, body)
		}
	}
	_, body, _ := s.post("ann", `{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{}}`)
	if strings.Contains(body, "error") {
		t.Errorf("a list of resources returns %s", body)
	}
}

// limited serves gems to agents, with a time for each operation.
func limited(t *testing.T, within time.Duration, handler func(context.Context, *Gem, struct{}) (int, error)) *httptest.Server {
	t.Helper()
	api := declare(t, resource.Config{Timeout: within, MaxConcurrent: 1}, resource.Of[Gem]{
		Operations: []operation.Operation{operation.Get{Name: "count", URITemplate: "/gem-count", Handler: operation.Handle(handler)}},
	}, resource.Of[Keeper]{})
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return server
}

func TestABodyThatArrivesTooSlowlyIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	server := limited(t, 50*time.Millisecond, func(context.Context, *Gem, struct{}) (int, error) { return 7, nil })
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	_, err = fmt.Fprintf(connection, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{", server.Listener.Addr())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil) // the rest of the body never comes
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(body), "did not arrive in time") {
		t.Errorf("answered %d %s, %v", answer.StatusCode, body, err)
	}
}

func TestACallThatTakesTooLongIsEnded(t *testing.T) {
	t.Parallel()
	server := limited(t, 50*time.Millisecond, func(ctx context.Context, _ *Gem, _ struct{}) (int, error) {
		<-ctx.Done()
		return 0, context.Cause(ctx)
	})
	s := &service{t: t, url: server.URL}
	status, text, _ := s.exchange("", "POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"countGem","arguments":{}}}`, "Accept", "application/json, text/event-stream")
	if status != http.StatusOK || !strings.Contains(text, `"isError":true`) || !strings.Contains(text, "503") {
		t.Errorf("answered %d %s", status, text)
	}
	// The place of MaxConcurrent is free again.
	if again, text, _ := s.exchange("", "GET /api/keepers", ""); again != http.StatusOK {
		t.Errorf("the next request gets %d %s", again, text)
	}
}
