package mysql_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// watching notes the statements of a database.
type watching struct {
	mu    sync.Mutex
	lines []string
}

func (*watching) Begin(ctx context.Context, _ sqlstore.Statement) context.Context { return ctx }

func (w *watching) End(_ context.Context, statement sqlstore.Statement, result sqlstore.Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, strings.TrimSpace(statement.Operation+" "+statement.Table+" "+result.ErrorType))
}

func TestAnObserverSeesEachStatement(t *testing.T) {
	t.Parallel()
	type shelf struct {
		ID   int64  `json:"id"`
		Name string `json:"name" api:"unique"`
	}
	db := open(t, database(t))
	w := &watching{}
	db.Observe(w)
	s := table[shelf](t, db)
	insert := func(ctx context.Context, tx store.Tx[shelf]) error { return tx.Insert(ctx, &shelf{Name: "marker"}) }
	if err := s.Transact(t.Context(), insert); err != nil {
		t.Fatal(err)
	}
	if err := s.Transact(t.Context(), insert); err == nil {
		t.Fatal("a duplicate is saved")
	}
	for _, want := range []string{"BEGIN", "INSERT shelves", "COMMIT", "INSERT shelves unique", "ROLLBACK"} {
		if !slices.Contains(w.lines, want) {
			t.Errorf("%s is not among the calls %q", want, w.lines)
		}
	}
	if got := db.Stats(); got.Max < 2 || got.InUse != 0 || got.Idle < 1 {
		t.Errorf("the numbers of the pool are %+v", got)
	}
}
