package sqlstore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// statements are the texts of a table that are always the same.
type statements struct {
	fields   []*column // what get and lock read
	selected string    // selects the fields
	rows     string    // selects them from the table
	get      string
	many     string // get for an array of identifiers; "" where they are given in another way
	lock     string // get, for a transaction that may change the record
	// hold is what comes before get in place of lock, where one statement would see lists as they
	// were before it waited: it takes the lock alone. "" for nothing.
	hold    string
	claim   string // takes the lock for a delete, which keeps others from referring to the record; "" without locks of rows
	insert  string // with the identifier
	create  string // without it
	advance string // keeps an identifier that was given from being made; "" where that needs nothing
	remove  string

	// returned is what insert, create and updates return: the identifier, what the table
	// may keep as another value, and what updates make of what it has; for a table that
	// others made all fields, for its triggers and defaults may have a word in them.
	returned []*column
	// reread and remade return it of a record that was written, and of one whose identifier was made, for databases whose
	// writes return nothing; else they are "".
	reread, remade string
}

// prepare writes them.
func (p *plan) prepare() {
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
	s.get = d.text(func(b *builder) string { return s.rows + " WHERE " + p.hasKey(b) })
	if id := p.ids[0]; len(p.ids) == 1 && d.facts.Arrays && (id.typ == integer || id.typ == text) {
		s.many = d.text(func(b *builder) string { return s.rows + " WHERE " + d.InList(id.quoted, b.value(nil)) })
	}
	s.lock = s.get
	if d.facts.RowLocks {
		ids := d.text(func(b *builder) string { return selectWhere(p.ids, p.quoted, p.hasKey(b)) })
		s.claim = ids + " FOR UPDATE"
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
		s.reread = d.text(func(b *builder) string { return selectWhere(s.returned, p.quoted, p.hasKey(b)) })
		s.remade = selectWhere(s.returned, p.quoted, p.ids[0].quoted+" = "+made)
	}
	s.remove = d.text(func(b *builder) string { return "DELETE FROM " + p.quoted + " WHERE " + p.hasKey(b) })
	if p.counts {
		s.advance = d.AdvanceIdentity(p.name, p.ids[0].name)
	}
}

// returning ends a statement that writes a row.
func (p *plan) returning() string {
	if p.dialect.facts.LastIdentity != "" {
		return ""
	}
	return " RETURNING " + list(p.statements.returned)
}

// selected writes the SELECT of columns of the table.
func (p *plan) selected(columns []*column) string {
	selected := names(columns)
	for i, c := range columns {
		if c.list != nil {
			selected[i] = c.list.selected
		}
	}
	return "SELECT " + strings.Join(selected, ", ")
}

// updates are the texts of updates by the columns that they write. They are kept up to a
// number, for clients could change the members of a wide record in many combinations.
type updates struct {
	mu    sync.RWMutex
	texts map[string]string
}

const maxUpdates = 200

// update returns the update of some columns, written once, and of those that are made of
// what the table has; the identifier is the last arguments.
func (p *plan) update(changed, kept []*column) string {
	var key []byte
	for _, c := range changed {
		key = append(append(key, c.name...), ' ')
	}
	for _, c := range kept {
		key = append(append(key, '='), c.name...)
	}
	p.updates.mu.RLock()
	text := p.updates.texts[string(key)]
	p.updates.mu.RUnlock()
	if text != "" {
		return text
	}
	text = p.dialect.text(func(b *builder) string { return p.writeUpdate(b, changed, kept) })
	p.updates.mu.Lock()
	defer p.updates.mu.Unlock()
	if p.updates.texts == nil {
		p.updates.texts = map[string]string{}
	}
	if len(p.updates.texts) < maxUpdates {
		p.updates.texts[string(key)] = text
	}
	return text
}

func (p *plan) writeUpdate(b *builder, changed, kept []*column) string {
	var set []string
	for _, c := range changed {
		set = append(set, c.quoted+" = "+b.value(nil))
	}
	for _, c := range kept {
		value := c.quoted
		if c.field == p.record.Version {
			value = nextVersion(c)
		}
		set = append(set, c.quoted+" = "+value)
	}
	return "UPDATE " + p.quoted + " SET " + strings.Join(set, ", ") + " WHERE " + p.hasKey(b) + p.returning()
}

// nextVersion returns the expression for the version that follows that in a column.
func nextVersion(c *column) string {
	return fmt.Sprintf("CASE WHEN %[1]s >= 0 AND %[1]s < %[2]d THEN %[1]s + 1 ELSE 1 END", c.quoted, c.field.LastVersion())
}

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
