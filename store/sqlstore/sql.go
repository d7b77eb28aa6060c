package sqlstore

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// dialect is the [Dialect] of a database, with its facts.
type dialect struct {
	Dialect

	facts BaseDialect
}

// as returns the dialect of the database as an optional interface, nil if it does not implement that.
func as[T any](d *dialect) T {
	own, _ := d.Dialect.(T)
	return own
}

// table quotes the name of a table, which can begin with that of a schema and a dot.
func (d *dialect) table(name string) string {
	if schema, own, found := strings.Cut(name, "."); found {
		return d.Quote(schema) + "." + d.Quote(own)
	}
	return d.Quote(name)
}

// base returns the name of a table without its schema.
func base(name string) string { return name[strings.IndexByte(name, '.')+1:] }

// aliasPrefix begins the names of computed columns, and of no column of a table.
const aliasPrefix = "trove "

// alias returns the quoted name of a computed column.
func (d *dialect) alias(kind string, i int) string {
	return d.Quote(aliasPrefix + kind + " " + strconv.Itoa(i))
}

// builder collects the arguments of a statement while its text is built. The text has a mark for each, in any order.
type builder struct {
	values  []any
	lists   int    // conditions with several values
	literal string // the layout of times, if values are in the text itself, as in the definition of an index
	err     error  // of a value that cannot be
}

// mark encloses the number of an argument. It occurs nowhere else in a statement.
const mark = "\x00"

// value adds an argument and returns its mark.
func (b *builder) value(v any) string {
	if b.literal != "" {
		text, err := literal(v, b.literal)
		b.err = errors.Join(b.err, err)
		return text
	}
	b.values = append(b.values, v)
	return mark + strconv.Itoa(len(b.values)-1) + mark
}

// literal returns a value as SQL, a time in a layout.
func literal(value any, layout string) (string, error) {
	switch v := value.(type) {
	case bool:
		return strings.ToUpper(strconv.FormatBool(v)), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'", nil
	case time.Time:
		return "'" + v.UTC().Format(layout) + "'", nil
	}
	return "", fmt.Errorf("a %T", value)
}

// statement replaces the marks in a text with placeholders, and returns the arguments in their order.
func (d *dialect) statement(b *builder, text string) (statement string, args []any) {
	var out strings.Builder
	out.Grow(len(text))
	args = make([]any, 0, len(b.values))
	for {
		before, rest, found := strings.Cut(text, mark)
		out.WriteString(before)
		if !found {
			return out.String(), args
		}
		number, after, _ := strings.Cut(rest, mark)
		i, _ := strconv.Atoi(number)
		args, text = append(args, b.values[i]), after
		if d.facts.Numbered {
			out.WriteString("$" + strconv.Itoa(len(args)))
		} else {
			out.WriteByte('?')
		}
	}
}

// placeholders matches question marks, and what can have others: strings, quoted names and comments.
var placeholders = regexp.MustCompile(`(?s)\?|'[^']*('|$)|"[^"]*("|$)|--[^\n]*|/\*.*?(\*/|$)`)

// rebind replaces the question marks of a statement with numbered placeholders.
func rebind(statement string) string {
	n := 0
	return placeholders.ReplaceAllStringFunc(statement, func(found string) string {
		if found != "?" {
			return found
		}
		n++
		return "$" + strconv.Itoa(n)
	})
}

// text returns a statement whose arguments are given when it runs.
func (d *dialect) text(write func(b *builder) string) string {
	b := new(builder)
	statement, _ := d.statement(b, write(b))
	return statement
}

// insertInto writes an INSERT of rows with values for some columns.
func (d *dialect) insertInto(b *builder, table string, columns []*column, rows ...[]any) string {
	written := make([]string, len(rows))
	for n, row := range rows {
		marks := make([]string, len(columns))
		for i, c := range columns {
			marks[i] = c.written(b.value(row[i]))
		}
		written[n] = "(" + strings.Join(marks, ", ") + ")"
	}
	return "INSERT INTO " + table + " (" + list(columns) + ") VALUES " + strings.Join(written, ", ")
}

