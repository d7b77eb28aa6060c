package storediff_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// world is the set of declarations of one seed.
type world struct {
	lands, towns identity
	rules        int  // the number of a set of access rules
	view         bool // lists of towns show a view
	strict       bool // Put replaces
	open         func(t *testing.T, w world, db *sqlstore.DB) *resource.API
}

// identity is the kind of an identifier: "number", which the store generates, "string" or "pair".
type identity string

// worldOf returns the world of a seed.
func worldOf(seed int, random *rand.Rand) world {
	worlds := []world{
		{lands: "number", towns: "number", open: open[int64, land[int64], restricting[int64, int64]]},
		{lands: "string", towns: "string", open: open[string, land[string], restricting[string, string]]},
		{lands: "pair", towns: "string", open: open[pair, pairLand, restricting[pair, string]]},
		{lands: "number", towns: "string", open: open[int64, land[int64], cascading[int64, string]]},
		{lands: "string", towns: "number", open: open[string, land[string], cascading[string, int64]]},
		{lands: "pair", towns: "number", open: open[pair, pairLand, cascading[pair, int64]]},
		{lands: "number", towns: "string", open: open[int64, land[int64], forgetting[int64, string]]},
		{lands: "string", towns: "string", open: open[string, land[string], forgetting[string, string]]},
		{lands: "pair", towns: "string", open: open[pair, pairLand, forgetting[pair, string]]},
	}
	w := worlds[seed%len(worlds)]
	w.rules, w.view, w.strict = random.IntN(3), random.IntN(2) == 0, random.IntN(2) == 0
	return w
}

// generates reports whether the store generates identifiers, which then differ between stores.
func (w world) generates() bool { return w.lands == "number" || w.towns == "number" }

// person is the principal of a request.
type person struct {
	Name  string
	Admin bool
}

func authenticate(_ context.Context, token string) (*person, access.Scopes, error) {
	switch token {
	case "ann", "bob", "root":
		return &person{token, token == "root"}, access.Unlimited, nil
	}
	return nil, nil, access.ErrCredentials
}

// open returns the API of a world, in memory or in a database.
func open[K, A, B any](t *testing.T, w world, db *sqlstore.DB) *resource.API {
	t.Helper()
	lands := resource.Of[A]{ShortName: "Land", Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/lands/{up}/lands"})}
	towns := resource.Of[B]{ShortName: "Town", Operations: append(operation.Standard(),
		operation.GetCollection{URITemplate: "/lands/{land}/towns"},
		operation.Put{URITemplate: "/towns/{townId}/lands/{lands}"}, operation.Delete{URITemplate: "/towns/{townId}/lands/{lands}"},
		operation.Post{Name: "createMany", URITemplate: "/towns/many", Handler: operation.Handle(
			func(ctx context.Context, _ *B, in []operation.CreateOf[B]) (struct{}, error) {
				for _, each := range in {
					if _, err := each.Save(ctx); err != nil {
						return struct{}{}, err
					}
				}
				return struct{}{}, nil
			})},
		operation.Patch{Name: "changeMany", URITemplate: "/towns", Handler: operation.Handle(
			func(ctx context.Context, _ *B, in []operation.PatchOf[B]) (struct{}, error) {
				for _, each := range in {
					if _, err := each.Save(ctx); err != nil {
						return struct{}{}, err
					}
				}
				return struct{}{}, nil
			})},
	)}
	if w.strict {
		lands.ExtraProperties, towns.ExtraProperties = map[string]any{"standard_put": true}, map[string]any{"standard_put": true}
	}
	if w.view {
		towns.Operations[1] = operation.GetCollection{View: &operation.View{Name: "TownCard", Fields: []string{"townId", "name", "land.name", "lands"}}}
	}
	config := resource.Config{
		Logger:  slog.New(slog.DiscardHandler),
		Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format),
	}
	if lands.Access, towns.Access = rules(w.rules); w.rules > 0 {
		config.Authentication = []access.Scheme{access.Bearer("token", authenticate)}
	}
	deeds := deeds[K](w)
	if db != nil {
		lands.Store, towns.Store, deeds.Store = tables[A, B, deed[K]](t, db)
	}
	api, err := resource.New(config, lands, towns, deeds)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// public is rules by which everyone may do everything.
var public = access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}

// rules returns the access rules of lands and towns, public ones for 0.
func rules(n int) (lands, towns access.Rules) {
	admin := access.If("admin", func(p *person) bool { return p.Admin })
	keeper := access.Equal("keeper", func(p *person) string { return p.Name })
	switch n {
	case 0:
		return public, public
	case 1:
		lands = access.Rules{
			Read: access.Any(access.Where("open", true), keeper, admin), Create: access.Authenticated, Update: access.Any(keeper, admin), Delete: access.Any(keeper, admin),
			Fields: map[string]access.Field{"note": {Read: admin}},
		}
		towns = access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
	case 2:
		lands = access.Rules{Read: access.Public, Create: access.Public, Update: access.Authenticated, Delete: access.Authenticated}
		towns = access.Rules{
			Read: access.Any(access.Where("name", "a", "b"), admin), Create: access.Public, Update: access.Authenticated, Delete: access.Public,
			Fields: map[string]access.Field{"lands": {Read: access.Authenticated}, "size": {Read: admin, Write: admin}},
		}
	}
	return lands, towns
}

// tables creates the tables of a world in a database.
func tables[A, B, C any](t *testing.T, db *sqlstore.DB) (store.Store[A], store.Store[B], store.Store[C]) {
	t.Helper()
	lands := sqlstore.Table[A](db, sqlstore.Named("lands"), sqlstore.References("up", "lands"))
	options := []sqlstore.Option{sqlstore.Named("towns"), sqlstore.References("twin", "towns")}
	for _, field := range []string{"land", "next", "lands"} {
		options = append(options, sqlstore.References(field, "lands"))
	}
	towns := sqlstore.Table[B](db, options...)
	options = []sqlstore.Option{sqlstore.Named("deeds"), sqlstore.References("land", "lands")}
	for _, field := range []string{"under", "by", "beside"} {
		options = append(options, sqlstore.References(field, "deeds"))
	}
	deeds := sqlstore.Table[C](db, options...)
	if err := db.Create(t.Context(), lands, towns, deeds); err != nil {
		t.Fatal(err)
	}
	return lands, towns, deeds
}

// file returns the name of a new database.
func file(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "alike.db")
}
