package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"

	"modernc.org/sqlite"
	code "modernc.org/sqlite/lib"

	"github.com/trove-api/trove/store/sqlstore"
)

// reader is the connections that read, with the statements that are prepared on them.
type reader struct {
	db *sql.DB

	mu         sync.RWMutex
	statements map[string]*sql.Stmt
}

// maxStatements is how many statements stay prepared. Those beyond are prepared each
// time, so that clients who combine parameters fill no memory.
const maxStatements = 400

func newReader(db *sql.DB) *reader { return &reader{db: db, statements: map[string]*sql.Stmt{}} }

// query runs a statement that returns rows.
func (r *reader) query(ctx context.Context, text string, args []any) (sqlstore.Rows, error) {
	prepared, err := r.prepare(ctx, text)
	switch {
	case err != nil:
		return nil, err
	case prepared == nil:
		return rowsOf(r.db.QueryContext(ctx, text, args...))
	}
	return rowsOf(prepared.QueryContext(ctx, args...))
}

// rowsOf keeps a nil *sql.Rows from being one that is not nil.
func rowsOf(rows *sql.Rows, err error) (sqlstore.Rows, error) {
	if failed, ok := errors.AsType[*sqlite.Error](err); ok && failed.Code() == code.SQLITE_READONLY {
		return nil, fmt.Errorf("a query outside of a transaction cannot write, use Exec: %v", err) //nolint:errorlint // the file can be written to
	}
	if err != nil {
		return nil, err
	}
	return rows, rows.Err()
}

// prepare returns a prepared statement, nil where there are enough.
func (r *reader) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	found, full := r.prepared(text)
	if found != nil || full {
		return found, nil
	}
	made, err := r.db.PrepareContext(ctx, planned(text))
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if found := r.statements[text]; found != nil { // another was faster
		return found, made.Close()
	}
	r.statements[text] = made
	return made, nil
}

// planned returns a statement that stays planned. SQLite looks at the number behind LIMIT when it plans, and
// plans a prepared statement anew whenever that is bound, which is a tenth of what a page costs; with a
// sign, which changes nothing, it does not look.
func planned(text string) string {
	for _, end := range []string{" LIMIT ?", " LIMIT ? OFFSET ?"} {
		if before, ok := strings.CutSuffix(text, end); ok { // at its end it is in no string
			return before + strings.Replace(end, "?", "+?", 1)
		}
	}
	return text
}

func (r *reader) prepared(text string) (found *sql.Stmt, full bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.statements[text], len(r.statements) >= maxStatements
}

func (r *reader) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, prepared := range r.statements {
		errs = append(errs, prepared.Close())
	}
	clear(r.statements)
	return errors.Join(append(errs, r.db.Close())...)
}
