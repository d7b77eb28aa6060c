package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// database is a database that is open twice: for Trove, and for what is written by hand.
type database struct {
	db *sqlstore.DB
	// read runs a statement and scans all its rows.
	read func(ctx context.Context, statement string, args ...any) error
	// run runs a statement.
	run func(ctx context.Context, statement string) error
	// fill inserts rows 1 to n.
	fill func(ctx context.Context, table string, columns []string, n int, row func(i int) []any) error
	// time returns a time as the column stores it.
	time func(time.Time) any
	// settle has the statements that follow a large change.
	settle []string
	close  func() error
	// rebind replaces question marks.
	rebind func(statement string) string
}

func open(ctx context.Context, name, folder string) (*database, error) {
	switch name {
	case "postgres":
		return onPostgres(ctx, os.Getenv("TROVE_TEST_POSTGRES"))
	case "sqlite":
		return onSQLite(filepath.Join(folder, "scale.db"))
	}
	return nil, fmt.Errorf("-database: %q is neither postgres nor sqlite", name)
}

func onPostgres(ctx context.Context, dsn string) (*database, error) {
	own, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	db, err := postgres.Open(ctx, dsn)
	if err != nil {
		own.Close()
		return nil, err
	}
	return &database{
		db: db, rebind: db.Rebind,
		read: func(ctx context.Context, statement string, args ...any) error {
			rows, err := own.Query(ctx, statement, args...)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				if _, err := rows.Values(); err != nil {
					return err
				}
			}
			return rows.Err()
		},
		run: func(ctx context.Context, statement string) error {
			_, err := own.Exec(ctx, statement)
			return err
		},
		fill: func(ctx context.Context, table string, columns []string, n int, row func(i int) []any) error {
			from := pgx.CopyFromSlice(n, func(i int) ([]any, error) { return row(i + 1), nil })
			_, err := own.CopyFrom(ctx, pgx.Identifier{table}, columns, from)
			return err
		},
		time: func(at time.Time) any { return at },
		settle: []string{
			"SELECT setval(pg_get_serial_sequence('items', 'id'), (SELECT max(id) FROM items))", "VACUUM ANALYZE accounts", "VACUUM ANALYZE items",
			"CHECKPOINT",
		},
		close: func() error { own.Close(); return db.Close() },
	}, nil
}

func onSQLite(path string) (*database, error) {
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	own, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=cache_size(-65536)")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	own.SetMaxOpenConns(1)
	run := func(ctx context.Context, statement string, args ...any) error {
		_, err := own.ExecContext(ctx, statement, args...)
		return err
	}
	return &database{
		db: db, rebind: db.Rebind,
		read: func(ctx context.Context, statement string, args ...any) error {
			return readAll(ctx, own, statement, args)
		},
		run: func(ctx context.Context, statement string) error { return run(ctx, statement) },
		fill: func(ctx context.Context, table string, columns []string, n int, row func(i int) []any) error {
			return insert(ctx, own, table, columns, n, row)
		},
		time:   func(at time.Time) any { return at.Format("2006-01-02T15:04:05.000000Z") },
		settle: []string{"ANALYZE"},
		close:  func() error { return errors.Join(own.Close(), db.Close()) },
	}, nil
}

// readAll scans all rows of a statement.
func readAll(ctx context.Context, db *sql.DB, statement string, args []any) error {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// insert inserts rows a hundred at a time.
func insert(ctx context.Context, db *sql.DB, table string, columns []string, n int, row func(i int) []any) error {
	const most = 100
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	one := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	for done := 0; done < n; {
		count := min(most, n-done)
		args := make([]any, 0, count*len(columns))
		for i := range count {
			args = append(args, row(done+i+1)...)
		}
		//nolint:gosec // the names are those of this program
		statement := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES " + one + strings.Repeat(", "+one, count-1)
		if _, err := tx.ExecContext(ctx, statement, args...); err != nil {
			return err
		}
		done += count
	}
	return tx.Commit()
}
