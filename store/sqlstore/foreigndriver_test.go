package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/storetest"
)

// This file is a driver for a database that writes SQL as MySQL does. It runs on the engine of SQLite, which understands
// that too, and rejects what MySQL does not have. A driver for a new database needs no more than this, and no change elsewhere.

// mysqlish is the dialect.
type mysqlish struct{ sqlstore.BaseDialect }

func newMysqlish() *mysqlish {
	return &mysqlish{sqlstore.BaseDialect{
		Boolean: "TINYINT(1)", Integer: "BIGINT", Float: "DOUBLE", Text: "LONGTEXT", Blob: "LONGBLOB", Time: "CHAR(27)", Document: "MEDIUMTEXT",

		KeyText:      "VARCHAR(190)",
		TextTimes:    true,
		Identity:     "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT",
		LastIdentity: "last_insert_rowid()",
		MaxArguments: 32_766,
		Describe: "SELECT name, type, NOT `notnull`, `notnull` AND dflt_value IS NULL AND NOT (pk > 0 AND type = 'INTEGER') " +
			"FROM pragma_table_info(?)",
		ForeignKeys: "SELECT '', group_concat(`from`, ', '), CASE min(on_delete) WHEN 'NO ACTION' THEN 'restrict' WHEN 'CASCADE' THEN 'cascade' " +
			"WHEN 'SET NULL' THEN 'null' ELSE 'other' END, min(`table`) FROM pragma_foreign_key_list(?) GROUP BY id",
		Indexes: "SELECT l.name, coalesce(group_concat(i.name, ', '), ''), l.`unique` AND NOT l.partial AND count(*) = count(i.name) " +
			"FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i GROUP BY l.name " +
			"UNION ALL SELECT 'PRIMARY', group_concat(name, ', '), 1 FROM pragma_table_info(?1) WHERE pk > 0 HAVING count(*) > 0",

		NoIfNotExists: true,
	}}
}

func (*mysqlish) Name() string                { return "mysqlish" }
func (*mysqlish) Quote(name string) string    { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
func (*mysqlish) DefaultRow(id string) string { return "(" + id + ") VALUES (NULL)" }

// IsType compares with the type name in the catalog, such as bigint(20) in MySQL.
func (d *mysqlish) IsType(found, declared string) bool {
	return found == "INTEGER" && declared == "BIGINT" || d.BaseDialect.IsType(found, declared)
}

func (*mysqlish) Upsert(insert, _ string, columns []string) string {
	if len(columns) == 0 {
		return "INSERT OR IGNORE" + strings.TrimPrefix(insert, "INSERT")
	}
	return "REPLACE" + strings.TrimPrefix(insert, "INSERT")
}

func (*mysqlish) InList(value, list string) string {
	return value + " IN (SELECT value FROM json_each(" + list + "))"
}

func (*mysqlish) ElementTexts(column string) string {
	return "(SELECT CAST(value AS CHAR) AS `value` FROM json_each(CASE WHEN json_valid(" + column + ") THEN " + column + " END))"
}

func (*mysqlish) ListOf(table, condition, order string, columns []string) string {
	element := strings.Join(columns, ", ")
	if len(columns) > 1 {
		element = "json_array(" + element + ")"
	}
	return "(SELECT json_group_array(" + element + ") FROM (SELECT " + strings.Join(columns, ", ") + " FROM " + table + " WHERE " + condition + " ORDER BY " + order + "))"
}

// rejected are forms that MySQL does not support.
var rejected = []string{`"`, "RETURNING", "ON CONFLICT", "DEFAULT VALUES", "INDEX IF NOT EXISTS", "AS BIGINT", "$1", "NULLS ", "STRICT"}

// check returns an error for a statement that MySQL would reject.
func check(statement string) error {
	for _, form := range rejected {
		if strings.Contains(statement, form) {
			return fmt.Errorf("you have an error in your SQL syntax near %s in %s", form, statement)
		}
	}
	return nil
}

// runner is the common part of *sql.DB and *sql.Tx.
type runner interface {
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
}

// executor is a [sqlstore.Executor] that uses database/sql.
type executor struct{ runner }

func (e executor) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	if err := check(statement); err != nil {
		return nil, err
	}
	rows, err := e.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	return rows, rows.Err()
}

func (e executor) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if err := check(statement); err != nil {
		return 0, err
	}
	result, err := e.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// mysqlishDriver is a [sqlstore.Driver].
