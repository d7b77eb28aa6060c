package sqlite

import (
	"slices"
	"strings"
)

// own is the form in which sqlstore writes times.
const own = `'????-??-??T??:??:??.??????Z'`

// TimeForm chooses the form by the affinity of the declared type, as section 3.1 of https://sqlite.org/datatype3.html
// determines it: INTEGER has Unix seconds, REAL has Julian days. All other types have text, because a number in a
// column such as DATETIME could be seconds, milliseconds or days. Julian days have milliseconds, as SQLite's functions.
func (*driver) TimeForm(declared string) (read, write func(string) string, digits int) {
	declared = strings.ToUpper(declared)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(declared, part) })
	}
	switch {
	case has("INT"):
		return readSeconds, func(at string) string { return "unixepoch(" + at + ")" }, 0
	case has("CHAR", "CLOB", "TEXT"):
	case has("BLOB"):
		return nil, nil, 0
	case has("REAL", "FLOA", "DOUB"): //nolint:misspell // as SQLite compares it
		return readDays, func(at string) string { return "julianday(" + at + ")" }, 3
	}
	return readText, nil, 6
}

// PlainText uses the operator +: its result has no declared type. The driver converts texts of the types DATE, DATETIME
// and TIMESTAMP.
func (*driver) PlainText(column string) string { return "+" + column }

const seconds = `'%Y-%m-%dT%H:%M:%S'`

func readSeconds(column string) string {
	return "CASE typeof(" + column + ") WHEN 'integer' THEN coalesce(strftime(" + seconds + ", " + column + ", 'unixepoch') || '.000000Z', " +
		column + " || '') ELSE " + readText(column) + " END"
}

func readDays(column string) string {
	return "CASE typeof(" + column + ") WHEN 'real' THEN coalesce(strftime('%Y-%m-%dT%H:%M:%f000Z', " + column + "), " +
		column + " || '') ELSE " + readText(column) + " END"
}

// readText reads the texts that SQLite's functions write and read: a date, or a date and a time after a space or T,
// with or without seconds, a fraction, and Z or an offset such as +02:00. Without an offset they are in UTC. SQLite
// computes only with milliseconds, so the fraction is copied. It also accepts days such as February 30, so the date is
// compared with its result.
func readText(column string) string {
	offset := column + ` GLOB '*:*[+-][0-9][0-9]:[0-9][0-9]'`
	zone := "CASE WHEN " + offset + " THEN substr(" + column + ", -6) ELSE '' END"
	body := "rtrim(CASE WHEN " + offset + " THEN substr(" + column + ", 1, length(" + column + ") - 6) ELSE rtrim(" + column + ", 'Z') END)"
	fraction := "substr(" + body + ", 20)" // with the dot
	date := "substr(" + column + ", 1, 10)"
	return "CASE WHEN " + column + " GLOB " + own + " THEN " + column +
		" WHEN date(" + date + ") = " + date +
		" AND (" + fraction + " = '' OR " + fraction + " GLOB '.[0-9]*' AND " + fraction + " NOT GLOB '.*[^0-9]*')" +
		" THEN coalesce(strftime(" + seconds + ", substr(" + body + ", 1, 19) || " + zone + ")" +
		" || '.' || substr(substr(" + fraction + ", 2) || '000000', 1, 6) || 'Z', " + column + " || '')" +
		" ELSE " + column + " || '' END"
}
