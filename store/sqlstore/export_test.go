package sqlstore

import (
	"context"
	"reflect"
)

// DriverOf returns the driver of a database, for a wrapper.
func DriverOf(db *DB) Driver { return db.driver }

// TableOf returns the table of a struct type.
func TableOf(db *DB, t reflect.Type, options ...Option) interface {
	TableDefiner
	Check(ctx context.Context) error
} {
	s := &table{db: db, options: options}
	s.current.Store(newPlan(db, t, options))
	return s
}

// Rebind replaces the question marks of a statement with numbered placeholders.
var Rebind = rebind

// StatementOf returns what observers see of a statement.
var StatementOf = statementOf
