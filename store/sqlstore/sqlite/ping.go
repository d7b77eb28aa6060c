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

// namedFile is a file of a database when it was opened.
type namedFile struct {
	path, name string
	info       fs.FileInfo // nil if it could not be found by its path
}

// filesOf returns the files of a connection: the database and its write-ahead log.
func filesOf(ctx context.Context, conn *sql.Conn) ([]namedFile, error) {
	var path string
	err := conn.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&path)
	files := []namedFile{{path: path, name: "database file"}, {path: path + "-wal", name: "write-ahead log"}}
	for i := range files {
		if path != "" {
			files[i].info, _ = os.Stat(files[i].path) // with a URI, SQLite may open it in another way, or have no log
		}
	}
	return files, err
}

// check returns an error if the path does not lead to the opened file any more. Its connections would go on without an
// error, but nothing that they write is found after a restart.
func (f namedFile) check() error {
	if f.info == nil {
		return nil
	}
	now, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the %s was deleted or moved: %w", f.name, store.ErrUnavailable)
	case err != nil:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	case !os.SameFile(f.info, now):
		return fmt.Errorf("the %s was replaced by another file: %w", f.name, store.ErrUnavailable)
	}
	return nil
}

// PingWrites returns an error if nothing can be written at the moment: the file is read-only, deleted or replaced.
func (d *driver) PingWrites(ctx context.Context) error {
	w := d.writer
	for _, file := range w.files {
		if err := file.check(); err != nil {
			return err
		}
	}
	if !w.takeFree() {
		return nil
	}
	defer func() { <-w.lock }()
	// BEGIN alone works with a read-only file.
	_, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE; PRAGMA user_version = 1")
	_ = w.rollback() // also after an error, because a cancelled BEGIN may have succeeded
	if faultOf(err).Kind == sqlstore.RetryFault {
		return nil // another program is writing
	}
	return err
}

// ProbeWrites writes 1 MiB into a table of its own, and drops the table. An overwritten page would fit on a full disk,
// and so would a change that is rolled back. While a transaction is open, ProbeWrites returns an error.
func (d *driver) ProbeWrites(ctx context.Context) error {
	w := d.writer
	if !w.takeFree() {
		return fmt.Errorf("a transaction is open: %w", store.ErrUnavailable)
	}
	defer func() { <-w.lock }()
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
