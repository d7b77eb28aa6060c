package mcp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	if diff := cmp.Diff(map[string]any{"value": "a by cart"}, nobody.does("movePebble", `{"id":1,"body.id":"cart","amount":2}`)); diff != "" {
		t.Error(diff)
	}
	if told := nobody.fails("movePebble", `{"id":1,"amount":2}`); !strings.Contains(told, "id is required") {
		t.Errorf("without it: %s", told)
	}
}
