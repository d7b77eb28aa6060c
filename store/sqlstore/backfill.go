package sqlstore

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// filled is how many rows one statement of a backfill changes. Its time grows with the square of that.
const filled = 250

// fill computes a column that the store fills in, for rows that lack it.
type fill struct {
	plan   *plan
	column *column
}

// source returns the column that stores the field of a column that the store fills in, or the object that has the field.
func (p *plan) source(c *column) *column { return p.byName[c.path.Fields[0].Name].value }

// reacher is implemented by dialects of databases without the operators of PostgreSQL for JSON.
type reacher interface {
	// Reaches returns a condition that a document has a value other than null at a path of names.
	Reaches(document string, names []string) string
}

// stale writes which rows lack the value although their field has one: those that are null, and the strings with the default
// of rows that old programs have inserted.
func (f *fill) stale() string {
	c, value := f.column, f.plan.byName[f.column.path.Name].value
	lacks := c.quoted + " IS NULL"
	if c.nullable {
		lacks = and(lacks, f.hasValue())
	}
	if c.typ == text && !c.keyed && c != value {
		return or(lacks, and(c.quoted+" = ''", value.quoted+" <> ''"))
	}
	return lacks
}

// hasValue writes that the last part of the path that can be null is not.
func (f *fill) hasValue() string {
	fields, document, names := f.column.path.Fields, f.plan.source(f.column).quoted, []string(nil)
	for i := range fields {
		if fields[i].Type.Nullable {
			names = mapped(fields[1:i+1], func(f *model.Field) string { return f.Name })
		}
	}
	if own := as[reacher](f.plan.dialect); own != nil && len(names) > 0 {
		return own.Reaches(document, names)
	}
	if last := len(names) - 1; last >= 0 {
		objects := mapped(names[:last], func(name string) string { return " -> '" + name + "'" })
		document += strings.Join(objects, "") + " ->> '" + names[last] + "'" // whose null is that of SQL
	}
	return document + " IS NOT NULL"
}

// run fills the rows in the order of the identifier. It reads each part outside of a transaction; a row that meanwhile gets
// its value keeps that.
func (f *fill) run(ctx context.Context) error {
	p := f.plan
	columns := append(slices.Clone(p.ids), p.source(f.column)) // others may be missing, or have null
	var after key
	for {
		b := new(builder)
		condition := f.stale()
		if after != nil {
			condition = and(condition, "("+list(p.ids)+") > ("+strings.Join(mapped(after, b.value), ", ")+")")
		}
		statement, args := p.dialect.statement(b, selectWhere(columns, p.quoted, condition)+" ORDER BY "+list(p.ids)+" LIMIT "+b.value(filled))
		var keys []key
		var values []any
		err := p.whole(ctx, p.db, found{columns: columns, statement: statement, args: args}, func(record reflect.Value) error {
			id, err := p.keyOf(record.Elem())
			if err != nil {
				return err
			}
			value, err := f.column.valueIn(record.Elem())
			keys, values = append(keys, id), append(values, value)
			return err
		})
		if err == nil && len(keys) > 0 {
			err = f.write(ctx, keys, values)
		}
		if err != nil || len(keys) < filled {
			return err
		}
		after = keys[len(keys)-1]
	}
}

// write sets the column of some rows with one statement.
func (f *fill) write(ctx context.Context, keys []key, values []any) error {
	p, b := f.plan, new(builder)
	var text strings.Builder
	text.WriteString("UPDATE " + p.quoted + " SET " + f.column.quoted + " = CASE")
	typ, _, _ := strings.Cut(p.typeOf(f.column), " COLLATE")
	for i, id := range keys {
		equal := make([]string, len(id))
		for n, part := range id {
			equal[n] = p.ids[n].quoted + " = " + b.value(part)
		}
		value := b.value(values[i])
		if p.dialect.facts.Numbered { // such a placeholder has no type of its own
			value = "CAST(" + value + " AS " + typ + ")"
		}
		text.WriteString(" WHEN " + strings.Join(equal, " AND ") + " THEN " + value)
	}
	text.WriteString(" END WHERE " + and(p.where(b).anyOf(p.ids, keys), f.stale()))
	statement, args := p.dialect.statement(b, text.String())
	_, err := p.db.Exec(ctx, statement, args...)
	return err
}

// step returns the step of the fill.
func (f *fill) step() Step {
	return Step{
		Phase: backfill, Safe: true, fill: f,
		Purpose: "Go computes " + f.column.name + " of existing rows of " + f.plan.name + " from " + f.column.path.Name + ", 250 rows at a time.",
		Lock:    "rows, for a moment",
		OldPrograms: goOn + ", but do not fill the column: call Migrate again when they have stopped, for rows that they insert; a row whose " +
			f.column.path.Name + " they change keeps the old " + f.column.name,
	}
}

// defaultOf returns the value that a new column has in existing rows: that of the tag default, or zero. References and
// values that must be unique have none.
func (p *plan) defaultOf(c *column) (value string, has bool) {
	if c.unique || c.field.Unique && !c.shadow || p.isID(c) || c.field.Reference != nil || c.parts != nil {
		return "", false
	}
	record := reflect.New(p.typ)
	p.record.Stamp(record.Interface(), nil)
	v := record.Elem()
	if field := c.path.Fields[0]; len(c.path.Fields) == 1 && field.Default != nil {
		if err := json.Unmarshal(field.Default, field.Value(v).Addr().Interface()); err != nil {
			return "", false
		}
	}
	stored, err := c.valueIn(v)
	if err == nil {
		value, err = literal(stored, p.facts.TimeLayout)
	}
	return value, err == nil
}

// rejectsZero reports whether the rules of a field without a default reject zero, so that changes of records with it fail.
func (p *plan) rejectsZero(f *model.Field) bool {
	checker, err := check.OfField(p.record, f)
	if err != nil || f.Default != nil {
		return false
	}
	found, err := checker.Check(context.Background(), reflect.New(p.typ).Interface(), codec.Decoded{})
	return err == nil && !found.IsEmpty()
}
