package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/store"
)

// responsesTable is the table of stored responses, shared by all stores of a database.
const responsesTable = "trove_responses"

// responseRow is a row of responsesTable.
type responseRow struct {
	Key     string    `json:"key" api:"id"`
	Request []byte    `json:"request"`
	Content []byte    `json:"content"`
	Expires time.Time `json:"expires" api:"filter=range"`
}

// Responses returns the definition of the table trove_responses, which stores the responses to requests with an
// Idempotency-Key. [DB.Create] creates it; for a migration, use DDL(db.Responses()).
func (db *DB) Responses() TableDefiner { return db.responses.table }

// CheckResponses returns an error if the table trove_responses is missing or has a different form. resource.New calls it
// if an operation sets Idempotency.
func (s *table) CheckResponses(ctx context.Context) error {
	if err := s.plan().err; err != nil {
		return err
	}
	if err := errors.Join(s.db.responses.table.Check(ctx), s.db.responses.table.CheckInserts(ctx)); err != nil {
		return fmt.Errorf("sqlstore: Idempotency needs the table %s: "+
			"create it with db.Create, or with a migration from sqlstore.DDL(db.Responses()): %w", responsesTable, err)
	}
	return nil
}

// Response returns the response stored for a key, and locks the key.
func (t *tx) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	return t.store.db.responses.find(ctx, t.t, key, time.Now())
}

// KeepResponse stores a response.
func (t *tx) KeepResponse(ctx context.Context, key string, given store.StoredResponse) error {
	responses := t.store.db.responses
	_, err := responses.write(ctx, t.t, responses.replace, responseRow{key, given.Request, given.Content, given.Expires})
	return err
}

// responseTable stores the responses of a database.
type responseTable struct {
	table  *Store[responseRow]
	stored atomic.Int64 // the number of transactions that stored responses

	// These statements insert a response,
	insertNew string // unless the key has one
	lock      string // or lock the existing one
	replace   string // or replace the existing one

	// removeOld deletes some responses that expired before a time, the oldest first. It skips locked ones, so that it waits
	// for no other transaction.
	removeOld string
}

func newResponseTable(db *DB) *responseTable {
	r := &responseTable{table: Table[responseRow](db, Named(responsesTable), func(s *settings) { s.nilIsEmpty = true })}
	p := r.table.plan()
	if p.err != nil {
		return r
	}
	d, key, expires := p.dialect, p.ids[0].quoted, p.byName["expires"].value.quoted
	statement := d.insert(p.quoted, p.columns)
	r.insertNew = d.Upsert(statement, key, nil)
	r.lock = d.Upsert(statement, key, []string{key})
	r.replace = d.Upsert(statement, key, names(slices.DeleteFunc(slices.Clone(p.columns), p.isID)))
	r.removeOld = "DELETE FROM " + p.quoted + " WHERE " + d.InFree(key, d.text(func(b *builder) string {
		return "SELECT " + key + " FROM " + p.quoted + " WHERE " + expires + " <= " + b.value(nil) + " ORDER BY " + expires + " LIMIT " + strconv.Itoa(swept)
	}))
	return r
}

// find returns the response stored for a key, or [store.ErrNotFound].
//
// If transactions lock rows, there must be a row to lock before there is a response. So find inserts an empty, expired
// row. Another transaction with the same key waits there until this one ends, and then gets the response or runs again.
// An old, expired response is locked in a second step. A response that has not expired never changes, so it is read
// without a lock.
func (r *responseTable) find(ctx context.Context, t *transaction, key string, now time.Time) (store.StoredResponse, error) {
	locks := t.db.dialect.facts.RowLocks
	if locks {
		switch inserted, err := r.write(ctx, t, r.insertNew, responseRow{Key: key}); {
		case err != nil:
			return store.StoredResponse{}, err
		case inserted:
			return store.StoredResponse{}, store.ErrNotFound
		}
	}
	found, err := r.read(ctx, t, key)
	if locks && (errors.Is(err, store.ErrNotFound) || err == nil && !now.Before(found.Expires)) {
		if _, err = r.write(ctx, t, r.lock, responseRow{Key: key}); err == nil {
			found, err = r.read(ctx, t, key)
		}
	}
	switch {
	case err != nil:
		return store.StoredResponse{}, err
	case !now.Before(found.Expires):
		return store.StoredResponse{}, store.ErrNotFound
	}
	return store.StoredResponse{Request: found.Request, Content: found.Content, Expires: found.Expires}, nil
}

// read returns the current response, or [store.ErrNotFound].
func (r *responseTable) read(ctx context.Context, t *transaction, key string) (*responseRow, error) {
	p := r.table.plan()
	record, err := p.one(ctx, t, p.statements.get, key)
	row, _ := record.(*responseRow)
	return row, err
}

// write runs a statement that writes a response, and reports whether it changed a row.
func (r *responseTable) write(ctx context.Context, t *transaction, statement string, given responseRow) (bool, error) {
	values, err := r.table.plan().values(reflect.ValueOf(&given).Elem())
	if err != nil {
		return false, err
	}
	n, err := t.Exec(ctx, statement, values...)
	t.responded = t.responded || n > 0
	return n > 0, err
}

const (
	// sweepEvery is how many transactions store responses between two deletes of expired ones.
	sweepEvery = 50
	// swept is the maximum number of deleted rows, more than are stored between two deletes, so that the table shrinks.
	swept = 4 * sweepEvery
)

// sweep deletes some expired responses in a separate transaction, so that no request fails because of it. If it fails,
// the next one does its work. The first transaction of a program also sweeps, because some programs do not run for
// long.
func (r *responseTable) sweep(ctx context.Context) {
	if r.stored.Add(1)%sweepEvery != 1 {
		return
	}
	now, err := r.table.plan().byName["expires"].value.bind(reflect.ValueOf(time.Now()))
	if err == nil {
		_, _ = r.table.db.runs.Exec(ctx, r.removeOld, now)
	}
}
