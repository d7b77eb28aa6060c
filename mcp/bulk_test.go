package mcp_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Pebble is changed many at once.
type Pebble struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank"`
	Grams int    `json:"grams" validate:"gte=0"`
}

func TestAgentsSaveManyRecordsAtOnce(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Pebble]{Operations: append(operation.Standard(),
		operation.Patch{Name: "weigh", URITemplate: "/pebbles", Handler: operation.Handle(
			func(ctx context.Context, _ *Pebble, in []operation.PatchOf[Pebble]) (Pebble, error) {
				var last Pebble
				for _, each := range in {
					saved, err := each.Save(ctx)
					if err != nil {
						return last, err
					}
					last = *saved
				}
				return last, nil
			})},
		operation.Post{Name: "import", URITemplate: "/pebbles/import", Handler: operation.Handle(
			func(ctx context.Context, _ *Pebble, in []operation.CreateOf[Pebble]) (all []*Pebble, err error) {
				for _, each := range in {
					pebble, err := each.Save(ctx)
					if err != nil {
						return nil, err
					}
					all = append(all, pebble)
				}
				return all, nil
			})},
		operation.Post{Name: "weighOne", URITemplate: "/pebbles/one", Handler: operation.Handle(
			func(ctx context.Context, _ *Pebble, in operation.PatchOf[Pebble]) (*Pebble, error) {
				return in.Save(ctx)
			})},
		operation.Post{Name: "polish", URITemplate: "/pebbles/{id}/polish", Handler: operation.Handle(
			func(ctx context.Context, _ *Pebble, in operation.PatchOf[Pebble]) (*Pebble, error) {
				return in.Save(ctx)
			})},
	)})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	s := &service{t: t, log: &lines{}, url: server.URL}
	nobody := s.agent("")
	imported := nobody.does("importPebble", `{"body":[{"name":"a","grams":1},{"name":"b","grams":2}]}`)["items"]
	if list, _ := imported.([]any); len(list) != 2 || list[1].(map[string]any)["name"] != "b" {
		t.Errorf("imported %v", imported)
	}
	if none, ok := nobody.does("importPebble", `{"body":[]}`)["items"].([]any); !ok || len(none) != 0 {
		t.Errorf("imported nothing: %v", none)
	}
	if told := nobody.fails("importPebble", `{"body":[{"name":"c"},{"name":" "}]}`); !strings.Contains(told, "[1].name") {
		t.Errorf("a record that is not valid is told by %s", told)
	}
	for _, test := range []struct {
		tool, arguments string
		grams           float64
	}{
		{"weighPebble", `{"body":[{"id":1,"grams":3},{"id":2,"grams":4}]}`, 4},
		{"weighOnePebble", `{"id":2,"grams":5}`, 5},
		{"polishPebble", `{"id":1,"grams":6}`, 6},
	} {
		if got := nobody.does(test.tool, test.arguments); got["grams"] != test.grams {
			t.Errorf("%s gives %v", test.tool, got)
		}
	}
	if told := nobody.fails("weighPebble", `{"body":[{"id":1,"grams":3},{"id":9,"grams":4}]}`); !strings.Contains(told, "[1].id") {
		t.Errorf("a record that is not there is told by %s", told)
	}
	nobody.fails("weighOnePebble", `{"grams":5}`)
}
