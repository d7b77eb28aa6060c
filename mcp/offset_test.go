package mcp_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Coin is a record whose collection can begin anywhere.
type Coin struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func TestAToolCanBeginAtAnOffset(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Coin]{
		Store:      memory.New(Coin{Name: "a"}, Coin{Name: "b"}, Coin{Name: "c"}, Coin{Name: "d"}, Coin{Name: "e"}),
		Pagination: operation.Pagination{ItemsPerPage: 2, ClientOffset: new(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
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
