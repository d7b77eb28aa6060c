package openapi_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Gem is shown in several ways.
type Gem struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank"`
	Value int    `json:"value" api:"filter,sort"`
}

func TestTheSchemaOfAViewHasItsName(t *testing.T) {
	t.Parallel()
	card := &operation.View{Name: "GemCard", Fields: []string{"id", "name"}}
	gems := resource.Of[Gem]{Operations: []operation.Operation{
		operation.Get{},
		operation.Post{},
		operation.GetCollection{View: card},
		operation.Get{Name: "card", URITemplate: "/cards/{id}", View: card, SparseFields: true},
	}}
	if diff := cmp.Diff([]string{"Gem", "GemCard", "GemCardSparse", "GemCreate"}, schemaNames(t, gems)); diff != "" {
		t.Errorf("the names differ (-want +got):\n%s", diff)
	}
	document := documentOf(t, mounted(t, gems))
	schema := document.at(t, "components", "schemas", "GemCard").(map[string]any)
	if diff := cmp.Diff([]any{"id", "name"}, schema["required"]); diff != "" {
		t.Errorf("the required members differ (-want +got):\n%s", diff)
	}
	if properties := schema["properties"].(map[string]any); len(properties) != 2 {
		t.Errorf("the schema has the members %v", properties)
	}
	items := document.at(t, "paths", "/api/gems", "get", "responses", "200", "content", "application/json", "schema", "items", "$ref")
	if items != "#/components/schemas/GemCard" {
		t.Errorf("the collection is of %v", items)
	}
}

// GemLabel is a gem as clients know it.
type GemLabel struct {
	Title string `json:"title" validate:"notblank"`
}

func TestTypesForClientsHaveTheirSchemas(t *testing.T) {
	t.Parallel()
	gems := resource.Of[Gem]{
		SparseFields: true,
		Output:       operation.Output(func(_ context.Context, g *Gem) (GemLabel, error) { return GemLabel{g.Name}, nil }),
		Input: operation.InputOf(func(g *Gem) GemLabel { return GemLabel{g.Name} },
			func(_ context.Context, in GemLabel, g *Gem) error { g.Name = in.Title; return nil }),
	}
	document := documentOf(t, mounted(t, gems))
	if diff := cmp.Diff([]string{"GemLabel", "GemLabelCreate", "GemLabelPatch", "GemLabelSparse"}, schemaNames(t, gems)); diff != "" {
		t.Errorf("the names differ (-want +got):\n%s", diff)
	}
	if got := document.at(t, "components", "schemas", "GemLabelCreate").(map[string]any)["required"]; !cmp.Equal(got, []any{"title"}) {
		t.Errorf("a new one requires %v", got)
	}
}

func TestComputedMembersAreInTheSchema(t *testing.T) {
	t.Parallel()
	type Found struct {
		Gems []Gem `json:"gems"`
	}
	gems := resource.Of[Gem]{
		SparseFields: true,
		Computed: []operation.Computed{
			operation.Compute("isMine", "Whether the caller owns it.", func(context.Context, *Gem) (bool, error) { return true, nil }),
			operation.Compute("label", "", func(context.Context, *Gem) (GemLabel, error) { return GemLabel{}, nil }),
		},
		Operations: append(operation.Standard(), operation.Get{Name: "found", URITemplate: "/found", Handler: operation.Handle(
			func(context.Context, *Gem, struct{}) (Found, error) { return Found{}, nil })}),
	}
	want := []string{"Found", "Gem", "GemCreate", "GemLabel", "GemPatch", "GemSparse", "GemStored"}
	if diff := cmp.Diff(want, schemaNames(t, gems)); diff != "" {
		t.Errorf("the names differ (-want +got):\n%s", diff)
	}
	schemas := documentOf(t, mounted(t, gems)).at(t, "components", "schemas").(map[string]any)
	gem := schemas["Gem"].(map[string]any)
	if diff := cmp.Diff([]any{"id", "name", "value", "isMine", "label"}, gem["required"]); diff != "" {
		t.Errorf("the required members differ (-want +got):\n%s", diff)
	}
	isMine := map[string]any{"type": "boolean", "readOnly": true, "description": "Whether the caller owns it."}
	if diff := cmp.Diff(isMine, gem["properties"].(map[string]any)["isMine"]); diff != "" {
		t.Errorf("the schema of a computed member differs (-want +got):\n%s", diff)
	}
	if stored := schemas["GemStored"].(map[string]any)["properties"].(map[string]any); stored["isMine"] != nil {
		t.Error("what a handler answers within its own type is said to have what is computed")
	}
}

