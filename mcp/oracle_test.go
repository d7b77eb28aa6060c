package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/mcp"
)

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
					t.Errorf("%s is not listed, but %s is answered %d", one.tool, one.request, status)
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
