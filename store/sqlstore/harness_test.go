package sqlstore_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// open opens a new database in a file, and runs the statements.
func open(t testing.TB, statements ...string) *sqlstore.DB {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, statement := range statements {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return db
}

// made opens a new database with a table for T and records.
func made[T any](t testing.TB, records ...*T) (*sqlstore.DB, *sqlstore.Store[T]) {
	t.Helper()
	db := open(t)
	s := sqlstore.Table[T](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	insert(t, s, records...)
	return db, s
}

func insert[T any](t testing.TB, s *sqlstore.Store[T], records ...*T) {
	t.Helper()
	if err := store.Insert(t.Context(), s, records...); err != nil {
		t.Fatal(err)
	}
}

func inserting[T any](record *T) func(context.Context, store.Tx[T]) error {
	return func(ctx context.Context, tx store.Tx[T]) error { return tx.Insert(ctx, record) }
}

func updating[T any](id any, change func(*T)) func(context.Context, store.Tx[T]) error {
	return func(ctx context.Context, tx store.Tx[T]) error {
		record, err := tx.Get(ctx, id)
		if err != nil {
			return err
		}
		change(record)
		return tx.Update(ctx, id, record)
	}
}

// all returns every record.
func all[T any](t testing.TB, s *sqlstore.Store[T]) []*T {
	t.Helper()
	page, err := s.List(t.Context(), store.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

// one returns the only value that a statement returns.
func one[V any](t testing.TB, from sqlstore.Executor, statement string, args ...any) (value V) {
	t.Helper()
	rows, err := from.Query(t.Context(), statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		t.Fatalf("%s gives nothing: %v", statement, rows.Err())
	}
	if err := rows.Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// recorder is a driver that records statements, and fails when fail says so.
type recorder struct {
	sqlstore.Driver

	mu         sync.Mutex
	statements []statement
	fail       func(statement string) error // called before a statement runs; nil for never
	fault      sqlstore.Fault               // of the errors that fail returned
}

type statement struct {
	text string
	args []any
}

// recorded returns a database that does what db does, and its recorder.
func recorded(db *sqlstore.DB) (*sqlstore.DB, *recorder) {
	r := &recorder{Driver: sqlstore.DriverOf(db)}
	return sqlstore.New(r), r
}

func (r *recorder) note(text string, args []any) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements = append(r.statements, statement{text, args})
	if r.fail != nil {
		return r.fail(text)
	}
	return nil
}

// last returns the last statement with a prefix.
func (r *recorder) last(t testing.TB, begins string) statement {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range slices.Backward(r.statements) {
		if strings.HasPrefix(s.text, begins) {
			return s
		}
	}
	t.Fatalf("no statement begins with %s", begins)
	return statement{}
}

func (r *recorder) Query(ctx context.Context, text string, args ...any) (sqlstore.Rows, error) {
	if err := r.note(text, args); err != nil {
		return nil, err
	}
	return r.Driver.Query(ctx, text, args...)
}

func (r *recorder) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	if err := r.note(text, args); err != nil {
		return 0, err
	}
	return r.Driver.Exec(ctx, text, args...)
}

func (r *recorder) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	if err := r.note("BEGIN", nil); err != nil {
		return nil, err
	}
	begun, err := r.Driver.Begin(ctx)
	return &recordedTx{begun, r}, err
}

func (r *recorder) Fault(err error) sqlstore.Fault {
	if planned, ok := planOf(err); ok {
		return planned
	}
	return r.Driver.Fault(err)
}

type recordedTx struct {
	sqlstore.Transaction

	r *recorder
}

func (t *recordedTx) Query(ctx context.Context, text string, args ...any) (sqlstore.Rows, error) {
	if err := t.r.note(text, args); err != nil {
		return nil, err
	}
	return t.Transaction.Query(ctx, text, args...)
}

func (t *recordedTx) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	if err := t.r.note(text, args); err != nil {
		return 0, err
	}
	return t.Transaction.Exec(ctx, text, args...)
}

func (t *recordedTx) Commit(ctx context.Context) error {
	if err := t.r.note("COMMIT", nil); err != nil {
		return err
	}
	return t.Transaction.Commit(ctx)
}
