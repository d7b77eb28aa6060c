package openapi_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

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
