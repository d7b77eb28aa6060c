package sqlite

import (
	"context"
	"errors"
	"os"

	"github.com/huandu/go-sqlbuilder"

	"github.com/trove-api/trove/store/sqlstore"
)

// driver is a [sqlstore.Driver]. It is safe for use by many goroutines.
type driver struct {
	reader *reader
	writer *writer
	folder string // to be removed in the end; "" for none
}

// Query runs a statement on a connection that only reads.
func (d *driver) Query(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	return d.reader.query(ctx, statement, args)
}

// Exec runs a statement in a transaction of its own.
func (d *driver) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	begun, err := d.writer.begin(ctx)
	if err != nil {
		return 0, err
	}
	changed, err := begun.Exec(ctx, statement, args...)
	if err == nil {
		err = begun.Commit(ctx)
	}
	return changed, errors.Join(err, begun.Rollback(ctx))
}

// Begin waits for the transactions before it, and locks out those after it.
func (d *driver) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	begun, err := d.writer.begin(ctx)
	if err != nil {
		return nil, err
	}
	return begun, nil
}

// PingWrites returns an error if nothing can be written now: the file is read-only, or the disk has
// no space for one more page.
func (d *driver) PingWrites(ctx context.Context) error { return d.writer.ping(ctx) }

// Dialect returns that of SQLite.
func (*driver) Dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Name:      "sqlite",
		Flavor:    sqlbuilder.SQLite,
		TextTimes: true,
		Types: sqlstore.ColumnTypes{
			Boolean: "INTEGER", Integer: "INTEGER", Float: "REAL", Text: "TEXT", Blob: "BLOB", Time: "TEXT", Document: "TEXT",
		},
		Identity:    "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT",
		TableSuffix: " STRICT",
		Prefix:      "substr({text}, 1, {length}) = {part}",
		Suffix:      "substr({text}, -{length}) = {part}",
		Contains:    "instr({text}, {part}) > 0",
		OneOf:       "{value} IN (SELECT value FROM json_each({list}))",
		JSONLists:   true,
		ListSuffix:  " STRICT, WITHOUT ROWID",
		ListOf:      `(SELECT json_group_array("target") FROM (SELECT "target" FROM {table} WHERE {isOf} ORDER BY "position"))`,
		Elements:    "json_each({list})",
		ElementsOf:  `(SELECT CAST(value AS TEXT) AS "value" FROM json_each(CASE WHEN json_valid({list}) THEN {list} END))`,

		KeysOf: `(SELECT json_group_array(json_array({targets})) FROM ` +
			`(SELECT {targets} FROM {table} WHERE {isOf} ORDER BY "position"))`,

		MaxArguments: 32_766,

		Describe: describe,
		ForeignKeys: `SELECT '', group_concat("from", ', '), CASE min(on_delete) WHEN 'NO ACTION' THEN 'restrict' WHEN 'RESTRICT' THEN 'restrict' ` +
			`WHEN 'CASCADE' THEN 'cascade' WHEN 'SET NULL' THEN 'null' ELSE 'default' END ` +
			`FROM pragma_foreign_key_list(?) GROUP BY id`,
		PrimaryKey: `SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk`,
		Uniques: `SELECT l.name, min(i.name) FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS i ` +
			`WHERE l."unique" AND NOT l.partial GROUP BY l.name HAVING count(*) = 1 ` +
			`UNION ALL SELECT 'primary key', min(name) FROM pragma_table_info(?1) WHERE pk > 0 HAVING count(*) = 1`,
	}
}

// describe asks for the columns of a table. Inserts need not set the column that is the rowid:
// INTEGER PRIMARY KEY.
const describe = `SELECT name, type, CASE WHEN "notnull" THEN 0 ELSE 1 END,
  "notnull" AND coalesce(upper(dflt_value), 'NULL') = 'NULL'
    AND NOT (pk > 0 AND upper(type) = 'INTEGER' AND (SELECT count(*) FROM pragma_table_info(?1) WHERE pk > 0) = 1)
FROM pragma_table_info(?1) ORDER BY cid`

// Fault tells what an error of SQLite means.
func (*driver) Fault(err error) sqlstore.Fault { return faultOf(err) }

// Close closes the connections.
func (d *driver) Close() error {
	err := errors.Join(d.reader.close(), d.writer.close())
	if d.folder != "" {
		err = errors.Join(err, os.RemoveAll(d.folder))
	}
	return err
}
