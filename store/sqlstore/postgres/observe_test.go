package postgres_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

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

// began returns the type of the transactions of a database.
func began(t *testing.T, db *sqlstore.DB) (found reflect.Type) {
	t.Helper()
	err := db.Transact(t.Context(), func(ctx context.Context) error {
		executor, _ := sqlstore.Tx(ctx)
		found = reflect.ValueOf(executor).Elem().FieldByName("Transaction").Elem().Type()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAnObservedTransactionHasTheMethodsOfTheDriver(t *testing.T) {
	t.Parallel()
	db := open(t, schema(t))
	plain := began(t, db)
	db.Observe(&watching{})
	watched := began(t, db)
	for method := range plain.Methods() {
		if _, ok := watched.MethodByName(method.Name); !ok {
			t.Errorf("%s hides the method %s of %s", watched, method.Name, plain)
		}
	}
	if plain == watched {
		t.Error("the transaction is not observed")
	}
}

func TestAnObserverSeesEachStatement(t *testing.T) {
	t.Parallel()
	db := open(t, schema(t))
	w := &watching{}
	db.Observe(w)
	s := table[counter](t, db)
	name := "marker"
	w.lines = nil
	if err := s.Transact(t.Context(), inserting(&counter{Name: &name})); err != nil {
		t.Fatal(err)
	}
	if err := s.Transact(t.Context(), inserting(&counter{Name: &name})); err == nil {
		t.Fatal("a duplicate is saved")
	}
	if _, err := s.Get(t.Context(), int64(1)); err != nil {
		t.Fatal(err)
	}
	lines := slices.Compact(w.lines)
	want := []string{"BEGIN", "INSERT counters", "COMMIT", "BEGIN", "INSERT counters unique"}
	if len(lines) < len(want)+2 || !slices.Equal(lines[:len(want)], want) || lines[len(lines)-1] != "SELECT counters" {
		t.Errorf("the calls are %q, want %q, a rollback and SELECT", lines, want)
	}
	if got := db.Stats(); got.Max < 2 || got.InUse != 0 || got.Idle < 1 {
		t.Errorf("the numbers of the pool are %+v", got)
	}
}
