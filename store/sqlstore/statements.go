package sqlstore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// statements are the fixed statements of a table.
type statements struct {
	fields   []*column // the columns that get and lock read
	selected string    // selects the fields
	rows     string    // selects them from the table
	get      string
	many     string // get for a list of identifiers; "" if they are not one argument
	lock     string // get that locks the record for a change
	// hold only takes the lock, before get, if a single statement would see lists in their state before it waited. It
	// is "" if lock suffices.
	hold    string
	insert  string // with a given identifier
	create  string // with a generated identifier
	advance string // keeps a given identifier from being generated; "" if not needed
	remove  string

	// returned has the columns that insert, create and updates return: the identifier, columns whose stored value may
	// differ, and those that updates compute. For a table of other programs it has all fields, because triggers and
	// defaults may change them.
	returned []*column
	// reread and remade read these columns after a write with a given or generated identifier, for databases without
	// RETURNING; otherwise they are "".
	reread, remade string
}

// prepare writes the statements.
func (p *planner) prepare() {
	s, d := &p.statements, p.dialect
	s.returned = slices.Clone(p.ids)
	for _, c := range p.columns {
		if c.shadow {
			continue
		}
		s.fields = append(s.fields, c)
		counted := c.field == p.record.Version || c.field == p.record.Created
		if c.list == nil && !p.isID(c) && (p.foreign || !c.exact || counted) {
			s.returned = append(s.returned, c)
		}
	}
	s.selected = p.selected(s.fields)
	s.rows = s.selected + " FROM " + p.quoted
	s.get = d.text(func(b *builder) string { return s.rows + " WHERE " + hasKey(b, p.ids) })
	if id := p.ids[0]; len(p.ids) == 1 && d.facts.Arrays && (id.typ == integer || id.typ == text) {
		s.many = d.text(func(b *builder) string { return s.rows + " WHERE " + d.InList(id.quoted, b.value(nil)) })
	}
	s.lock = s.get
	if d.facts.RowLocks {
		ids := d.text(func(b *builder) string { return selectWhere(p.ids, p.quoted, hasKey(b, p.ids)) })
		if s.lock += d.forChange(); p.lists != nil {
			s.lock, s.hold = s.get, ids+d.forChange()
		}
	}
	s.insert = d.text(func(b *builder) string { return d.insertInto(b, p.quoted, p.own) + p.returning() })
	others := slices.DeleteFunc(slices.Clone(p.own), p.isID)
	if len(others) > 0 {
		s.create = d.text(func(b *builder) string { return d.insertInto(b, p.quoted, others) + p.returning() })
	} else {
		s.create = "INSERT INTO " + p.quoted + " " + d.DefaultRow(p.ids[0].quoted) + p.returning()
	}
	if made := d.facts.LastIdentity; made != "" {
		s.reread = d.text(func(b *builder) string { return selectWhere(s.returned, p.quoted, hasKey(b, p.ids)) })
		s.remade = selectWhere(s.returned, p.quoted, p.ids[0].quoted+" = "+made)
	}
	s.remove = d.text(func(b *builder) string { return "DELETE FROM " + p.quoted + " WHERE " + hasKey(b, p.ids) })
	if p.counts {
		s.advance = d.AdvanceIdentity(p.quoted, p.ids[0].name)
	}
}

// returning writes the end of a statement that writes a row.
func (p *plan) returning() string {
	if p.dialect.facts.LastIdentity != "" {
		return ""
	}
	return " RETURNING " + strings.Join(reads(p.statements.returned), ", ")
}

// selected writes the SELECT of columns of the table.
func (p *plan) selected(columns []*column) string {
	selected := reads(columns)
	for i, c := range columns {
		if c.list != nil {
			selected[i] = c.list.selected
		}
	}
	return "SELECT " + strings.Join(selected, ", ")
}

// update returns the UPDATE of some columns, and of those that are computed from their stored values. Its last
// arguments are the identifier.
func (p *plan) update(changed, kept []*column) string {
	return p.dialect.text(func(b *builder) string {
		var set []string
		for _, c := range changed {
			set = append(set, c.quoted+" = "+c.written(b.value(nil)))
		}
		for _, c := range kept {
			value := c.quoted
			if c.field == p.record.Version {
				value = nextVersion(c)
			}
			set = append(set, c.quoted+" = "+value)
		}
		return "UPDATE " + p.quoted + " SET " + strings.Join(set, ", ") + " WHERE " + hasKey(b, p.ids) + p.returning()
	})
}

// nextVersion returns an expression for the version after the stored one.
func nextVersion(c *column) string {
	return fmt.Sprintf("CASE WHEN %[1]s >= 0 AND %[1]s < %[2]d THEN %[1]s + 1 ELSE 1 END", c.quoted, c.field.LastVersion())
}

// dialect is the [Dialect] of a database, with its facts.
type dialect struct {
	Dialect

	facts BaseDialect
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
type builder struct{ values []any }

// mark encloses the number of an argument. It occurs nowhere else in a statement.
const mark = "\x00"

// value adds an argument and returns its mark.
func (b *builder) value(v any) string {
	b.values = append(b.values, v)
	return mark + strconv.Itoa(len(b.values)-1) + mark
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
		at, _ := strconv.Atoi(number)
		args, text = append(args, b.values[at]), after
		if d.facts.Numbered {
			out.WriteString("$" + strconv.Itoa(len(args)))
		} else {
			out.WriteByte('?')
		}
	}
}

// text returns a statement whose arguments are given when it runs.
func (d *dialect) text(write func(b *builder) string) string {
	b := new(builder)
	statement, _ := d.statement(b, write(b))
	return statement
}

// insertInto writes an INSERT of a row with values for some columns.
func (d *dialect) insertInto(b *builder, table string, columns []*column) string {
	marks := make([]string, len(columns))
	for i, c := range columns {
		marks[i] = c.written(b.value(nil))
	}
	return "INSERT INTO " + table + " (" + list(columns) + ") VALUES (" + strings.Join(marks, ", ") + ")"
}

// forChange returns the end of a SELECT that locks rows which may be changed.
func (d *dialect) forChange() string {
	if d.facts.ForChange != "" {
		return " " + d.facts.ForChange
	}
	return " FOR UPDATE"
}

// forDelete returns the end of a SELECT that locks rows which are deleted, so that nothing can reference them any more, or
// rows that lose a reference.
func (d *dialect) forDelete(deleted bool) string {
	if deleted {
		return " FOR UPDATE"
	}
	return d.forChange()
}

// selectWhere writes a SELECT of columns of a table, for rows that match a condition.
func selectWhere(columns []*column, table, condition string) string {
	return "SELECT " + strings.Join(reads(columns), ", ") + " FROM " + table + " WHERE " + condition
}

// list writes the names of columns.
func list(columns []*column) string { return strings.Join(names(columns), ", ") }

// names returns the quoted names of columns.
func names(columns []*column) []string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = c.quoted
	}
	return quoted
}

// reads returns the expressions that read columns.
func reads(columns []*column) []string {
	expressions := make([]string, len(columns))
	for i, c := range columns {
		expressions[i] = c.read
	}
	return expressions
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

// listOf returns values as one argument that the database can unnest: JSON, or an array.
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

// arrayOf returns values as a slice of one type. A user's own type may return a number for one value and null, or text,
// for another.
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

var errMixed = errors.New("sqlstore: values are of different types, or empty")
