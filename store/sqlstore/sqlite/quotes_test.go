package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// user is a note with additional indexed fields.
type user struct {
	ID    int64  `json:"id"`
	Text  string `json:"text"`
	Email string `json:"email" api:"filter,sort"`
}

func users(db *sqlstore.DB) *sqlstore.Store[user] {
	return sqlstore.Table[user](db, sqlstore.Named("users"))
}

// usersFile returns a file with a table users without the column email, with two rows. It runs the statements on a
// connection that reads unknown names in double quotes as strings.
func usersFile(t *testing.T, statements ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "users.db")
	plainly(t, file, append([]string{
		`CREATE TABLE users (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL) STRICT`,
		`INSERT INTO users (text) VALUES ('a'), ('b')`,
	}, statements...)...)
	return file
}

// plainly runs statements on a connection with the driver's defaults.
func plainly(t *testing.T, file string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAnIndexIsNotCreatedBeforeItsColumn(t *testing.T) {
	t.Parallel()
	db := open(t, usersFile(t))
	want := "sqlstore: the table users has no column email TEXT for email: call db.Migrate, or run ALTER TABLE \"users\" ADD COLUMN \"email\" TEXT NOT NULL DEFAULT ''"
	for _, call := range []func() error{
		func() error { return db.Create(t.Context(), users(db)) },
		func() error { return users(db).Check(t.Context()) },
	} {
		if err := call(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := db.Exec(t.Context(), `ALTER TABLE users ADD COLUMN email TEXT NOT NULL DEFAULT ''`); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Create(t.Context(), users(db)), users(db).Check(t.Context())); err != nil {
		t.Errorf("once the column is there: %v", err)
	}
	isSound(t, db)
}

// isSound checks that a filter finds the rows of usersFile and that an update changes one.
func isSound(t *testing.T, db *sqlstore.DB) {
	t.Helper()
	page, err := users(db).List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"email"}, Operator: store.Equal, Values: []any{""}}}})
	if err != nil || len(page.Items) != 2 {
		t.Errorf("the filter finds %d of 2 records: %v", len(page.Items), err)
	}
	if _, err := db.Exec(t.Context(), `UPDATE users SET email = 'c' WHERE id = 1`); err != nil {
		t.Errorf("an update: %v", err)
	}
}

func TestMigrationsDoNotCreateAnIndexBeforeItsColumn(t *testing.T) {
	t.Parallel()
	file := usersFile(t)
	ddl, err := sqlstore.DDL(users(open(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	tool, err := sql.Open("sqlite", "file:"+file) // reads unknown names in double quotes as strings
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tool.Close() }()
	if _, err := tool.ExecContext(t.Context(), ddl); err == nil || !strings.Contains(err.Error(), "no such column: email") {
		t.Errorf("an index on a missing column: %v", err)
	}
	if _, err := tool.ExecContext(t.Context(), "ALTER TABLE users ADD COLUMN email TEXT NOT NULL DEFAULT ''; "+ddl); err != nil {
		t.Errorf("once the column is there: %v", err)
	}
	isSound(t, open(t, file))
}

func TestAMissingColumnIsNeverAString(t *testing.T) {
	t.Parallel()
	db := open(t, usersFile(t))
	if rows, err := db.Query(t.Context(), `SELECT "email" FROM users`); err == nil {
		t.Errorf("a query outside of transactions: no error (%v)", rows.Close())
	}
	for _, statement := range []string{`UPDATE users SET text = "email"`, `CREATE INDEX early ON users ("email")`} {
		if _, err := db.Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "no such column") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	// A column that another program drops is an error too, and not its name in each record.
	s := table[note](t, filepath.Join(t.TempDir(), "notes.db")).(*sqlstore.Store[note]) //nolint:forcetypeassert // table makes one
	if _, err := s.List(t.Context(), store.Query{}); err != nil {
		t.Fatal(err)
	}
	err := s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[note]) error {
		executor, _ := sqlstore.Tx(ctx)
		_, err := executor.Exec(ctx, `ALTER TABLE notes DROP COLUMN text`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if page, err := s.List(t.Context(), store.Query{}); err == nil {
		t.Errorf("%d records without a column", len(page.Items))
	}
}

func TestADSNWithAMistakeInDQSIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := sqlite.Open("file:" + filepath.Join(t.TempDir(), "a.db") + "?_dqs=perhaps"); err == nil || !strings.Contains(err.Error(), "_dqs") {
		t.Errorf("%v", err)
	}
}
