package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// walk follows pages through to the end, by nothing but their cursors, and returns the names.
func (a agent) walk(tool, arguments string) (names []string, pages int) {
	a.t.Helper()
	for pages < 20 {
		page := a.does(tool, arguments)
		pages++
		for _, item := range page["items"].([]any) {
			names = append(names, item.(map[string]any)["name"].(string))
		}
		next, more := page["nextCursor"].(string)
		if !more {
			return names, pages
		}
		arguments = fmt.Sprintf(`{"cursor":%q}`, next)
	}
	a.t.Fatal("the pages have no end")
	return nil, 0
}

func TestPagesLeadThroughToTheEndByTheirCursorsAlone(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	for name, test := range map[string]struct {
		who, arguments string
		want           string
		pages          int
	}{
		"nobody sees what is published": {"", `{}`, "ruby opal jade onyx pearl topaz", 2},
		"an owner sees her own, too":    {"ann", `{}`, "ruby opal jade onyx pearl topaz beryl", 3},
		"filters stay":                  {"", `{"name":["ruby","pearl","jade"],"itemsPerPage":1}`, "ruby jade pearl", 3},
		"a _ is a bracket":              {"", `{"value_gte":10}`, "opal jade onyx pearl topaz", 2},
		"by the name of the query, too": {"", `{"value[gte]":10}`, "opal jade onyx pearl topaz", 2},
		"the order stays":               {"", `{"sort":["-name"],"itemsPerPage":2}`, "topaz ruby pearl opal onyx jade", 3},
		"an empty cursor is the first":  {"", `{"cursor":""}`, "ruby opal jade onyx pearl topaz", 2},
		"references are filters":        {"", `{"owner":"/api/keepers/2","sort":"name"}`, "onyx opal topaz", 1},
		"several values are any":        {"", `{"name":["ruby","jade"]}`, "ruby jade", 1},
		"conditions are an object":      {"", `{"filter":{"any":[{"name":"ruby"},{"name":{"partial":"jade"}}]},"itemsPerPage":1}`, "ruby jade", 2},
		"conditions may be a string":    {"", `{"filter":"{\"not\":{\"value\":{\"gte\":10}}}"}`, "ruby", 1},
		"words are searched":            {"", `{"q":"op"}`, "opal topaz", 1},
		"null is no argument":           {"", `{"q":null,"itemsPerPage":50}`, "ruby opal jade onyx pearl topaz", 1},
		"pages by number, if one asks":  {"", `{"page":2}`, "onyx pearl topaz", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			names, pages := s.agent(test.who).walk("listGems", test.arguments)
			if got := strings.Join(names, " "); got != test.want || pages != test.pages {
				t.Errorf("%d pages: %s, want %d: %s", pages, got, test.pages, test.want)
			}
		})
	}
}

func TestAnArgumentTakesPrecedenceOverTheCursor(t *testing.T) {
	t.Parallel()
	nobody := newService(t, mcp.Config{}).agent("")
	next := nobody.does("listGems", `{"itemsPerPage":2,"fields":["name"]}`)["nextCursor"]
	page := nobody.does("listGems", fmt.Sprintf(`{"itemsPerPage":1,"cursor":%q}`, next))
	want := []any{map[string]any{"id": 3.0, "name": "jade"}}
	if diff := cmp.Diff(want, page["items"]); diff != "" {
		t.Error(diff)
	}
}

func TestRecordsAreExpandedAsOverHTTP(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	var want any
	if err := json.Unmarshal([]byte(s.send("bob", "GET /api/gems?expand=owner&itemsPerPage=2", "", 200)), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, s.agent("bob").does("listGems", `{"expand":"owner","itemsPerPage":2}`)["items"]); diff != "" {
		t.Error(diff)
	}
}

// Coin is a record whose collection can begin anywhere.
type Coin struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func TestAToolCanBeginAtAnOffset(t *testing.T) {
	t.Parallel()
	api := declare(t, resource.Config{}, resource.Of[Coin]{
		Store:      memory.New(Coin{Name: "a"}, Coin{Name: "b"}, Coin{Name: "c"}, Coin{Name: "d"}, Coin{Name: "e"}),
		Pagination: operation.Pagination{ItemsPerPage: 2, ClientOffset: new(true)},
	})
	s := serve(t, api)
	if names, pages := s.agent("").walk("listCoins", `{"offset":1}`); strings.Join(names, "") != "bcde" || pages != 2 {
		t.Errorf("%d pages: %v", pages, names)
	}
	first := s.agent("").does("listCoins", `{"offset":1}`)["nextCursor"].(string)
	again := s.agent("").does("listCoins", `{"offset":1,"cursor":"`+first+`"}`)
	if name := again["items"].([]any)[0].(map[string]any)["name"]; name != "d" {
		t.Errorf("a cursor beside an offset leads to %v", name)
	}
	if _, tools, _ := s.post("", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); !strings.Contains(tools, `"offset":{`) {
		t.Error("no tool takes an offset")
	}
}

func TestTheHistoryOfARecordHasPages(t *testing.T) {
	t.Parallel()
	a := serve(t, declare(t, resource.Config{}, resource.Of[Crate]{History: true})).agent("")
	a.does("createCrate", `{"raw":1,"any":1}`)
	a.does("patchCrate", `{"id":1,"raw":2}`)
	var operations []string
	for next := ""; ; {
		page := a.does("listCrateHistory", fmt.Sprintf(`{"id":1,"itemsPerPage":1,"cursor":%q}`, next))
		for _, entry := range page["items"].([]any) {
			operations = append(operations, entry.(map[string]any)["operation"].(string))
		}
		var more bool
		if next, more = page["nextCursor"].(string); !more {
			break
		}
	}
	if got := strings.Join(operations, " "); got != "patchCrate createCrate" {
		t.Errorf("the pages have the operations %s", got)
	}
}
