package mcp_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestToolsAreThoseThatTheCallerMayUse(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	open := []string{"countGem", "createKeeper", "getGem", "getKeeper", "getShelf", "listGems", "listKeepers", "listShelves", "namesGem"}
	signedIn := append([]string{"appraiseGem", "createGem", "createShelf", "patchGem", "patchKeeper", "patchShelf", "replaceShelf", "updateGem", "updateKeeper"}, open...)
	slices.Sort(signedIn)
	all := append([]string{"deleteGem", "deleteKeeper", "deleteShelf"}, signedIn...)
	slices.Sort(all)
	for who, want := range map[string][]string{"": open, "ann": signedIn, "root": all} {
		if diff := cmp.Diff(want, s.agent(who).tools()); diff != "" {
			t.Errorf("tools of %q (-want +got):\n%s", who, diff)
		}
	}
}

func TestHintsTellWhatAKindOfOperationDoes(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	type hints struct{ ReadOnly, Destructive, Idempotent bool }
	got := map[string]hints{}
	for tool, err := range s.agent("root").Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got[tool.Name] = hints{tool.Annotations.ReadOnlyHint, *tool.Annotations.DestructiveHint, tool.Annotations.IdempotentHint}
		if tool.Description == "" || tool.Title == "" {
			t.Errorf("%s says nothing of itself", tool.Name)
		}
	}
	for name, want := range map[string]hints{
		"getGem": {true, false, true}, "listGems": {true, false, true}, "createGem": {false, false, false},
		"updateGem": {false, true, true}, "patchGem": {false, true, true}, "deleteGem": {false, true, true},
		"appraiseGem": {false, true, false}, "namesGem": {true, false, true},
	} {
		if got[name] != want {
			t.Errorf("%s: %+v, want %+v", name, got[name], want)
		}
	}
}

func TestCallsOfEachKind(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	ann, root := s.agent("ann"), s.agent("root")
	made := ann.does("createGem", `{"name":"zircon","value":5,"owner":"/api/keepers/1","tags":["blue"]}`)
	if made["id"] != 9.0 || made["name"] != "zircon" {
		t.Errorf("created %v", made)
	}
	if got := ann.does("getGem", `{"id":9}`); got["value"] != 5.0 {
		t.Errorf("got %v", got)
	}
	if got := ann.does("getGem", `{"id":"9","fields":["name"]}`); len(got) != 2 {
		t.Errorf("sparse fields: %v", got)
	}
	if got := ann.does("patchGem", `{"id":9,"value":6,"note":null}`); got["value"] != 6.0 || got["name"] != "zircon" {
		t.Errorf("patched %v", got)
	}
	if got := ann.does("updateGem", `{"id":9,"name":"Zircon"}`); got["value"] != 6.0 || got["name"] != "Zircon" {
		t.Errorf("updated %v", got)
	}
	if got := ann.does("appraiseGem", `{"id":9,"factor":3}`); got["worth"] != 18.0 || got["by"] != "ann" {
		t.Errorf("appraised %v", got)
	}
	result := root.call("deleteGem", `{"id":9}`)
	if result.IsError || result.StructuredContent != nil {
		t.Errorf("deleted: %s, %v", text(result), result.StructuredContent)
	}
	if refusal := root.fails("getGem", `{"id":9}`); refusal != s.send("root", "GET /api/gems/9", "", 404) {
		t.Errorf("missing: %s", refusal)
	}
}

func TestResultsThatAreNotObjectsAreWrappedInOne(t *testing.T) {
	t.Parallel()
	nobody := newService(t, mcp.Config{}).agent("")
	if diff := cmp.Diff(map[string]any{"items": []any{"ruby", "opal"}}, nobody.does("namesGem", `{}`)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]any{"value": 7.0}, nobody.does("countGem", `{}`)); diff != "" {
		t.Error(diff)
	}
}

