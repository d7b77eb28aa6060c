package sqlite

import (
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/store/sqlstore"
)

// dialect writes SQL for SQLite.
type dialect struct{ sqlstore.BaseDialect }

// Dialect returns the dialect of SQLite.
func (*driver) Dialect() sqlstore.Dialect {
	return &dialect{sqlstore.BaseDialect{
		Boolean: "INTEGER", Integer: "INTEGER", Float: "REAL", Text: "TEXT", Blob: "BLOB", Time: "TEXT", Document: "TEXT",

		TextTimes:    true,
		MaxArguments: 32_766,
		Identity:     "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT",
		TableSuffix:  " STRICT",
		ListSuffix:   " STRICT, WITHOUT ROWID",
		// Inserts need not set the column that is the rowid: INTEGER PRIMARY KEY.
		Describe: `SELECT name, type, CASE WHEN "notnull" THEN 0 ELSE 1 END,
  "notnull" AND coalesce(upper(dflt_value), 'NULL') = 'NULL'
    AND NOT (pk > 0 AND upper(type) = 'INTEGER' AND (SELECT count(*) FROM pragma_table_info(?1) WHERE pk > 0) = 1)
FROM pragma_table_info(?1) ORDER BY cid`,
		// The catalog has no names of foreign keys, but the text of the table has that which Trove gives.
		ForeignKeys: `SELECT max(CASE WHEN instr(sql, '"' || ?1 || '_' || "from" || '_fkey"') > 0 THEN ?1 || '_' || "from" || '_fkey' ELSE '' END), ` +
			`group_concat("from", ', '), CASE min(on_delete) WHEN 'NO ACTION' THEN 'restrict' WHEN 'RESTRICT' THEN 'restrict' ` +
			`WHEN 'CASCADE' THEN 'cascade' WHEN 'SET NULL' THEN 'null' ELSE 'default' END, min("table") ` +
			`FROM pragma_foreign_key_list(?1) LEFT JOIN sqlite_master ON type = 'table' AND name = ?1 GROUP BY id`,
		Lists: `SELECT m.name, k."table" FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS k ` +
			`WHERE m.type = 'table' AND instr(m.sql, '"' || m.name || '_record_fkey"') > 0 AND k."from" LIKE 'record%' AND k.seq = 0`,
		Indexes: `SELECT name, coalesce(group_concat(name_of || CASE WHEN "desc" THEN ' DESC' ELSE '' END, ', '), ''), ` +
			`"unique" AND NOT partial AND count(*) = count(name_of) FROM (SELECT l.*, i.name AS name_of, i."desc" ` +
			`FROM pragma_index_list(?1) AS l, pragma_index_xinfo(l.name) AS i WHERE i.key ORDER BY l.name, i.seqno) GROUP BY name ` +
			`UNION ALL SELECT 'primary key', group_concat(name, ', '), 1 FROM pragma_table_info(?1) WHERE pk > 0 HAVING count(*) > 0`,
	}}
}

// Name returns "sqlite".
func (*dialect) Name() string { return "sqlite" }

