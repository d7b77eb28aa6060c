package mcp_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/mcp"
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
