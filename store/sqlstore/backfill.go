package sqlstore

import (
	"context"
	"reflect"
	"strings"
)

// filled is how many rows one statement of a backfill changes. Its time grows with the square of that.
const filled = 250

// fill computes a column that the store fills in, for rows that lack it.
type fill struct {
	plan   *plan
	column *column
}

// stale writes which rows lack the value: those that are null, and the strings with the default of rows that old programs
// have inserted.
func (f *fill) stale() string {
	c := f.column
	if source := f.plan.byName[c.path.Name].value; c.typ == text && !c.keyed && c != source {
		return or(c.quoted+" IS NULL", and(c.quoted+" = ''", source.quoted+" <> ''"))
	}
	return c.quoted + " IS NULL"
}

// findStale returns a query for a row that lacks the value although its field has one.
func (f *fill) findStale() string {
	condition := f.stale()
	if f.column.nullable {
		condition = and(condition, f.plan.byName[f.column.path.Name].value.quoted+" IS NOT NULL")
	}
	return "SELECT 1 FROM " + f.plan.quoted + " WHERE " + condition + " LIMIT 1"
}

// run fills the rows in the order of the identifier. It reads each part outside of a transaction; a row that meanwhile gets
// its value keeps that.
func (f *fill) run(ctx context.Context) error {
	p := f.plan
	var after key
	for {
		b := new(builder)
		condition := f.stale()
		if after != nil {
			condition = and(condition, "("+list(p.ids)+") > ("+strings.Join(mapped(after, b.value), ", ")+")")
		}
		statement, args := p.dialect.statement(b, p.statements.rows+" WHERE "+condition+" ORDER BY "+list(p.ids)+" LIMIT "+b.value(filled))
		var keys []key
		var values []any
		err := p.whole(ctx, p.db, statement, args, func(record reflect.Value) error {
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
