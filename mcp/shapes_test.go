package mcp_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// gives is a Get of pebbles that returns a value.
func gives[Out any](name string, out Out) operation.Get {
	return operation.Get{Name: name, URITemplate: "/pebbles/" + name, Handler: operation.Handle(
		func(context.Context, *Pebble, struct{}) (Out, error) { return out, nil })}
}

// Structured content is always an object, as the schema of the tool declares.
func TestEveryResultOfAHandlerIsAnObjectOfItsSchema(t *testing.T) {
	t.Parallel()
	pebble := Pebble{ID: 1, Name: "a", Grams: 2}
	api, err := resource.New(resource.Config{}, resource.Of[Pebble]{
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
	if err != nil {
		t.Fatal(err)
	}
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
