package mcp_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/mcp"
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
