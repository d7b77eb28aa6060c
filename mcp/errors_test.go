package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestErrorsAreResultsWithTheTextsOfHTTP(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	for name, test := range map[string]struct {
		who, tool, arguments string
		request, body        string // of the same request over HTTP
		status               int
	}{
		"broken rules name members":    {"ann", "createGem", `{"name":" ","value":-1,"owner":"/api/keepers/1"}`, "POST /api/gems", `{"name":" ","value":-1,"owner":"/api/keepers/1"}`, 400},
		"an unknown member is named":   {"ann", "createGem", `{"nmae":"x"}`, "POST /api/gems", `{"nmae":"x"}`, 400},
		"a wrong type is named":        {"ann", "patchGem", `{"id":1,"value":"many","tags":[1]}`, "PATCH /api/gems/1", `{"value":"many","tags":[1]}`, 400},
		"a reference to nothing":       {"ann", "patchGem", `{"id":1,"owner":"/api/keepers/99"}`, "PATCH /api/gems/1", `{"owner":"/api/keepers/99"}`, 400},
		"nobody gives away":            {"ann", "patchGem", `{"id":1,"owner":"/api/keepers/2"}`, "PATCH /api/gems/1", `{"owner":"/api/keepers/2"}`, 403},
		"a rule on the record":         {"ann", "patchGem", `{"id":2,"value":1}`, "PATCH /api/gems/2", `{"value":1}`, 403},
		"a hidden record is missing":   {"ann", "getGem", `{"id":8}`, "GET /api/gems/8", "", 404},
		"an identifier that is none":   {"ann", "getGem", `{"id":"x"}`, "GET /api/gems/x", "", 404},
		"an unknown parameter":         {"ann", "getGem", `{"id":1,"expnad":"owner"}`, "GET /api/gems/1?expnad=owner", "", 400},
		"a filter of the wrong type":   {"", "listGems", `{"value_gte":"x"}`, "GET /api/gems?value[gte]=x&cursor=", "", 400},
		"a cursor that is none":        {"", "listGems", `{"cursor":"nonsense"}`, "GET /api/gems?cursor=nonsense", "", 400},
		"no right to the tool at all":  {"ann", "deleteGem", `{"id":1}`, "DELETE /api/gems/1", "", 403},
		"a value that must be unique":  {"", "createKeeper", `{"name":"ann"}`, "POST /api/keepers", `{"name":"ann"}`, 409},
		"a change without a condition": {"ann", "patchShelf", `{"code":"a.json","title":"x"}`, "PATCH /api/shelves/a%2Ejson", `{"title":"x"}`, 428},
		"too many members":             {"ann", "createGem", `{"tags":[` + strings.Repeat(`"a",`, 3000) + `"a"]}`, "POST /api/gems", `{"tags":[` + strings.Repeat(`"a",`, 3000) + `"a"]}`, 413},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := s.send(test.who, test.request, test.body, test.status)
			if got := s.agent(test.who).fails(test.tool, test.arguments); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestArgumentsThatNoRequestCouldHaveAreRejected(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	for name, test := range map[string]struct{ tool, arguments, want string }{
		"an identifier is missing": {"getGem", `{}`, `"detail":"id is required."`},
		"an identifier is null":    {"getGem", `{"id":null}`, `"detail":"id is required."`},
		"an identifier is a list":  {"getGem", `{"id":[1,2]}`, `"detail":"id must be a single value."`},
		"an identifier is an object": {
			"getGem", `{"id":{"x":1}}`,
			`"parameters":[{"name":"id","in":"arguments","message":"id must be a string, a number, a boolean or a list of them"}`,
		},
		"a field has two lines": {"createGem", `{"Idempotency-Key":"a\r\nb","name":"x"}`, `Idempotency-Key must be one line of visible characters`},
		"a name is there twice": {"getGem", `{"id":1,"id":2}`, `without duplicate names`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := s.agent("ann").fails(test.tool, test.arguments); !strings.Contains(got, test.want) {
				t.Errorf("got %s, want %s in it", got, test.want)
			}
		})
	}
}

func TestAPreconditionIsAnArgument(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	ann := s.agent("ann")
	got := text(ann.call("getShelf", `{"code":"a.json"}`))
	tag := regexp.MustCompile(`"[^"]*"$`).FindString(got)
	if tag == "" {
		t.Fatalf("no tag in %s", got)
	}
	quoted := strings.ReplaceAll(tag, `"`, `\"`)
	if got := ann.does("patchShelf", `{"code":"a.json","title":"Second","If-Match":"`+quoted+`"}`); got["title"] != "Second" {
		t.Errorf("patched %v", got)
	}
	if got := ann.fails("patchShelf", `{"code":"a.json","title":"Third","If-Match":"`+quoted+`"}`); !strings.Contains(got, `"status":412`) {
		t.Errorf("an old tag: %s", got)
	}
	// A client's identifier is in the path and in the body, and said once.
	if got := ann.does("replaceShelf", `{"code":"a.json","title":"Fourth","If-Match":"*"}`); got["title"] != "Fourth" {
		t.Errorf("replaced %v", got)
	}
	if got := ann.does("replaceShelf", `{"code":"new","title":"Fifth","If-None-Match":"*"}`); got["code"] != "new" {
		t.Errorf("created %v", got)
	}
}

func TestACallWithAKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	ann := s.agent("ann")
	const arguments = `{"name":"zircon","value":1,"owner":"/api/keepers/1","Idempotency-Key":"k1"}`
	first, second := ann.does("createGem", arguments), ann.does("createGem", arguments)
	if first["id"] != second["id"] || first["id"] == nil {
		t.Errorf("%v, then %v", first, second)
	}
	if got := ann.fails("createGem", strings.Replace(arguments, "zircon", "other", 1)); !strings.Contains(got, `"status":422`) {
		t.Errorf("another call with the key: %s", got)
	}
}

