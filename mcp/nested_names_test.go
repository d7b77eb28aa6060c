package mcp_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Plank has names that clients do not accept as names of arguments.
type Plank struct {
	Width int    `json:"größe" validate:"gte=1" api:"filter"`
	Kind  string `json:"art des holzes" validate:"omitempty,oneof=oak elm"`
	Long  int    `json:"a_name_that_is_longer_than_any_client_accepts_for_an_argument_of_a_tool"`
}

// Raft has planks wherever a value can be.
type Raft struct {
	ID    int64            `json:"id"`
	Base  Plank            `json:"base"`
	Spare *Plank           `json:"spare"`
	Deck  []Plank          `json:"deck" validate:"max=9,dive"`
	Named map[string]Plank `json:"named" validate:"max=9,dive"`
}

// Clients check the names of arguments, and nothing within them. Nested names are those of HTTP, so that a model can
// send back what a tool returned.
func TestNestedNamesAreThoseOfHTTP(t *testing.T) {
	t.Parallel()
	build := operation.Post{Name: "build", URITemplate: "/rafts/build", Handler: operation.Handle(
		func(_ context.Context, _ *Raft, in []operation.CreateOf[Raft]) (Plank, error) {
			return in[0].Record.Base, nil
		})}
	api, err := resource.New(resource.Config{}, resource.Of[Raft]{Operations: append(operation.Standard(), build)})
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, api)
	nobody := s.agent("")
	for tool, err := range nobody.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains([]string{"createRaft", "patchRaft", "updateRaft", "buildRaft"}, tool.Name) && !strings.Contains(string(text), `"größe"`) {
			t.Errorf("%s has another name for a nested field: %s", tool.Name, text)
		}
		var input struct {
			Properties map[string]any `json:"properties"`
		}
		if err := json.Unmarshal(text, &input); err != nil {
			t.Fatal(err)
		}
		for argument := range input.Properties {
			if !accepted.MatchString(argument) {
				t.Errorf("%s: %s is the name of an argument", tool.Name, argument)
			}
		}
	}
	const long = `"a_name_that_is_longer_than_any_client_accepts_for_an_argument_of_a_tool"`
	plank := func(width string) string { return `{"größe":` + width + `,"art des holzes":"oak",` + long + `:2}` }
	arguments := `"base":` + plank("1") + `,"spare":` + plank("2") + `,"deck":[` + plank("3") + `],"named":{"die größte":` + plank("4") + `}`
	made := nobody.does("createRaft", `{`+arguments+`}`)
	var want map[string]any
	if err := json.Unmarshal([]byte(`{"id":1,`+arguments+`}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Error(diff)
	}
	back, err := json.Marshal(nobody.does("getRaft", `{"id":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, nobody.does("updateRaft", string(back))); diff != "" {
		t.Errorf("what was read is saved as another record: %s", diff)
	}
	nobody.does("patchRaft", `{"id":1,"base":{"größe":7},"named":{"die größte":{"größe":8}}}`)
	if got := s.send("", "GET /api/rafts/1", "", 200); !strings.Contains(got, `"größe":7`) || !strings.Contains(got, `"größe":8`) {
		t.Errorf("patched %s", got)
	}
	if got := nobody.does("buildRaft", `{"body":[{`+arguments+`}]}`); got["größe"] != 1.0 {
		t.Errorf("built %v", got)
	}
	for within, name := range map[string]string{`"base":{"größe":0}`: "base.größe", `"deck":[{"größe":1},{"größe":0}]`: "deck[1].größe", `"base":{"gr__e":1}`: "base.gr__e"} {
		if got := nobody.fails("patchRaft", `{"id":1,`+within+`}`); !strings.Contains(got, `"`+name+`"`) {
			t.Errorf("%s: %s", within, got)
		}
	}
}

// A parameter for a nested field is an argument, so it gets another name.
func TestAFilterByANestedFieldHasANameThatClientsAccept(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Raft]{})
	if err != nil {
		t.Fatal(err)
	}
	nobody := serve(t, api).agent("")
	for _, width := range []string{"1", "2"} {
		nobody.does("createRaft", `{"base":{"größe":`+width+`},"deck":[],"named":{}}`)
	}
	if got := nobody.does("listRafts", `{"base_gr__e_315bed775392":2}`)["items"].([]any); len(got) != 1 {
		t.Errorf("found %v", got)
	}
}
