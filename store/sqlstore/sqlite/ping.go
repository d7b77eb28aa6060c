package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// databaseFile is the file of a database when it was opened.
type databaseFile struct {
	path string
	info fs.FileInfo // nil if it cannot be found by its path
}

// fileOf returns the file of a connection.
func fileOf(ctx context.Context, conn *sql.Conn) (found databaseFile, err error) {
	err = conn.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&found.path)
	if err == nil && found.path != "" {
		found.info, _ = os.Stat(found.path) // with a URI, SQLite may open it in another way
	}
	return found, err
}

// check returns an error if the path does not lead to the opened file any more. Its connections would go on without an
// error, but nothing that they write is found after a restart.
func (f databaseFile) check() error {
	if f.info == nil {
		return nil
	}
	now, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the database file was deleted or moved: %w", store.ErrUnavailable)
	case err != nil:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	case !os.SameFile(f.info, now):
		return fmt.Errorf("the database file was replaced by another one: %w", store.ErrUnavailable)
	}
	return nil
}

// ping returns an error if nothing can be written at the moment.
func (w *writer) ping(ctx context.Context) error {
	if err := w.file.check(); err != nil {
		return err
	}
	select {
	case w.turn <- struct{}{}:
		defer func() { <-w.turn }()
	default:
		return nil
	}
	_, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE")
	_ = w.rollback() // also after an error, because a cancelled BEGIN may have succeeded
	if faultOf(err).Kind == sqlstore.RetryFault {
		return nil // another program is writing
	}
	return err
}

// probe writes 1 MiB into a table of its own, and drops the table. An overwritten page would fit on a full disk, and so
// would a change that is rolled back. While a transaction is open, probe returns an error.
func (w *writer) probe(ctx context.Context) error {
	select {
	case w.turn <- struct{}{}:
		defer func() { <-w.turn }()
	default:
		return fmt.Errorf("a transaction is open: %w", store.ErrUnavailable)
	}
	for _, statement := range []string{
		"BEGIN IMMEDIATE",
		"DROP TABLE IF EXISTS trove_probe", // of a program that ended meanwhile
		"CREATE TABLE trove_probe (content BLOB)",
		"INSERT INTO trove_probe VALUES (zeroblob(1048576))",
		"COMMIT",
		"DROP TABLE trove_probe",
	} {
		if _, err := w.conn.ExecContext(ctx, statement); err != nil {
			_ = w.rollback() // of nothing, or of a BEGIN that may have succeeded
			return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
		}
	}
	return nil
}