// insert returns an INSERT of one row, whose values are given when it runs.
func (d *dialect) insert(table string, columns []*column) string {
	return d.text(func(b *builder) string { return d.insertInto(b, table, columns, make([]any, len(columns))) })
}

// forChange returns the end of a SELECT that locks rows which may be changed.
func (d *dialect) forChange() string {
	if d.facts.ForChange != "" {
		return " " + d.facts.ForChange
	}
	return " FOR UPDATE"
}

// forDelete returns the end of a SELECT that locks rows which are deleted, so that nothing can reference them any more,
// or rows that lose a reference.
func (d *dialect) forDelete(deleted bool) string {
	if deleted {
		return " FOR UPDATE"
	}
	return d.forChange()
}

// direction writes the end of a term of ORDER BY. Null comes before every value.
func (d *dialect) direction(isDescending, isNullable bool) string {
	isNullLast := isNullable && d.facts.NullsLast
	switch {
	case isDescending && isNullLast:
		return " DESC NULLS LAST"
	case isDescending:
		return " DESC"
	case isNullLast:
		return " NULLS FIRST"
	}
	return ""
}

// selectWhere writes a SELECT of columns of a table, for rows that match a condition.
func selectWhere(columns []*column, table, condition string) string {
	if condition == always { // SQLite then looks up single values in an index
		return "SELECT " + strings.Join(reads(columns), ", ") + " FROM " + table
	}
	return "SELECT " + strings.Join(reads(columns), ", ") + " FROM " + table + " WHERE " + condition
}

// list writes the names of columns.
func list(columns []*column) string { return strings.Join(names(columns), ", ") }

// names returns the quoted names of columns.
func names(columns []*column) []string {
	return mapped(columns, func(c *column) string { return c.quoted })
}

// reads returns the expressions that read columns.
func reads(columns []*column) []string {
	return mapped(columns, func(c *column) string { return c.read })
}

// mapped returns a text for each element of a list.
func mapped[T any](list []T, text func(T) string) []string {
	texts := make([]string, len(list))
	for i, each := range list {
		texts[i] = text(each)
	}
	return texts
}

// tuple writes columns as one row value.
func tuple(columns []*column) string {
	if len(columns) == 1 {
		return columns[0].quoted
	}
	return "(" + list(columns) + ")"
}

// never is a condition that is false for all rows, always one that is true.
const (
	never  = "1 = 0"
	always = "1 = 1"
)

func and(conditions ...string) string { return joined(conditions, " AND ") }
func or(conditions ...string) string  { return joined(conditions, " OR ") }

// joined joins conditions pairwise, because SQLite rejects expressions deeper than 1,000.
func joined(conditions []string, operator string) string {
	switch half := len(conditions) / 2; len(conditions) {
	case 0:
		return "" // causes a syntax error, because without a condition every row would match
	case 1:
		return conditions[0]
	case 2:
		return "(" + conditions[0] + operator + conditions[1] + ")"
	default:
		return "(" + joined(conditions[:half], operator) + operator + joined(conditions[half:], operator) + ")"
	}
}

// listOf returns values, at least one, as one argument that the database can unnest: JSON, or an array.
func (d *dialect) listOf(values []any) (any, error) {
	if !d.facts.Arrays {
		text, err := json.Marshal(values)
		return string(text), err
	}
	element := reflect.TypeOf(values[0])
	if element == nil {
		return nil, errMixed
	}
	list := reflect.MakeSlice(reflect.SliceOf(element), len(values), len(values))
	for i, value := range values {
		if reflect.TypeOf(value) != element {
			return nil, errMixed
		}
		list.Index(i).Set(reflect.ValueOf(value))
	}
	return list.Interface(), nil
}

// errMixed is the error of a user's own type that returns a number for one value and null, or text, for another.
var errMixed = errors.New("sqlstore: values are of different types, or null")
