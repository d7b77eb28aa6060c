package mysql

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/store/sqlstore"
)

// keyLength is how many characters of a long string an index has. It can have 3,072 bytes.
const keyLength = 400

// dialect writes SQL for MariaDB and MySQL.
type dialect struct {
	sqlstore.BaseDialect

	server server
}

// Dialect returns the dialect of the server.
func (d *driver) Dialect() sqlstore.Dialect {
	suffix := " ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=" + d.server.collation()
	return &dialect{sqlstore.BaseDialect{
		Boolean: "TINYINT(1)", Integer: "BIGINT", Float: "DOUBLE", Text: "LONGTEXT", Blob: "LONGBLOB", Time: "DATETIME(6)",
		Document: "LONGTEXT", Date: "DATE", Decimal: "DECIMAL",

		KeyText:          "VARCHAR",
		KeyBlob:          "VARBINARY",
		KeyLength:        keyLength,
		KeyInIndexes:     true,
		RowChecks:        d.server.uncheck,
		CastText:         "CHAR",
		TimeLayout:       timeLayout,
		RowLocks:         true,
		ForShare:         "LOCK IN SHARE MODE",
		LockRows:         "CREATE TABLE IF NOT EXISTS `trove_locks` (\n\t`id` BIGINT NOT NULL PRIMARY KEY,\n\t`changes` BIGINT NOT NULL\n) ENGINE=InnoDB",
		Remote:           true,
		TargetsFirst:     true,
		ScansRowValues:   true,
		LosesGroupOrder:  true,
		LastIdentity:     "LAST_INSERT_ID()",
		Identity:         "BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY",
		TableSuffix:      suffix,
		ListSuffix:       suffix,
		NoIfNotExists:    true,
		NoPartialIndexes: true,
		Describe:         strings.ReplaceAll(describe, "$collation", d.server.collation()),
		ForeignKeys:      foreignKeys,
		Lists: "SELECT TABLE_NAME, REFERENCED_TABLE_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS " +
			"WHERE CONSTRAINT_SCHEMA = DATABASE() AND CONSTRAINT_NAME = CONCAT(TABLE_NAME, '_record_fkey')",
		Indexes: indexes,
	}, d.server}
}

// Hasten sets lock_wait_timeout, which has whole seconds. MySQL can set it for a connection only.
func (d *dialect) Hasten(statement string) string {
	if d.server.isMariaDB {
		return "SET STATEMENT lock_wait_timeout = 1 FOR " + statement
	}
	return statement
}

// uncheck changes a DELETE so that it ignores foreign keys.
func (s server) uncheck(statement string) string {
	if s.isMariaDB {
		return "SET STATEMENT foreign_key_checks = 0 FOR " + statement
	}
	return "DELETE /*+ SET_VAR(foreign_key_checks = OFF) */" + strings.TrimPrefix(statement, "DELETE")
}

// Name returns "mysql".
func (*dialect) Name() string { return "mysql" }

// Quote returns a name in backticks, which work in each sql_mode, such as that of a tool for migrations.
func (*dialect) Quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// DefaultRow returns a row without values.
func (*dialect) DefaultRow(string) string { return "() VALUES ()" }

// Upsert uses ON DUPLICATE KEY UPDATE. An INSERT IGNORE leaves a row unchanged, and counts it as such.
func (*dialect) Upsert(insert, _ string, columns []string) string {
	if len(columns) == 0 {
		return "INSERT IGNORE" + strings.TrimPrefix(insert, "INSERT")
	}
	set := make([]string, len(columns))
	for i, column := range columns {
		set[i] = column + " = VALUES(" + column + ")"
	}
	return insert + " ON DUPLICATE KEY UPDATE " + strings.Join(set, ", ")
}

// These statements lock a row by a change of it, because Galera does not know about locks of other nodes: if two nodes
// change a row, one of the transactions runs again.
const (
	lockRow = "INSERT INTO `trove_locks` (`id`, `changes`) VALUES ("
	change  = " & 4095, 1) ON DUPLICATE KEY UPDATE `changes` = `changes` + 1"
)

// LockTable blocks other calls of LockTable.
func (*dialect) LockTable(table string) string {
	return lockRow + "CRC32('" + strings.ReplaceAll(table, "'", "''") + "')" + change
}

// LockPeriods blocks other writers which lock the same number.
func (*dialect) LockPeriods() string { return lockRow + "?" + change }

