package mysql_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

type (
	anvil struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	bellows struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
)

// whileLocked runs a function while another connection has locked anvils.
func whileLocked(ctx context.Context, t *testing.T, dsn string, during func()) {
	t.Helper()
	err := open(t, dsn).Transact(ctx, func(ctx context.Context) error {
		tx, _ := sqlstore.Tx(ctx)
		if _, err := tx.Exec(ctx, "LOCK TABLES anvils WRITE"); err != nil {
			return err
		}
		during()
		_, err := tx.Exec(ctx, "UNLOCK TABLES")
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestRequestsOfOtherTablesGoOnWhileOneIsLocked(t *testing.T) {
	t.Parallel()
	ctx, dsn := impatient(t), database(t, "pool_max_conns", "4")
	db := open(t, dsn)
	anvils, others := table[anvil](t, db), table[bellows](t, db)
	var waiting sync.WaitGroup
	var most time.Duration
	whileLocked(ctx, t, dsn, func() {
		for i := range 8 {
			waiting.Go(func() {
				var err error
				if i%2 == 0 {
					_, err = anvils.List(ctx, store.Query{})
				} else {
					err = anvils.Transact(ctx, func(ctx context.Context, tx store.Tx[anvil]) error { return tx.Insert(ctx, &anvil{Name: "a"}) })
				}
				if err != nil {
					t.Errorf("a request of the locked table: %v", err)
				}
			})
		}
		time.Sleep(100 * time.Millisecond) // until they have all connections
		for range 20 {
			began := time.Now()
			err := others.Transact(ctx, func(ctx context.Context, tx store.Tx[bellows]) error { return tx.Insert(ctx, &bellows{Name: "b"}) })
			if err == nil {
				_, err = others.List(ctx, store.Query{Limit: 1})
			}
			if err != nil {
				t.Errorf("a request of another table: %v", err)
			}
			most = max(most, time.Since(began))
		}
		if most > 2*time.Second {
			t.Errorf("a request of another table took %s", most)
		}
		time.Sleep(time.Second)
	})
	waiting.Wait()
	if n := one[int](ctx, t, db, "SELECT COUNT(*) FROM anvils"); n != 4 {
		t.Errorf("%d of 4 records were saved", n)
	}
}