func TestAHiddenOperationAndOneLeftOutAreNoTools(t *testing.T) {
	t.Parallel()
	root := newService(t, mcp.Config{}).agent("root")
	for _, name := range []string{"loginGem", "secretGem", "nothing"} {
		if _, err := root.CallTool(t.Context(), &sdk.CallToolParams{Name: name}); err == nil {
			t.Errorf("%s is a tool", name)
		}
	}
}

// Size is an enumeration.
type Size string

func TestEnumerationsAndDeprecatedOperationsAreTools(t *testing.T) {
	t.Parallel()
	api := declare(t, resource.Config{}, resource.Enum[Size]{Values: []Size{"small", "large"}},
		resource.Of[Shelf]{Operations: []operation.Operation{operation.Get{Deprecated: time.Unix(1, 0)}}})
	nobody := serve(t, api).agent("")
	if got := nobody.does("listSizes", `{}`); len(got["items"].([]any)) != 2 || got["nextCursor"] != nil {
		t.Errorf("%v", got)
	}
	for tool, err := range nobody.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if is := strings.Contains(tool.Description, "Deprecated"); is != (tool.Name == "getShelf") {
			t.Errorf("%s: %s", tool.Name, tool.Description)
		}
	}
}

func TestReadGuardsTheToolOfAReadingHandler(t *testing.T) {
	t.Parallel()
	count := func(context.Context, *Gem, struct{}) (int, error) { return 7, nil }
	api := declare(t, resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}, resource.Of[Gem]{
		Access:     access.Rules{Read: isAdmin, Create: access.Public},
		Operations: []operation.Operation{operation.Get{Name: "count", URITemplate: "/gem-count", Handler: operation.Handle(count)}},
	}, resource.Of[Keeper]{Access: access.Rules{Read: isAdmin}, Operations: []operation.Operation{operation.Get{}}})
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	s := &service{t: t, url: server.URL}
	for caller, want := range map[string]string{"": "401", "ann": "403", "root": `"value":7`} {
		call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"countGem","arguments":{}}}`
		_, text, _ := s.exchange(caller, "POST /mcp", call, "Accept", "application/json, text/event-stream")
		if !strings.Contains(text, want) {
			t.Errorf("%q gets %s, want %s", caller, text, want)
		}
	}
}

// Vault has hidden fields that its rules look at.
type Vault struct {
	ID     int64  `json:"id"`
	Buried bool   `json:"buried" api:"hidden"`
	Name   string `json:"name"`
	Open   bool   `json:"open"`
}

func TestNoToolAndNoErrorNamesAHiddenField(t *testing.T) {
	t.Parallel()
	rule := access.All(access.Where("buried", false), access.Any(access.Where("open", true), isAdmin))
	api := declare(t, resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}}, resource.Of[Vault]{
		Store: memory.New(Vault{Name: "a", Open: true}, Vault{Name: "b", Buried: true}),
		Access: access.Rules{
			Read: access.Public, Create: rule, Update: access.Not(access.Not(rule)), Delete: rule,
			Fields: map[string]access.Field{"open": {Read: access.Not(access.Where("buried", true)), Write: rule}},
		},
		Operations: append(operation.Standard(), operation.Get{Name: "peek", URITemplate: "/vaults/{id}/peek", Access: access.Where("buried", false)}),
	}, resource.Of[Keeper]{Access: access.Rules{Read: access.Public, Create: isAdmin, Update: isAdmin, Delete: isAdmin}})
	s := serve(t, api)
	for _, who := range []string{"", "ann", "root"} {
		_, tools, _ := s.post(who, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if !strings.Contains(tools, "a condition on the record") || strings.Contains(tools, "buried") {
			t.Errorf("the tools as %q: %s", who, tools)
		}
		for _, test := range []struct{ request, tool, body, arguments string }{
			{"DELETE /api/vaults/2", "deleteVault", "", `{"id":2}`},
			{"PATCH /api/vaults/2", "patchVault", `{"name":"x"}`, `{"id":2,"name":"x"}`},
			{"PATCH /api/vaults/2", "patchVault", `{"open":true}`, `{"id":2,"open":true}`},
			{"GET /api/vaults/2/peek", "peekVault", "", `{"id":2}`},
		} {
			status, body, header := s.exchange(who, test.request, test.body)
			if status < 400 || strings.Contains(body, "buried") {
				t.Errorf("%s as %q: %d %s", test.request, who, status, body)
			}
			for name, values := range header {
				if strings.Contains(strings.Join(values, " "), "buried") {
					t.Errorf("%s as %q: %s: %v", test.request, who, name, values)
				}
			}
			if got := s.agent(who).fails(test.tool, test.arguments); strings.Contains(got, "buried") {
				t.Errorf("%s as %q: %s", test.tool, who, got)
			}
		}
	}
}

// gives is a Get of pebbles that returns a value.
func gives[Out any](name string, out Out) operation.Get {
	return operation.Get{Name: name, URITemplate: "/pebbles/" + name, Handler: operation.Handle(
		func(context.Context, *Pebble, struct{}) (Out, error) { return out, nil })}
}

// Structured content is always an object, as the schema of the tool declares.
func TestEveryResultOfAHandlerIsAnObjectOfItsSchema(t *testing.T) {
	t.Parallel()
	pebble := Pebble{ID: 1, Name: "a", Grams: 2}
	api := declare(t, resource.Config{}, resource.Of[Pebble]{
		Computed: []operation.Computed{operation.Compute("heavy", "Whether it is.", func(_ context.Context, p *Pebble) (bool, error) { return p.Grams > 1, nil })},
		Operations: []operation.Operation{
			operation.Get{},
			operation.Post{},
			operation.GetCollection{View: &operation.View{Name: "Card", Fields: []string{"id", "name"}}},
			operation.GetCollection{Name: "gather", URITemplate: "/pebbles/gathered", Handler: operation.Handle(
				func(context.Context, *Pebble, struct{}) ([]Pebble, error) { return []Pebble{pebble}, nil })},
			gives("record", pebble), gives("pointer", &pebble), gives("records", []Pebble{pebble}), gives("pointers", []*Pebble{&pebble}), gives("none", []Pebble(nil)),
			gives("map", map[string]int{"a": 1}), gives("maps", []map[string]int{{"a": 1}}), gives("text", "x"), gives("nothing", (*string)(nil)),
			gives("number", 1.5), gives("truth", true), gives("moment", time.Unix(0, 0).UTC()), gives("list", [2]int{1, 2}), gives("other", Size("small")),
			gives("object", struct {
				Items []int `json:"items"`
			}{[]int{1}}), gives("emptyMap", map[string]string(nil)),
		},
	})
	nobody := serve(t, api).agent("")
	nobody.does("createPebble", `{"name":"a","grams":2}`)
	const record = `{"id":1,"name":"a","grams":2,"heavy":true}`
	for tool, want := range map[string]string{
		"getPebble": "", "listPebbles": `{"items":[{"id":1,"name":"a"}]}`, "gatherPebble": `{"items":[` + record + `]}`, "recordPebble": record, "pointerPebble": record,
		"recordsPebble": `{"items":[` + record + `]}`, "pointersPebble": `{"items":[` + record + `]}`, "nonePebble": `{"items":[]}`,
		"mapPebble": `{"a":1}`, "mapsPebble": `{"items":[{"a":1}]}`, "textPebble": `{"value":"x"}`, "nothingPebble": `{"value":null}`,
		"numberPebble": `{"value":1.5}`, "truthPebble": `{"value":true}`, "momentPebble": `{"value":"1970-01-01T00:00:00Z"}`, "listPebble": `{"items":[1,2]}`,
		"otherPebble": `{"value":"small"}`, "objectPebble": `{"items":[1]}`, "emptyMapPebble": `{}`,
	} {
		arguments := `{}`
		if want == "" {
			arguments, want = `{"id":1}`, record
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(want), &object); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(object, nobody.does(tool, arguments)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tool, diff)
		}
	}
}

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