// QuoteIndexed returns a name in backticks. A connection without _dqs=0, such as that of a tool for migrations, reads
// the name of a missing column in double quotes as a string. It would create an index of that string, which stays wrong
// when the column is added.
func (*dialect) QuoteIndexed(name string) string {
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// InList uses json_each.
func (*dialect) InList(value, list string) string {
	return value + " IN (SELECT value FROM json_each(" + list + "))"
}

// Unit cuts texts in UTC. All else is a function in Go, which knows the same time zones as the store in memory.
func (*dialect) Unit(value, unit string, zone *time.Location, isDate bool) string {
	if isDate {
		zone = time.UTC
	}
	length := map[string]string{"year": "4", "month": "7", "day": "10"}[unit]
	switch isPlain := zone.String() == "UTC"; {
	case isPlain && length != "":
		return "substr(" + value + ", 1, " + length + ")"
	case isPlain && unit == "hour":
		return "substr(" + value + ", 1, 13) || ':00:00Z'"
	}
	return unitFunction + "(" + value + ", '" + unit + "', '" + strings.ReplaceAll(zone.String(), "'", "''") + "')"
}

// SumDecimals uses a function in Go.
func (*dialect) SumDecimals(value string, scale int) string {
	return sumFunction + "(" + value + ", " + strconv.Itoa(scale) + ")"
}

// ElementTexts uses json_each.
func (*dialect) ElementTexts(column string) string {
	return `(SELECT CAST(value AS TEXT) AS "value" FROM json_each(CASE WHEN json_valid(` + column + `) THEN ` + column + ` END))`
}

// ListOf uses json_group_array.
func (*dialect) ListOf(table, condition, order string, columns []string) string {
	all := strings.Join(columns, ", ")
	element := all
	if len(columns) > 1 {
		element = "json_array(" + all + ")"
	}
	return "(SELECT json_group_array(" + element + ") FROM (SELECT " + all + " FROM " + table + " WHERE " + condition + " ORDER BY " + order + "))"
}

// FindPhrase finds rows in the full-text table. Its tokenizer divides words at the spaces.
func (d *dialect) FindPhrase(table, key, column, phrase string) string {
	_, words := d.wordTable(table)
	return key + " IN (SELECT rowid FROM " + words + " WHERE " + d.Quote(base(table)+wordSuffix) + " MATCH " +
		literal(d.Quote(column)+` : "`) + " || " + phrase + ` || '"')`
}

// WordTables returns a full-text table (FTS5) without texts of its own, which triggers update with the rows. The rowid of a row
// without an integer identifier can change, so such tables have no full-text table.
func (d *dialect) WordTables(table, key string, columns []string) []string {
	schema, words := d.wordTable(table)
	options := []string{"content=" + literal(base(table)), "content_rowid=" + literal(strings.Trim(key, `"`)), "tokenize='ascii'"}
	names, was, is := make([]string, len(columns)), make([]string, len(columns)), make([]string, len(columns))
	for i, column := range columns {
		names[i] = d.Quote(column)
		was[i], is[i] = "old."+names[i], "new."+names[i]
	}
	own, all := d.Quote(base(table)+wordSuffix), strings.Join(names, ", ")
	add := "INSERT INTO " + own + " (rowid, " + all + ") VALUES (new." + key + ", " + strings.Join(is, ", ") + "); "
	remove := "INSERT INTO " + own + " (" + own + ", rowid, " + all + ") VALUES ('delete', old." + key + ", " + strings.Join(was, ", ") + "); "
	trigger := func(event, actions string) string {
		name := strings.ToLower(event[:6])
		return "CREATE TRIGGER IF NOT EXISTS " + schema + d.Quote(base(table)+wordSuffix+"_"+name) +
			" AFTER " + event + " ON " + d.Quote(base(table)) + " BEGIN " + actions + "END"
	}
	return []string{
		"CREATE VIRTUAL TABLE IF NOT EXISTS " + words + " USING fts5(" + all + ", " + strings.Join(options, ", ") + ")",
		trigger("INSERT", add),
		trigger("DELETE", remove),
		trigger("UPDATE OF "+key+", "+all, remove+add),
		"INSERT INTO " + words + " (" + own + ") VALUES ('rebuild')",
	}
}

// DropWordTables drops the triggers before their table.
func (d *dialect) DropWordTables(table string) (statements []string) {
	schema, words := d.wordTable(table)
	for _, end := range []string{"_insert", "_delete", "_update"} {
		statements = append(statements, "DROP TRIGGER IF EXISTS "+schema+d.Quote(base(table)+wordSuffix+end))
	}
	return append(statements, "DROP TABLE IF EXISTS "+words)
}

// HasWordTables counts the table and its triggers, which are lost if a program replaces the table of the rows.
func (d *dialect) HasWordTables(table string) string {
	schema, _ := d.wordTable(table)
	var names []string
	for _, end := range []string{"", "_insert", "_delete", "_update"} {
		names = append(names, literal(base(table)+wordSuffix+end))
	}
	return "SELECT 1 WHERE (SELECT count(*) FROM " + schema + "sqlite_master WHERE name IN (" + strings.Join(names, ", ") + ")) = 4"
}

const wordSuffix = "__words"

// wordTable returns the quoted schema of a table, with a dot, and the quoted name of its full-text table.
func (d *dialect) wordTable(table string) (schema, words string) {
	if name, _, found := strings.Cut(table, "."); found {
		schema = d.Quote(name) + "."
	}
	return schema, schema + d.Quote(base(table)+wordSuffix)
}

// base returns the name of a table without its schema.
func base(table string) string { return table[strings.IndexByte(table, '.')+1:] }

// literal returns a string in SQL.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
