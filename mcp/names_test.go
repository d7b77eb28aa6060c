package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
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
	api, err := resource.New(resource.Config{}, resource.Of[Pebble]{Operations: append(operation.Standard(),
		operation.Post{Name: "move", URITemplate: "/pebbles/{id}/move", Handler: operation.Handle(
			func(_ context.Context, p *Pebble, in Transfer) (string, error) { return p.Name + " by " + in.ID, nil })},
	)})
	if err != nil {
		t.Fatal(err)
	}
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
	api, err := resource.New(resource.Config{}, resource.Of[Boat]{Operations: append(operation.Standard(), move)})
	if err != nil {
		t.Fatal(err)
	}
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
