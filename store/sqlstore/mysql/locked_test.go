package mysql_test

import (
	"context"
	"strings"
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

// anvilWithWeight is the next version of anvil.
type anvilWithWeight struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Weight int64  `json:"weight"`
}

// attempts counts the attempts to change a table that failed.
type attempts struct{ failed chan string }

func (attempts) Begin(ctx context.Context, _ sqlstore.Statement) context.Context { return ctx }

func (a attempts) End(_ context.Context, statement sqlstore.Statement, result sqlstore.Result) {
	if result.Err != nil && strings.Contains(statement.Text, "ALTER TABLE") {
		a.failed <- statement.Text
	}
}

// Writers wait behind a statement that waits for the lock of their table.
func TestAMigrationMakesWayForWritersWhileATransactionReadsItsTable(t *testing.T) {
	t.Parallel()
	ctx, dsn := impatient(t), database(t, "innodb_lock_wait_timeout", "100")
	db := open(t, dsn)
	_ = table[anvil](t, db)
	next := open(t, dsn)
	seen := attempts{make(chan string, 100)}
	next.Observe(seen)
	var migrated sync.WaitGroup
	err := db.Transact(ctx, func(ctx context.Context) error {
		tx, _ := sqlstore.Tx(ctx)
		if n := one[int](ctx, t, tx, "SELECT COUNT(*) FROM anvils"); n != 0 {
			t.Errorf("there are %d records", n)
		}
		migrated.Go(func() {
			left, err := next.Migrate(t.Context(), sqlstore.Table[anvilWithWeight](next, sqlstore.Named("anvils")))
			if err != nil || len(left.Steps) > 0 {
				t.Errorf("%v, %v", left, err)
			}
		})
		for range 2 {
			select {
			case <-seen.failed:
			case <-time.After(30 * time.Second):
				t.Error("the migration still waits for the table")
			}
		}
		return nil
	})
	migrated.Wait()
	if err != nil {
		t.Error(err)
	}
}
