package sqlite_test

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// hasty opens a database whose writers wait for 20 milliseconds.
func hasty(t *testing.T, file string) *sqlstore.Store[note] {
	t.Helper()
	db := open(t, "file:"+(&url.URL{Path: file}).EscapedPath()+"?_pragma=busy_timeout(20)")
	s := sqlstore.Table[note](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNoWriterWaitsWithoutALimit(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.db")
	one, other := hasty(t, file), hasty(t, file)
	writing := func(ctx context.Context, tx store.Tx[note]) error { return tx.Insert(ctx, &note{Text: "waited"}) }
	for name, waiter := range map[string]*sqlstore.Store[note]{"in line": one, "for another program": other} {
		runs := 0
		err := one.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error {
			if err := tx.Insert(ctx, &note{Text: name}); err != nil {
				return err
			}
			waited := waiter.Transact(t.Context(), func(ctx context.Context, tx store.Tx[note]) error {
				runs++
				return writing(ctx, tx)
			})
			if !errors.Is(waited, store.ErrUnavailable) || runs != 0 {
				t.Errorf("%s: after %d runs: %v", name, runs, waited)
			}
			if waiter == one && (waited == nil || !strings.Contains(waited.Error(), "the context of its function")) {
				t.Errorf("%s: the error does not mention the context: %v", name, waited)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: the transaction that held the lock: %v", name, err)
		}
		if err := waiter.Transact(t.Context(), writing); err != nil {
			t.Errorf("%s: the next transaction: %v", name, err)
		}
	}
	if found := texts(t, one); len(found) != 4 {
		t.Errorf("saved: %q", found)
	}
}
