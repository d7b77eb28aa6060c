package sqlite

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// indexColumns matches the end of an index over columns that are all in double quotes, as sqlstore writes them. An
// index with a WHERE or an expression does not match.
var indexColumns = regexp.MustCompile(`\(\s*("[^"]+"(?:\s*,\s*"[^"]+")*)\s*\)\s*$`)

// index is an index of a table, with its columns as in its statement.
type index struct {
	name    string
	columns []string
}

// CheckTable returns the defects of a table's indexes, as sentences about the table. sqlstore calls it when it compares
// the table with its struct.
//
// Without _dqs=0, SQLite reads a name in double quotes that is not a column as a string. An index that was created too
// early then contains the string instead of each value. Once the column is added, SQLite takes these entries for values
// of the column: filters miss records, and writes fail.
func (d *driver) CheckTable(ctx context.Context, table string) (problems []string, err error) {
	columns, err := d.strings(ctx, `SELECT lower(name) FROM pragma_table_xinfo(?)`, table)
	if err != nil || len(columns) == 0 {
		return nil, err
	}
	indexes, err := d.indexes(ctx, table)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, name := range columns {
		names[name] = true
	}
	for _, i := range indexes {
		problem, err := d.checkIndex(ctx, table, i, names)
		if err != nil {
			return nil, err
		}
		if problem != "" {
			problems = append(problems, problem)
		}
	}
	return problems, nil
}

// indexes returns the indexes of a table that match indexColumns.
func (d *driver) indexes(ctx context.Context, table string) (found []index, err error) {
	rows, err := d.reader.db.QueryContext(ctx,
		`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL ORDER BY name`, table)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, err
		}
		if matched := indexColumns.FindStringSubmatch(text); matched != nil {
			found = append(found, index{name, quotedIn(matched[1])})
		}
	}
	return found, rows.Err()
}

// quotedIn returns the names in a list of quoted names.
func quotedIn(list string) []string {
	var names []string
	for i, part := range strings.Split(list, `"`) {
		if i%2 == 1 {
			names = append(names, part)
		}
	}
	return names
}

// checkIndex returns the defect of an index, "" for none.
func (d *driver) checkIndex(ctx context.Context, table string, i index, names map[string]bool) (string, error) {
	for _, column := range i.columns {
		if !names[strings.ToLower(column)] {
			return fmt.Sprintf(`has the index %s on the string %q instead of a column, because it was created before the column: run DROP INDEX %s, add the column, `+
				`then create the index again, with db.Create or from sqlstore.DDL`, i.name, column, quote(i.name)), nil
		}
	}
	stale, err := d.isStale(ctx, table, i)
	if !stale || err != nil {
		return "", err
	}
	return fmt.Sprintf(`has the index %s with wrong entries, because it was created before the column %s: run DROP INDEX %s, `+
		`then create the index again, with db.Create or from sqlstore.DDL`, i.name, i.columns[0], quote(i.name)), nil
}

// isStale reports whether the index has the name of its first column as an entry for a row whose value differs. It
// checks no other entries. Tables WITHOUT ROWID are skipped: only tables of lists are, and their indexes are created
// with their columns.
func (d *driver) isStale(ctx context.Context, table string, i index) (bool, error) {
	rowids, err := d.strings(ctx, `SELECT name FROM pragma_table_list(?) WHERE schema = 'main' AND NOT wr`, table)
	if err != nil || len(rowids) == 0 {
		return false, err
	}
	found, err := d.strings(ctx, fmt.Sprintf(`SELECT 'stale' FROM %[1]s AS entry INDEXED BY %[2]s WHERE entry.%[3]s = ?1 AND NOT EXISTS (`+
		`SELECT 1 FROM %[1]s AS stored NOT INDEXED WHERE stored.rowid = entry.rowid AND stored.%[3]s = ?1) LIMIT 1`,
		quote(table), quote(i.name), quote(i.columns[0])), i.columns[0])
	return len(found) > 0, err
}

// strings returns the first column of a query's result. The statement does not stay prepared.
func (d *driver) strings(ctx context.Context, query string, args ...any) (found []string, err error) {
	rows, err := d.reader.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		found = append(found, text)
	}
	return found, rows.Err()
}

// quote quotes a name.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
