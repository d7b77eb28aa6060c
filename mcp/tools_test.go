package mcp_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
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
	api, err := resource.New(resource.Config{}, resource.Enum[Size]{Values: []Size{"small", "large"}},
		resource.Of[Shelf]{Operations: []operation.Operation{operation.Get{Deprecated: time.Unix(1, 0)}}})
	if err != nil {
		t.Fatal(err)
	}
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
