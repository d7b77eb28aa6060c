package relations

import (
	"context"
	"net/http"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// stores has the stores of the records.
type stores struct {
	treasures store.Store[Treasure]
	users     store.Store[User]
	tags      store.Store[Tag]
}

func inMemory() stores {
	return stores{memory.New(seedTreasures()...), memory.New(seedUsers()...), memory.New(seedTags()...)}
}

// inTables creates and fills the tables of a database.
func inTables(ctx context.Context, db *sqlstore.DB) (stores, error) {
	of, owners, marks := sqlstore.Table[Treasure](db), sqlstore.Table[User](db), sqlstore.Table[Tag](db)
	if err := db.Create(ctx, of, owners, marks); err != nil {
		return stores{}, err
	}
	for _, fill := range []func() error{
		func() error { return insert(ctx, owners, seedUsers()) },
		func() error { return insert(ctx, marks, seedTags()) },
		func() error { return insert(ctx, of, seedTreasures()) },
	} {
		if err := fill(); err != nil {
			return stores{}, err
		}
	}
	_, err := db.Exec(ctx, "ANALYZE")
	return stores{of, owners, marks}, err
}

func insert[T any](ctx context.Context, into store.Store[T], records []T) error {
	return into.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error {
		for i := range records {
			if err := tx.Insert(ctx, &records[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// api returns an API with references as paths or identifiers.
func (s stores) api(references resource.References) (http.Handler, error) {
	return resource.New(resource.Config{References: references},
		resource.Of[Treasure]{Store: s.treasures}, resource.Of[User]{Store: s.users}, resource.Of[Tag]{Store: s.tags})
}
