package sqlstore

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// dialect is the [Dialect] of a database, with its facts.
type dialect struct {
	Dialect

	facts Base
}

// builder collects the values of a statement whose text is put together. The text has a mark for each value, in any order.
type builder struct{ values []any }

// mark encloses the number of a value. No name has it, nor any other part of a statement.
const mark = "\x00"

// value returns the mark of a value.
func (b *builder) value(v any) string {
	b.values = append(b.values, v)
	return mark + strconv.Itoa(len(b.values)-1) + mark
}

// statement replaces the marks in a text by placeholders, and returns the values in their order.
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
		at, _ := strconv.Atoi(number)
		args, text = append(args, b.values[at]), after
		if d.facts.Numbered {
			out.WriteString("$" + strconv.Itoa(len(args)))
		} else {
			out.WriteByte('?')
		}
	}
}

// text returns a statement whose values are given when it runs.
func (d *dialect) text(write func(b *builder) string) string {
	b := new(builder)
	statement, _ := d.statement(b, write(b))
	return statement
}

// insertInto returns an INSERT of a row with values for some columns.
func (d *dialect) insertInto(b *builder, table string, columns []*column) string {
	marks := make([]string, len(columns))
	for i := range marks {
		marks[i] = b.value(nil)
	}
	return "INSERT INTO " + table + " (" + list(columns) + ") VALUES (" + strings.Join(marks, ", ") + ")"
}

// forChange is what a SELECT ends with that locks rows which may be changed.
func (d *dialect) forChange() string {
	if d.facts.ForChange != "" {
		return " " + d.facts.ForChange
	}
	return " FOR UPDATE"
}

// where returns the columns of a table in rows that fulfill a condition.
func selectWhere(columns []*column, table, condition string) string {
	return "SELECT " + list(columns) + " FROM " + table + " WHERE " + condition
}

// list writes the names of columns.
func list(columns []*column) string { return strings.Join(names(columns), ", ") }

// names lists the quoted names of columns.
func names(columns []*column) []string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = c.quoted
	}
	return quoted
}

// tuple writes columns as one value.
func tuple(columns []*column) string {
	if len(columns) == 1 {
		return columns[0].quoted
	}
	return "(" + list(columns) + ")"
}

// never is a condition that no row fulfills, and always one that every row does.
const (
	never  = "1 = 0"
	always = "1 = 1"
)

func and(conditions ...string) string { return joined(conditions, " AND ") }
func or(conditions ...string) string  { return joined(conditions, " OR ") }

// joined joins conditions two by two, because SQLite reads no expression that is deeper than 1,000.
func joined(conditions []string, operator string) string {
	switch half := len(conditions) / 2; len(conditions) {
	case 0:
		return "" // an error in a statement, where no condition would let every row pass
	case 1:
		return conditions[0]
	case 2:
		return "(" + conditions[0] + operator + conditions[1] + ")"
	default:
		return "(" + joined(conditions[:half], operator) + operator + joined(conditions[half:], operator) + ")"
	}
}

// listOf returns values as one that the database takes apart: JSON, or an array.
func (d *dialect) listOf(values []any) (any, error) {
	if !d.facts.Arrays {
		text, err := json.Marshal(values)
		return string(text), err
	}
	if len(values) == 0 {
		return nil, errMixed
	}
	switch values[0].(type) {
	case bool:
		return arrayOf[bool](values)
	case int64:
		return arrayOf[int64](values)
	case float64:
		return arrayOf[float64](values)
	case string:
		return arrayOf[string](values)
	case []byte:
		return arrayOf[[]byte](values)
	case time.Time:
		return arrayOf[time.Time](values)
	}
	return nil, errMixed
}

// arrayOf returns values as those of one type. A type of the user's own may make a number of one value
// and null, or text, of another.
func arrayOf[T any](values []any) (any, error) {
	list := make([]T, len(values))
	for i, value := range values {
		of, ok := value.(T)
		if !ok {
			return nil, errMixed
		}
		list[i] = of
	}
	return list, nil
}

var errMixed = errors.New("sqlstore: values are not of one type, or there are none")