type mysqlishDriver struct {
	executor

	db *sql.DB
}

func (d *mysqlishDriver) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	begun, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	return mysqlishTransaction{executor{begun}, begun}, nil
}

func (*mysqlishDriver) Dialect() sqlstore.Dialect { return newMysqlish() }

func (d *mysqlishDriver) Close() error { return d.db.Close() }

// Fault reads the extended result codes of SQLite.
func (*mysqlishDriver) Fault(err error) sqlstore.Fault {
	failed, ok := errors.AsType[interface {
		error
		Code() int
	}](err)
	if !ok {
		return sqlstore.Fault{}
	}
	_, message, _ := strings.Cut(failed.Error(), " constraint failed: ")
	message, _, _ = strings.Cut(message, " (")
	columns := strings.Split(message, ", ")
	for i, column := range columns {
		columns[i] = column[strings.LastIndexByte(column, '.')+1:]
	}
	switch failed.Code() {
	case 1555, 2067, 2579:
		return sqlstore.Fault{Kind: sqlstore.UniqueFault, Constraint: strings.Join(columns, ", ")}
	case 787:
		return sqlstore.Fault{Kind: sqlstore.ForeignKeyFault}
	case 275, 3091:
		return sqlstore.Fault{Kind: sqlstore.CheckFault}
	case 5, 6, 261, 517:
		return sqlstore.Fault{Kind: sqlstore.RetryFault}
	}
	return sqlstore.Fault{}
}

// mysqlishTransaction is a [sqlstore.Transaction].
type mysqlishTransaction struct {
	executor

	tx *sql.Tx
}

func (t mysqlishTransaction) Commit(context.Context) error { return t.tx.Commit() }

func (t mysqlishTransaction) Rollback(context.Context) error {
	if err := t.tx.Rollback(); !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}

// openMysqlish opens a new database.
func openMysqlish(t *testing.T) *sqlstore.DB {
	t.Helper()
	options := url.Values{"_pragma": {"foreign_keys(1)", "journal_mode(WAL)", "busy_timeout(10000)", "synchronous(OFF)"}, "_txlock": {"immediate"}}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "test.db")+"?"+options.Encode())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return sqlstore.New(&mysqlishDriver{executor{db}, db})
}

// foreignTable returns a table that is not created yet.
func foreignTable[T any](_ *testing.T, db *sqlstore.DB) store.Store[T] { return sqlstore.Table[T](db) }

// createAndCheck creates tables twice, because existing ones must be left alone.
func createAndCheck(t *testing.T, db *sqlstore.DB, stores ...any) {
	t.Helper()
	tables := make([]sqlstore.TableDefiner, len(stores))
	for i, s := range stores {
		tables[i] = s.(sqlstore.TableDefiner)
	}
	for range 2 {
		if err := db.Create(t.Context(), tables...); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range stores {
		if err := s.(store.Checker).Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestADriverInOneFileConforms(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes as long as the conformance of SQLite, and runs the same code")
	}
	s := storetest.Suite[*sqlstore.DB]{Open: openMysqlish, Create: createAndCheck}
	s.Integers, s.Strings, s.UUIDs, s.Pairs = foreignTable, foreignTable, foreignTable, foreignTable
	s.Values, s.Constraints, s.Stamps, s.Changes, s.Log, s.Responses = foreignTable, foreignTable, foreignTable, foreignTable, foreignTable, foreignTable
	s.Queries, s.Through, s.Lists, s.Trash = foreignTable, foreignTable, foreignTable, foreignTable
	s.Deletes.Integers, s.Deletes.Strings, s.Deletes.UUIDs, s.Deletes.Pairs = foreignTable, foreignTable, foreignTable, foreignTable
	s.Run(t)
}

// undecided is a driver without a dialect.
type undecided struct{ sqlstore.Driver }

func (undecided) Dialect() sqlstore.Dialect { return nil }

func TestADriverWithoutADialectIsAnErrorOfEachTable(t *testing.T) {
	t.Parallel()
	for want, db := range map[string]*sqlstore.DB{"has no dialect": sqlstore.New(undecided{}), "is nil": {}} {
		table := sqlstore.Table[coin](db)
		_, ddl := sqlstore.DDL(table)
		for what, err := range map[string]error{"Check": table.Check(t.Context()), "Create": db.Create(t.Context(), table), "DDL": ddl} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error of %s is %v, want %s", what, err, want)
			}
		}
	}
}