func TestTheSchemaOfAChangeSaysWhatIsSetAtCreationAlone(t *testing.T) {
	t.Parallel()
	type Deed struct {
		ID     int64  `json:"id"`
		Serial string `json:"serial" api:"createonly" validate:"notblank"`
	}
	deeds := resource.Of[Deed]{Operations: []operation.Operation{
		operation.Post{}, operation.Put{ExtraProperties: map[string]any{"standard_put": true}},
	}}
	document := documentOf(t, mounted(t, deeds))
	created := document.at(t, "components", "schemas", "DeedCreate").(map[string]any)
	changed := document.at(t, "components", "schemas", "DeedUpdate").(map[string]any)
	if !cmp.Equal(created["required"], []any{"serial"}) || changed["required"] != nil {
		t.Errorf("creating requires %v, changing %v", created["required"], changed["required"])
	}
	serial := changed["properties"].(map[string]any)["serial"].(map[string]any)
	if serial["description"] != "Cannot be changed after creation." {
		t.Errorf("the member is described by %v", serial)
	}
}

// Quay is what barges refer to.
type Quay struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank" api:"filter,sort"`
	Fee  int    `json:"fee"`
}

// Barge is shown and taken in several ways.
type Barge struct {
	ID     int64    `json:"id"`
	Name   string   `json:"name" validate:"notblank" api:"filter=partial,sort"`
	Serial string   `json:"serial" validate:"notblank" api:"createonly"`
	Quay   int64    `json:"quay" api:"ref=Quay,expand,filter,through=name"`
	Tags   []string `json:"tags" validate:"max=3" api:"filter=contains"`
	Worth  int      `json:"worth" api:"sort"`
}

// Crate is what clients know of cargo.
type Crate struct {
	Label string `json:"label" validate:"notblank"`
	Kilos int    `json:"kilos" validate:"gte=0"`
}

// Cargo is what the store keeps of it.
type Cargo struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Grams int    `json:"grams" api:"filter=range"`
}

// viewed is an API with all ways to show and to take a record.
func viewed() configuration {
	open := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: isAdmin}
	ruled := open
	ruled.Fields = map[string]access.Field{"worth": {Read: isAdmin, Write: isAdmin}}
	card := &operation.View{Name: "BargeCard", Fields: []string{"id", "name", "isBig", "quay.name"}}
	return configuration{
		config: resource.Config{
			Formats:        append(format.Standard(), csv.Format, hal.Format),
			Authentication: allSchemes()[:1], Logger: slog.New(slog.DiscardHandler),
		},
		declarations: []resource.Declaration{
			resource.Of[Quay]{Access: open},
			resource.Of[Barge]{
				Access: ruled, SparseFields: true,
				Computed: []operation.Computed{
					operation.Compute("isBig", "Whether it carries much.", func(_ context.Context, b *Barge) (bool, error) { return b.Worth > 9, nil }),
				},
				Operations: []operation.Operation{
					operation.Get{}, operation.GetCollection{View: card}, operation.Post{}, operation.Patch{}, operation.Delete{},
				},
			},
			resource.Of[Cargo]{
				Access: open,
				Output: operation.Output(func(_ context.Context, c *Cargo) (Crate, error) { return Crate{c.Name, c.Grams / 1000}, nil }),
				Input: operation.InputOf(func(c *Cargo) Crate { return Crate{c.Name, c.Grams / 1000} },
					func(_ context.Context, in Crate, c *Cargo) error {
						c.Name, c.Grams = in.Label, in.Kilos*1000
						return nil
					}),
			},
		},
	}
}

func TestTheDocumentOfViewsIsTheGoldenOne(t *testing.T) {
	t.Parallel()
	api := newAPI(t, viewed())
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	isGolden(t, "views", get(t, api, "/api/docs.json").Body.Bytes())
	isGolden(t, "views_3_0", get(t, api, "/api/docs.json?version=3.0").Body.Bytes())
}
