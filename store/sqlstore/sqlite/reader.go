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

// reader has the connections that read, with their prepared statements.
type reader struct {
	db *sql.DB

	mu         sync.RWMutex
	statements map[string]*sql.Stmt
}

// maxStatements is how many statements stay prepared. Others are prepared each time, so that clients cannot fill the
// memory by combining parameters.
const maxStatements = 400

// query runs a statement, prepared if there is room for it.
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

// rowsOf returns a nil interface for a nil *sql.Rows.
func rowsOf(rows *sql.Rows, err error) (sqlstore.Rows, error) {
	if failed, ok := errors.AsType[*sqlite.Error](err); ok && failed.Code() == code.SQLITE_READONLY {
		return nil, fmt.Errorf("a query outside of a transaction cannot write, use Exec: %v", err) //nolint:errorlint // a read-only file is a different error
	}
	if err != nil {
		return nil, err
	}
	return rows, rows.Err()
}

// prepare returns a prepared statement, nil if the cache is full.
func (r *reader) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	r.mu.RLock()
	found, isFull := r.statements[text], len(r.statements) >= maxStatements
	r.mu.RUnlock()
	if found != nil || isFull {
		return found, nil
	}
	prepared, err := r.db.PrepareContext(ctx, planned(text))
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if found := r.statements[text]; found != nil { // another goroutine was faster
		return found, prepared.Close()
	}
	r.statements[text] = prepared
	return prepared, nil
}

// planned returns a statement that SQLite need not plan again. SQLite considers the number after LIMIT when it plans,
// and plans a prepared statement again whenever the number is bound, which is a tenth of the cost of a page. With a
// plus sign, which has no effect, it does not.
func planned(text string) string {
	for _, end := range []string{" LIMIT ?", " LIMIT ? OFFSET ?"} {
		if before, ok := strings.CutSuffix(text, end); ok { // at the end of a statement it cannot be part of a string
			return before + strings.Replace(end, "?", "+?", 1)
		}
	}
	return text
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
