package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Transfer has a field with the name of a path variable and a different meaning.
type Transfer struct {
	ID     string `json:"id" validate:"notblank"`
	Amount int    `json:"amount"`
}

func TestAFieldWithTheNameOfAVariableHasAnArgument(t *testing.T) {
	t.Parallel()
	api := declare(t, resource.Config{}, resource.Of[Pebble]{Operations: append(operation.Standard(),
		operation.Post{Name: "move", URITemplate: "/pebbles/{id}/move", Handler: operation.Handle(
			func(_ context.Context, p *Pebble, in Transfer) (string, error) { return p.Name + " by " + in.ID, nil })},
	)})
	nobody := serve(t, api).agent("")
	nobody.does("createPebble", `{"name":"a","grams":1}`)
	if diff := cmp.Diff(map[string]any{"value": "a by cart"}, nobody.does("movePebble", `{"id":1,"body_id":"cart","amount":2}`)); diff != "" {
		t.Error(diff)
	}
	if told := nobody.fails("movePebble", `{"id":1,"amount":2}`); !strings.Contains(told, "id is required") {
		t.Errorf("without it: %s", told)
	}
}

// Boat has names that clients do not accept as names of arguments.
type Boat struct {
	ID    int64  `json:"id"`
	Width int    `json:"größe" api:"filter=range,sort"`
	Size  int    `json:"gr__e" api:"filter"`
	Long  string `json:"a_name_that_is_longer_than_any_client_accepts_for_an_argument_of_a_tool"`
	Year  int    `json:"year" api:"filter=range"`
	Plain int    `json:"year_gte" api:"filter"`
}

// accepted matches the names that clients accept.
var accepted = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func TestNamesAreThoseThatClientsAccept(t *testing.T) {
	t.Parallel()
	move := operation.Post{Name: "moveTheWholeBoatToAnotherPlaceThatIsFarAwayFromHereAndBackAgain", URITemplate: "/boats/{id}/move", Handler: operation.Handle(
		func(_ context.Context, _ *Boat, in Transfer) (string, error) { return in.ID, nil })}
	api := declare(t, resource.Config{}, resource.Of[Boat]{Operations: append(operation.Standard(), move)})
	s := serve(t, api)
	nobody := s.agent("")
	names := map[string]string{} // of tools, by the beginning of their names
	for tool, err := range nobody.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if !accepted.MatchString(tool.Name) {
			t.Errorf("%s is the name of a tool", tool.Name)
		}
		names[regexp.MustCompile("^[a-z]+").FindString(tool.Name)] = tool.Name
		text, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var input struct {
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		}
		if err := json.Unmarshal(text, &input); err != nil {
			t.Fatal(err)
		}
		for argument := range input.Properties {
			if !accepted.MatchString(argument) {
				t.Errorf("%s: %s is the name of an argument", tool.Name, argument)
			}
		}
		for _, argument := range input.Required {
			if input.Properties[argument] == nil {
				t.Errorf("%s: the argument %s is required, and does not exist", tool.Name, argument)
			}
		}
	}
	if len(names) != 7 {
		t.Fatalf("the tools are %v", names)
	}
	// The names are the same in each program, or clients could not keep them.
	made := nobody.does(names["create"], `{"gr__e_d353a2671b67":3,"gr__e":4,"a_name_that_is_longer_than_any_client_accepts_for_a_1552592c58f4":"x","year_gte":5,"year":6}`)
	if made["größe"] != 3.0 || made["gr__e"] != 4.0 || made["year"] != 6.0 {
		t.Errorf("created %v", made)
	}
	if got := nobody.does(names["list"], `{"year_gte":7}`)["items"].([]any); len(got) != 0 {
		t.Errorf("a filter finds %v", got)
	}
	if got := nobody.does(names["list"], `{"year_gte":6,"query_year_gte":5}`)["items"].([]any); len(got) != 1 {
		t.Errorf("two filters find %v", got)
	}
	if got := nobody.does(names["move"], `{"id":1,"body_id":"x","amount":1}`)["value"]; got != "x" {
		t.Errorf("moved %v", got)
	}
}

func TestClientsNeedAcceptOnlyJSON(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	for accept, want := range map[string]int{
		"application/json": http.StatusOK, "*/*": http.StatusOK, "application/*;q=0.5": http.StatusOK, "application/json, text/event-stream": http.StatusOK,
		"text/event-stream": http.StatusNotAcceptable, "text/html": http.StatusNotAcceptable, "application/json;q=0": http.StatusNotAcceptable,
	} {
		status, body, header := s.exchange("", "POST /mcp", calls("getGem", `{"id":1}`), "Accept", accept)
		if status != want || want == http.StatusOK && header.Get("Content-Type") != "application/json" ||
			want != http.StatusOK && !strings.Contains(body, `"detail":"Responses are application/json`) {
			t.Errorf("%s: %d, want %d: %s", accept, status, want, body)
		}
	}
	if status, body, _ := s.exchange("", "POST /mcp", calls("getGem", `{"id":1}`)); status != http.StatusOK {
		t.Errorf("without Accept: %d %s", status, body)
	}
}

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
	api := declare(t, resource.Config{}, resource.Of[Raft]{Operations: append(operation.Standard(), build)})
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
	api := declare(t, resource.Config{}, resource.Of[Raft]{})
	nobody := serve(t, api).agent("")
	for _, width := range []string{"1", "2"} {
		nobody.does("createRaft", `{"base":{"größe":`+width+`},"deck":[],"named":{}}`)
	}
	if got := nobody.does("listRafts", `{"base_gr__e_315bed775392":2}`)["items"].([]any); len(got) != 1 {
		t.Errorf("found %v", got)
	}
}

// Crate has raw JSON.
type Crate struct {
	ID  int64           `json:"id"`
	Raw json.RawMessage `json:"raw"`
	Any any             `json:"any"`
}

func TestAToolMergesFreeJSONAndKeepsItsNumbers(t *testing.T) {
	t.Parallel()
	api := declare(t, resource.Config{}, resource.Of[Crate]{})
	a := serve(t, api).agent("")
	a.does("createCrate", `{"raw":{"a":1,"b":9007199254740993},"any":{"a":1,"b":9007199254740993}}`)
	for _, tool := range []string{"patchCrate", "updateCrate"} {
		a.does(tool, `{"id":1,"raw":{"a":null,"c":{"d":null}},"any":{"a":null,"c":{"d":null}}}`)
		if got := text(a.call("getCrate", `{"id":1}`)); !strings.Contains(got, `"raw":{"b":9007199254740993,"c":{}},"any":{"b":9007199254740993,"c":{}}`) {
			t.Errorf("%s: %s", tool, got)
		}
	}
}
