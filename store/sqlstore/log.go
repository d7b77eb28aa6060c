package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/trove-api/trove/store"
)

// logTable is the table of the log, shared by all stores of a database.
const logTable = "trove_log"

// entryOf makes the entry of a change; see [store.LogKeeper].
type entryOf func(ctx context.Context, change store.Change) (*store.LogEntry, error)

// logName names the changes of a table's records of one type.
type logName struct {
	table  string
	record reflect.Type
}

// Log returns the log of the database, the table trove_log. [DB.Create] creates it; for a migration, use DDL(db.Log()).
func (db *DB) Log() *Store[store.LogEntry] { return db.log }

// Log returns the log of the database: see [store.LogKeeper] and [DB.Log].
func (s *table) Log() (log store.Store[store.LogEntry], name string) { return s.db.log, s.plan().name }

// KeepLog sets the function that makes the entries of changes of the table's records: see [store.LogKeeper]. Changes by
// statements of your own ([Tx], [DB.Exec]) are not logged.
func (s *table) KeepLog(entry func(ctx context.Context, change store.Change) (*store.LogEntry, error)) {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	logs := maps.Clone(s.db.logs)
	if logs == nil {
		logs = map[logName]entryOf{}
	}
	logs[logName{s.plan().name, s.plan().typ}] = entry
	s.db.logs = logs
}

// log saves an entry for each change of the transaction that needs one.
func (t *transaction) log(ctx context.Context) error {
	if t.failed != nil {
		return nil
	}
	var entries []*store.LogEntry
	for table, change := range t.changes.Each() {
		name, _ := table.(string)
		if entry := t.changes.logs[logName{name, reflect.TypeOf(change.Record()).Elem()}]; entry != nil {
			made, err := entry(ctx, change)
			if err != nil {
				return err
			}
			if made != nil {
				entries = append(entries, made)
			}
		}
	}
	p := t.db.log.plan()
	for part := range slices.Chunk(entries, logged) {
		if err := p.insertAll(ctx, t, part); err != nil {
			return err
		}
	}
	return nil
}

// logged is the maximum number of entries in one statement.
const logged = 100

// insertAll adds entries to the log with one statement. The database generates their identifiers.
func (p *plan) insertAll(ctx context.Context, t *transaction, entries []*store.LogEntry) error {
	columns, rows := slices.DeleteFunc(slices.Clone(p.own), p.isID), make([][]any, len(entries))
	for i, entry := range entries {
		record := reflect.ValueOf(entry)
		if err := p.records.Normalize(record); err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
		for _, c := range columns {
			value, err := c.valueIn(record.Elem())
			if err != nil {
				return err
			}
			rows[i] = append(rows[i], value)
		}
	}
	b := new(builder)
	statement, args := p.dialect.statement(b, p.dialect.insertInto(b, p.quoted, columns, rows...))
	_, err := t.Exec(ctx, statement, args...)
	return err
}
