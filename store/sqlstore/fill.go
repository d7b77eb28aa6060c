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

// Fill saves what a database begins with, such as a demo or what a test needs, all or nothing, if no one of the tables has a
// record yet; else it changes nothing. The document is a JSON object with a list of records for each of the tables by its name,
// any of them left out; a record has the members that its struct's json tags name, hidden ones too. Tables are filled in the
// order that they are given in: those that others refer to first. Rules and hooks are not asked. A member that no table or struct
// has is an error, as is what [store.Tx].Insert refuses. Of several programs that fill a database at once one does.
func (db *DB) Fill(ctx context.Context, document []byte, tables ...TableDefiner) error {
	if err := db.ready(); err != nil {
		return err
	}
	records, err := recordsOf(document, tables)
	if err != nil {
		return fmt.Errorf("sqlstore: cannot fill the database: %w", err)
	}
	return db.transact(ctx, func(ctx context.Context, t *transaction) error {
		if hasRecords, err := t.lockAny(ctx, tables); err != nil || hasRecords {
			return err
		}
		for i, table := range tables {
			if records[i] == nil {
				continue
			}
			if err := table.(ownTable).fill(ctx, t, records[i]); err != nil {
				return fmt.Errorf("sqlstore: cannot fill %s: %w", table.(ownTable).tablePlan().name, err)
			}
		}
		return nil
	})
}

// recordsOf returns the records of each table as JSON, nil where there are none.
func recordsOf(document []byte, tables []TableDefiner) ([]jsontext.Value, error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(document, &members); err != nil {
		return nil, err
	}
	records, known := make([]jsontext.Value, len(tables)), make([]string, len(tables))
	for i, table := range tables {
		own, ok := table.(ownTable)
		if !ok {
			return nil, fmt.Errorf("a %T is not made by sqlstore.Table", table)
		}
		if err := own.tablePlan().err; err != nil {
			return nil, err
		}
		known[i] = own.tablePlan().name
		records[i] = members[known[i]]
	}
	for name := range members {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("the member %q is none of the tables %s", name, strings.Join(known, ", "))
		}
	}
	return records, nil
}

// lockAny reports whether one of the tables has a record, and keeps other transactions from adding the first ones.
func (t *transaction) lockAny(ctx context.Context, tables []TableDefiner) (bool, error) {
	for _, table := range tables {
		name := table.(ownTable).tablePlan().quoted
		if t.db.dialect.facts.RowLocks { // else the transaction has locked the database
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
	for i, record := range records.Elem().Seq2() {
		if record.IsNil() {
			return fmt.Errorf("record %d is null", i.Int())
		}
	}
	tx := tx{store: s, t: t}
	for _, record := range records.Elem().Seq2() {
		if err := tx.Insert(ctx, record.Interface(), true); err != nil {
			return err
		}
	}
	return nil
}
