package relations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// database is a database with its tables, and the service written by hand that uses them.
type database struct {
	db    *sqlstore.DB
	hand  http.Handler
	close func() error
}

// onSQLite creates a database in a folder, and opens it a second time with database/sql.
func onSQLite(ctx context.Context, dir string) (*database, error) {
	path := filepath.Join(dir, "relations.db")
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	own, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	own.SetMaxOpenConns(1)
	prepared := map[string]*sql.Stmt{}
	read := func(ctx context.Context, statement string, row func(scan func(...any) error) error) error {
		if prepared[statement] == nil {
			made, err := own.PrepareContext(ctx, statement)
			if err != nil {
				return err
			}
			prepared[statement] = made
		}
		rows, err := prepared[statement].QueryContext(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			if err := row(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	}
	hand := byHand(read, func(into *time.Time) any { return (*textTime)(into) })
	return &database{db, hand, func() error { return errors.Join(own.Close(), db.Close()) }}, ctx.Err()
}

// textTime is a time in a column of text.
type textTime time.Time

// Scan implements sql.Scanner.
func (t *textTime) Scan(from any) error {
	text, _ := from.(string)
	at, err := time.Parse(time.RFC3339Nano, text)
	*t = textTime(at)
	return err
}

// onPostgres creates the tables in a schema of their own, and a connection pool next to Trove's.
func onPostgres(ctx context.Context, dsn string) (*database, error) {
	own, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return nil, err
	}
	for _, table := range []string{"treasures_tags", "treasures", "users", "tags"} {
		if _, err := own.Exec(ctx, fmt.Sprintf("DROP TABLE IF EXISTS %q", table)); err != nil {
			own.Close()
			return nil, err
		}
	}
	db, err := postgres.Open(ctx, dsn)
	if err != nil {
		own.Close()
		return nil, err
	}
	read := func(ctx context.Context, statement string, row func(scan func(...any) error) error) error {
		rows, err := own.Query(ctx, statement)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := row(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	}
	hand := byHand(read, func(into *time.Time) any { return into })
	return &database{db, hand, func() error { own.Close(); return db.Close() }}, nil
}
