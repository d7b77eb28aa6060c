package openapi_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// voyage has a reference of each kind that a body may have to have.
type voyage struct {
	ID       int64   `json:"id"`
	Name     string  `json:"name" validate:"notblank"`
	Captain  int64   `json:"captain" validate:"required" api:"ref=Sailor"`
	Owner    int64   `json:"owner" api:"ref=Sailor"`
	Cook     *int64  `json:"cook" api:"ref=Sailor"`
	Crew     []int64 `json:"crew" validate:"max=3" api:"ref=Sailor"`
	First    leg     `json:"first"`
	Legs     []leg   `json:"legs"`
	Recorder *leg    `json:"recorder"`
}

type leg struct {
	Pilot int64 `json:"pilot" api:"ref=Sailor"`
	Days  int   `json:"days"`
}

// logged is a voyage whose hook sets the owner.
type logged struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank"`
	Owner int64  `json:"owner" validate:"omitempty" api:"ref=Sailor"`
	Legs  []leg  `json:"legs"`
}

func TestAHookChangesNothingThatBodiesMustHave(t *testing.T) {
	t.Parallel()
	replacing := map[string]any{"standard_put": true}
	idle := func(context.Context, *operation.Request, *voyage) error { return nil }
	for name, declaration := range map[string]resource.Declaration{
		"no hook":                    resource.Of[voyage]{ShortName: "Voyage"},
		"a hook":                     resource.Of[voyage]{ShortName: "Voyage", Prepare: idle},
		"no hook, Put replaces":      resource.Of[voyage]{ShortName: "Voyage", ExtraProperties: replacing},
		"a hook, Put replaces":       resource.Of[voyage]{ShortName: "Voyage", ExtraProperties: replacing, Prepare: idle},
		"a hook that sets the owner": resource.Of[logged]{ShortName: "Voyage", ExtraProperties: replacing, Prepare: own},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := mounted(t, sailors, resource.Of[Flag]{}, sloops, declaration)
			send(t, api, http.MethodPost, "/api/sailors", `{"name":"Ann"}`)
			document := documentOf(t, api)
			path := create(t, api, document, "Voyage")
			for _, method := range []string{"POST /api/voyages", "PUT /api/voyages/{id}", "PATCH /api/voyages/{id}"} {
				sendWithout(t, api, document, method, path)
			}
		})
	}
}

func own(_ context.Context, _ *operation.Request, v *logged) error {
	if v.Owner == 0 {
		v.Owner = 1
	}
	return nil
}

func TestAReferenceThatMayBeOmittedSaysWhoSetsIt(t *testing.T) {
	t.Parallel()
	api := mounted(t, sailors, resource.Of[Flag]{}, sloops, resource.Of[logged]{ShortName: "Voyage", Prepare: own})
	document := documentOf(t, api)
	created := tree(document.at(t, "components", "schemas", "VoyageCreate").(map[string]any))
	if text := fmt.Sprint(created.at(t, "properties", "owner", "description")); !strings.HasSuffix(text, "If omitted, the service sets it.") {
		t.Errorf("the description is %s", text)
	}
}

// sendWithout sends the example of a body without each of its fields, at any depth. The service must accept what the
// schema allows, and reject the rest.
func sendWithout(t *testing.T, api http.Handler, document tree, operation, path string) {
	t.Helper()
	method, op, _ := strings.Cut(operation, " ")
	if !strings.HasSuffix(op, "}") {
		path = op
	}
	media := document.at(t, "paths", op, strings.ToLower(method), "requestBody", "content").(map[string]any)
	schema := document.schemaAt(t, pointer("paths", op, strings.ToLower(method), "requestBody", "content", "application/json", "schema"))
	for _, body := range lacking(media["application/json"].(map[string]any)["example"]) {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		valid, w := schema.Validate(value), send(t, api, method, path, string(text))
		if accepted := w.Code < http.StatusMultipleChoices; accepted != (valid == nil) {
			t.Errorf("%s %s returns %d, and by its schema %v: %s", operation, text, w.Code, valid, w.Body)
		}
	}
}

// lacking returns a value, and its copies with one field removed each.
func lacking(value any) []any {
	all := []any{value}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			less := maps.Clone(value)
			delete(less, name)
			all = append(all, less)
			for _, inner := range lacking(value[name])[1:] {
				changed := maps.Clone(value)
				changed[name] = inner
				all = append(all, changed)
			}
		}
	case []any:
		if len(value) > 0 {
			for _, inner := range lacking(value[0])[1:] {
				all = append(all, append([]any{inner}, value[1:]...))
			}
		}
	}
	return all
}
