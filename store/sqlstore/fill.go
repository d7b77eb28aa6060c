package sqlstore

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Fill inserts the initial records of a database, such as a demo or test data, all or none. It does so only if none of
// the tables has a record; otherwise it changes nothing.
//
// The document is a JSON object with a list of records per table name; tables may be left out. A record has the JSON
// fields of its struct, including hidden ones. Tables are filled in the given order, so pass referenced tables first.
// Access rules and hooks do not run. Unknown tables and fields are errors, as are records that [store.Tx].Insert
// rejects. If several programs fill a database at once, one of them does.
func (db *DB) Fill(ctx context.Context, document []byte, tables ...TableDefiner) error {
	if err := db.ready(); err != nil {
		return err
	}
	records, err := recordsOf(document, tables)
	if err != nil {
		return fmt.Errorf("sqlstore: cannot fill the database: %w", err)
	}
	return db.transact(ctx, "", func(ctx context.Context, t *transaction) error {
		if hasRecords, err := t.lockAny(ctx, tables); err != nil || hasRecords {
			return err
		}
		for i, table := range tables {
			if records[i] == nil {
				continue
			}
			if err := table.own().fill(ctx, t, records[i]); err != nil {
				return fmt.Errorf("sqlstore: cannot fill %s: %w", table.own().plan().name, err)
			}
		}
		return nil
	})
}

// recordsOf returns the records of each table as JSON, nil for tables without records.
func recordsOf(document []byte, tables []TableDefiner) ([]jsontext.Value, error) {
	var fields map[string]jsontext.Value
	if err := json.Unmarshal(document, &fields); err != nil {
		return nil, err
	}
	records, names := make([]jsontext.Value, len(tables)), make([]string, len(tables))
	for i, table := range tables {
		p := table.own().plan()
		if p.err != nil {
			return nil, p.err
		}
		names[i], records[i] = p.name, fields[p.name]
	}
	for name := range fields {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("unknown table %q; the tables are %s", name, strings.Join(names, ", "))
		}
	}
	return records, nil
}

// lockAny reports whether one of the tables has a record, and keeps other transactions from inserting the first ones.
func (t *transaction) lockAny(ctx context.Context, tables []TableDefiner) (bool, error) {
	for _, table := range tables {
		name := table.own().plan().quoted
		if t.db.dialect.facts.RowLocks { // otherwise the transaction has locked the database
			if _, err := t.Exec(ctx, t.db.dialect.LockTable(name)); err != nil {
				return false, err
			}
		}
		if has, err := t.db.first(ctx, t, "SELECT 1 FROM "+name+" LIMIT 1", nil); err != nil || has {
			return has, err
		}
	}
	return false, nil
}

// fill saves the records of a JSON array.
func (s *table) fill(ctx context.Context, t *transaction, list []byte) error {
	records := reflect.New(reflect.SliceOf(reflect.PointerTo(s.plan().typ)))
	if err := json.Unmarshal(list, records.Interface(), json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	tx := tx{store: s, t: t}
	for i, record := range records.Elem().Seq2() {
		if record.IsNil() {
			return fmt.Errorf("record %d is null", i.Int())
		}
		if err := tx.Insert(ctx, record.Interface(), true); err != nil {
			return err
		}
	}
	return nil
}