// AlterNull uses MODIFY.
func (*dialect) AlterNull(table, column, typ string, nullable bool) string {
	if !nullable {
		typ += " NOT NULL"
	}
	return "ALTER TABLE " + table + " MODIFY COLUMN " + column + " " + typ
}

// DropIndex drops the index of a table, whose name has no schema.
func (*dialect) DropIndex(table, index string) string {
	return "DROP INDEX " + index[strings.LastIndex(index, ".")+1:] + " ON " + table
}

// InFree reads the result of the query first, because a DELETE cannot read its own table, and IN has no LIMIT.
func (*dialect) InFree(value, query string) string {
	return value + " IN (SELECT * FROM (" + query + " FOR UPDATE SKIP LOCKED) AS `free`)" //nolint:unqueryvet // the query has one column
}

// HasSuffix uses RIGHT.
func (*dialect) HasSuffix(text, part, length string) string {
	return "RIGHT(" + text + ", " + length + ") = " + part
}

// InList returns "", because an element would have another type than the value.
func (*dialect) InList(string, string) string { return "" }

// ElementTexts uses JSON_TABLE.
func (d *dialect) ElementTexts(column string) string {
	return "JSON_TABLE(CASE WHEN JSON_VALID(" + column + ") THEN CASE WHEN JSON_TYPE(" + column + ") = 'ARRAY' THEN " + column + " END END, " +
		"'$[*]' COLUMNS (`value` LONGTEXT CHARACTER SET utf8mb4 COLLATE " + d.server.collation() + " PATH '$')) AS e"
}

// ListOf uses GROUP_CONCAT, because JSON_ARRAYAGG of MySQL has no order.
func (*dialect) ListOf(table, condition, order string, columns []string) string {
	element := "JSON_ARRAY(" + strings.Join(columns, ", ") + ")"
	if len(columns) == 1 {
		element = "JSON_EXTRACT(" + element + ", '$[0]')"
	}
	return "(SELECT CONCAT('[', COALESCE(GROUP_CONCAT(" + element + " ORDER BY " + order + " SEPARATOR ','), ''), ']') FROM " + table + " WHERE " + condition + ")"
}

// Reaches uses JSON_TYPE, for which the null of JSON has a type.
func (*dialect) Reaches(document string, names []string) string {
	path := `'$."` + strings.Join(names, `"."`) + `"'`
	return "CASE WHEN JSON_VALID(" + document + ") THEN JSON_TYPE(JSON_EXTRACT(" + document + ", " + path + ")) END <> 'NULL'"
}

// Unit uses DATE_FORMAT. An hour begins as many minutes and seconds before a time as its zone shows.
func (*dialect) Unit(value, unit string, zone *time.Location, isDate bool) string {
	if isDate {
		return format(value, unit)
	}
	local := inZone(value, zone)
	text := format(local, unit)
	if unit == "hour" {
		text = "DATE_FORMAT(" + value + " - INTERVAL MINUTE(" + local + ") * 60 + SECOND(" + local + ") SECOND, '%Y-%m-%dT%H:%i:%sZ')"
	}
	// A time in the year 10000 on the clocks of the zone is null.
	last := "'" + map[string]string{"year": "10000", "quarter": "10000-Q1", "month": "10000-01", "week": "9999-W52", "day": "10000-01-01"}[unit] + "'"
	if unit == "hour" {
		last = "DATE_FORMAT(" + value + ", '%Y-%m-%dT%H:00:00Z')"
	}
	return "COALESCE(" + text + ", CASE WHEN " + value + " > '9999-12-31' THEN " + last + " END)"
}

// format writes the text of a unit of a local time.
func format(local, unit string) string {
	if unit == "quarter" {
		return "CONCAT(DATE_FORMAT(" + local + ", '%Y'), '-Q', QUARTER(" + local + "))"
	}
	return "DATE_FORMAT(" + local + ", '" + map[string]string{"year": "%Y", "month": "%Y-%m", "week": "%x-W%v", "day": "%Y-%m-%d"}[unit] + "')"
}

// lastChange is the last year whose changes of offsets count. Later times have the last offset of that year.
const lastChange = 2100