func TestAFaultReportsOnlyItsIncident(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	root := s.agent("root")
	for _, name := range []string{"cursed", "broken"} {
		made := root.does("createGem", `{"name":"`+name+`","owner":"/api/keepers/3"}`)
		got := root.fails("appraiseGem", fmt.Sprintf(`{"factor":1,"id":%v}`, made["id"]))
		incident := regexp.MustCompile(`urn:uuid:([0-9a-f-]+)`).FindStringSubmatch(got)
		if incident == nil || strings.Contains(got, "secret") || !strings.Contains(got, `"status":500`) {
			t.Errorf("%s: %s", name, got)
			continue
		}
		if log := s.log.String(); !strings.Contains(log, incident[1]) || !strings.Contains(log, "secret") {
			t.Errorf("the log does not tell of %s:\n%s", name, log)
		}
	}
}

func TestGuessesOverEachProtocolCountTogether(t *testing.T) {
	t.Parallel()
	members := memory.New[Member]()
	accounts := &password.Accounts[Member]{
		Store: members, Name: "name", Password: func(m *Member) *string { return &m.Password }, Hasher: &password.Hasher{Memory: 8, Passes: 1},
	}
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{accounts.Basic("login")}},
		resource.Of[Member]{Store: members, BeforeTransaction: accounts.Hash, Access: access.Only(access.Authenticated)})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err == nil {
		err = admin.Mount(api, admin.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	guess := func(request string) int {
		method, path, _ := strings.Cut(request, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.SetBasicAuth("ann", "wrong horse")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		return w.Code
	}
	for range 5 {
		for _, request := range []string{"POST /mcp", "GET /api/members"} {
			if got := guess(request); got != http.StatusUnauthorized {
				t.Errorf("%s returns %d", request, got)
			}
		}
	}
	for _, request := range []string{"POST /mcp", "GET /api/members", "GET /api/members/1", "PATCH /api/members/1"} {
		if got := guess(request); got != http.StatusTooManyRequests {
			t.Errorf("%s returns %d, want 429", request, got)
		}
	}
}

// Two equal services get the same requests, one over HTTP and one through tools: each operation, as each caller, with
// valid and invalid input.
func TestAToolReturnsWhatHTTPReturns(t *testing.T) {
	t.Parallel()
	asked := []struct{ tool, arguments, request, body string }{
		{"listGems", `{}`, "GET /api/gems", ""},
		{"listGems", `{"sort":["-value"],"fields":["name"],"published":true}`, "GET /api/gems?sort=-value&fields=name&published=true", ""},
		{"listKeepers", `{}`, "GET /api/keepers", ""},
		{"listShelves", `{}`, "GET /api/shelves", ""},
		{"namesGem", `{}`, "GET /api/gem-names", ""},
		{"countGem", `{}`, "GET /api/gem-count", ""},
	}
	for id := 1; id <= 9; id++ {
		for tool, request := range map[string]string{"getGem": "GET /api/gems/%d", "deleteGem": "DELETE /api/gems/%d"} {
			asked = append(asked, struct{ tool, arguments, request, body string }{tool, fmt.Sprintf(`{"id":%d}`, id), fmt.Sprintf(request, id), ""})
		}
		for tool, request := range map[string]string{"patchGem": "PATCH /api/gems/%d", "updateGem": "PUT /api/gems/%d"} {
			for _, members := range []string{`"value":70`, `"name":""`, `"note":"mine"`, `"owner":"/api/keepers/2"`, `"id":3`, `"value":1.5`} {
				if tool == "updateGem" && members == `"id":3` || tool == "patchGem" && members == `"id":3` {
					continue // the identifier is the path's
				}
				asked = append(asked, struct{ tool, arguments, request, body string }{
					tool, fmt.Sprintf(`{"id":%d,%s}`, id, members), fmt.Sprintf(request, id), `{` + members + `}`,
				})
			}
		}
		asked = append(asked,
			struct{ tool, arguments, request, body string }{"appraiseGem", fmt.Sprintf(`{"id":%d,"factor":%d}`, id, id*2), fmt.Sprintf("POST /api/gems/%d/appraise", id), fmt.Sprintf(`{"factor":%d}`, id*2)},
			struct{ tool, arguments, request, body string }{"getKeeper", fmt.Sprintf(`{"id":%d}`, id), fmt.Sprintf("GET /api/keepers/%d", id), ""},
			struct{ tool, arguments, request, body string }{"patchKeeper", fmt.Sprintf(`{"id":%d,"email":"new@x.example"}`, id), fmt.Sprintf("PATCH /api/keepers/%d", id), `{"email":"new@x.example"}`},
		)
	}
	for _, members := range []string{`"name":"a","owner":"/api/keepers/1"`, `"name":"b","owner":"/api/keepers/2"`, `"name":"c"`, ``} {
		asked = append(asked, struct{ tool, arguments, request, body string }{"createGem", `{` + members + `}`, "POST /api/gems", `{` + members + `}`})
	}
	for _, who := range []string{"", "ann", "bob", "root"} {
		t.Run("as "+who, func(t *testing.T) {
			t.Parallel()
			byHTTP, byTools := newService(t, mcp.Config{}), newService(t, mcp.Config{})
			agent, usable := byTools.agent(who), map[string]bool{}
			for _, name := range agent.tools() {
				usable[name] = true
			}
			for _, one := range asked {
				status, body, _ := byHTTP.exchange(who, one.request, one.body)
				if status == 401 { // the connection gets the 401, see endpoint_test.go
					continue
				}
				result := agent.call(one.tool, one.arguments)
				if !usable[one.tool] && status < 400 {
					t.Errorf("%s is not listed, but %s gets %d", one.tool, one.request, status)
				}
				if status >= 400 {
					if !result.IsError || text(result) != body {
						t.Errorf("%s(%s): %v %s, want %s", one.tool, one.arguments, result.IsError, text(result), body)
					}
					continue
				}
				if diff := cmp.Diff(expected(t, one.tool, body), pageless(result.StructuredContent)); result.IsError || diff != "" {
					t.Errorf("%s(%s): %s (-http +tool):\n%s", one.tool, one.arguments, text(result), diff)
				}
			}
		})
	}
}

// expected returns the structured content for the body of a response.
func expected(t *testing.T, tool, body string) any {
	t.Helper()
	if body == "" {
		return nil
	}
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		t.Fatal(err)
	}
	switch {
	case strings.HasPrefix(tool, "list"), tool == "namesGem":
		return map[string]any{"items": value}
	case tool == "countGem":
		return map[string]any{"value": value}
	}
	return value
}

func pageless(structured any) any {
	if page, ok := structured.(map[string]any); ok {
		delete(page, "nextCursor")
	}
	return structured
}
