package sqlite_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

func TestATransactionOfADatabaseIsOneOfAllItsStores(t *testing.T) {
	t.Parallel()
	type coin struct {
		ID int64 `json:"id"`
	}
	type ring struct {
		ID int64 `json:"id"`
	}
	db := open(t, ":memory:")
	coins, rings := sqlstore.Table[coin](db), sqlstore.Table[ring](db)
	if err := db.Create(t.Context(), coins, rings); err != nil {
		t.Fatal(err)
	}
	given := errors.New("given up")
	for _, c := range []struct {
		then error
		want int
	}{{given, 0}, {nil, 1}} {
		err := db.Transact(t.Context(), func(ctx context.Context) error {
			return errors.Join(store.Insert(ctx, coins, &coin{}), store.Insert(ctx, rings, &ring{}), c.then)
		})
		if !errors.Is(err, c.then) {
			t.Errorf("the error is %v, want %v", err, c.then)
		}
		some, _ := coins.List(t.Context(), store.Query{})
		others, _ := rings.List(t.Context(), store.Query{})
		if len(some.Items) != c.want || len(others.Items) != c.want {
			t.Errorf("there are %d coins and %d rings, want %d", len(some.Items), len(others.Items), c.want)
		}
	}
	var missing *sqlstore.DB
	if err := missing.Transact(t.Context(), func(context.Context) error { return nil }); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Errorf("without a database: %v", err)
	}
}