// inZone writes what clocks of a time zone show at a time. It finds the offset among those between two changes, because the
// server may not know the zone, or know other changes than Go.
func inZone(value string, zone *time.Location) string {
	var changes, offsets []string
	start := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	for at, last := start.In(zone), math.MinInt; at.Year() <= lastChange; {
		if _, offset := at.Zone(); offset != last {
			changes, offsets, last = append(changes, strconv.FormatInt(at.Unix()-start.Unix(), 10)), append(offsets, strconv.Itoa(offset)), offset
		}
		_, end := at.ZoneBounds()
		if end.IsZero() {
			break
		}
		if !end.After(at) { // at the end of some years
			end = at.Add(24 * time.Hour)
		}
		at = end
	}
	if len(offsets) == 1 {
		return "(" + value + " + INTERVAL " + offsets[0] + " SECOND)"
	}
	return fmt.Sprintf("(%[1]s + INTERVAL CAST(ELT(1 + INTERVAL(TIMESTAMPDIFF(SECOND, '0001-01-01', %[1]s), %[2]s), %[3]s) AS SIGNED) SECOND)",
		value, strings.Join(changes[1:], ","), strings.Join(offsets, ","))
}

// SumDecimals is not used, because DECIMAL is exact.
func (*dialect) SumDecimals(string, int) string { return "" }

// named is the table that the placeholder names, with or without the name of its database.
const named = "(SELECT ? AS name) AS t WHERE x.TABLE_SCHEMA = IF(LOCATE('.', t.name) > 0, SUBSTRING_INDEX(t.name, '.', 1), DATABASE()) " +
	"AND x.TABLE_NAME = SUBSTRING_INDEX(t.name, '.', -1)"

// describe is the query for the columns of a table. A type is followed by the collation, unless that compares bytes. An
// INSERT need not set a column that has a default, that is generated, or that a trigger may set.
const describe = `SELECT x.COLUMN_NAME,
  CONCAT(x.COLUMN_TYPE, IF(COALESCE(x.COLLATION_NAME, '$collation') = '$collation', '', CONCAT(' COLLATE ', x.COLLATION_NAME))),
  x.IS_NULLABLE = 'YES',
  x.IS_NULLABLE = 'NO' AND x.COLUMN_DEFAULT IS NULL AND x.EXTRA NOT LIKE '%auto_increment%' AND x.EXTRA NOT LIKE '%GENERATED%'
    AND NOT EXISTS (SELECT 1 FROM information_schema.TRIGGERS g WHERE g.EVENT_OBJECT_SCHEMA = x.TABLE_SCHEMA
      AND g.EVENT_OBJECT_TABLE = x.TABLE_NAME AND g.ACTION_TIMING = 'BEFORE' AND g.EVENT_MANIPULATION = 'INSERT')
FROM information_schema.COLUMNS x, ` + named + " ORDER BY x.ORDINAL_POSITION"

// indexes is the query for the indexes. Those of expressions or of the beginnings of values do not ensure that columns are
// unique.
const indexes = `SELECT x.INDEX_NAME,
  COALESCE(GROUP_CONCAT(CONCAT(x.COLUMN_NAME, IF(x.COLLATION = 'D', ' DESC', '')) ORDER BY x.SEQ_IN_INDEX SEPARATOR ', '), ''),
  MAX(x.NON_UNIQUE) = 0 AND MAX(x.SUB_PART) IS NULL AND COUNT(*) = COUNT(x.COLUMN_NAME)
FROM information_schema.STATISTICS x, ` + named + " GROUP BY x.INDEX_NAME"

// foreignKeys is the query for the foreign keys, each with its columns.
const foreignKeys = `SELECT x.CONSTRAINT_NAME, GROUP_CONCAT(k.COLUMN_NAME ORDER BY k.ORDINAL_POSITION SEPARATOR ', '),
  CASE MIN(x.DELETE_RULE) WHEN 'NO ACTION' THEN 'restrict' WHEN 'RESTRICT' THEN 'restrict' WHEN 'CASCADE' THEN 'cascade'
    WHEN 'SET NULL' THEN 'null' ELSE 'default' END, MIN(x.REFERENCED_TABLE_NAME)
FROM (SELECT r.CONSTRAINT_SCHEMA AS TABLE_SCHEMA, r.TABLE_NAME, r.CONSTRAINT_NAME, r.DELETE_RULE, r.REFERENCED_TABLE_NAME
  FROM information_schema.REFERENTIAL_CONSTRAINTS r) x
JOIN information_schema.KEY_COLUMN_USAGE k ON k.CONSTRAINT_SCHEMA = x.TABLE_SCHEMA AND k.TABLE_NAME = x.TABLE_NAME AND k.CONSTRAINT_NAME = x.CONSTRAINT_NAME
JOIN ` + named + " GROUP BY x.CONSTRAINT_NAME"
