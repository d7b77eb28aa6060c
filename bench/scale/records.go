package main

import (
	"context"
	"net/http"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// Account is an owner of items. There is one for every ten items.
type Account struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank" api:"unique"`
	City string `json:"city" api:"filter"`
}

// Item is a record of the large table.
type Item struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name" validate:"notblank" api:"filter=partial,search"`
	Status    string    `json:"status" validate:"oneof=open closed lost" api:"filter,group"`
	Value     int64     `json:"value" api:"filter=range,sort,aggregate"`
	Published bool      `json:"published" api:"filter"`
	Note      string    `json:"note"`
	CreatedAt time.Time `json:"createdAt" api:"created,sort"`
	Owner     int64     `json:"owner" api:"ref=Account,expand,filter,through=city"`
}

// Constraints has the index of a status in the order of the value.
func (Item) Constraints() []store.Constraint {
	return []store.Constraint{store.Index("status", "value")}
}

// tables are the stores of the resources.
type tables struct {
	accounts *sqlstore.Store[Account]
	items    *sqlstore.Store[Item]
	own      *sqlstore.Store[Own]
}

func newTables(db *sqlstore.DB) tables {
	return tables{sqlstore.Table[Account](db), sqlstore.Table[Item](db), sqlstore.Table[Own](db, sqlstore.Named("items"))}
}

// api returns an API of the tables. Its resource Own has the same items with a rule: callers see those that are published
// and their own. The caller is account 7.
func (t tables) api() (http.Handler, error) {
	token := access.Bearer("token", func(context.Context, string) (int64, access.Scopes, error) { return 7, access.Unlimited, nil })
	pages := operation.Pagination{MaxPage: 1_000_000}
	rule := access.Any(access.Where("published", true), access.Equal("owner", func(account int64) int64 { return account }))
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{token}, Pagination: pages},
		resource.Of[Account]{Store: t.accounts, Access: access.Only(access.Public)},
		resource.Of[Item]{Store: t.items, Access: access.Only(access.Public), Operations: append(operation.Standard(), operation.Aggregate{})},
		resource.Of[Own]{Store: t.own, Access: access.Rules{Read: rule}, Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}}},
	)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer 7")
		api.ServeHTTP(w, r)
	}), nil
}

// Own is an item that not everyone sees.
type Own Item

// Constraints has the index of an item.
func (Own) Constraints() []store.Constraint { return Item{}.Constraints() }
