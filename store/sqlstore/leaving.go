package sqlstore

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
)

// leaving are the statements that stamp the records which lose a reference when one is deleted:
// the database sets it to null, or takes it out of their lists, without counting a change.
type leaving struct {
	of         *plan   // of the deleted record
	tables     []*plan // that were declared when they were written
	statements []leave
	referring  []*referring // the tables with such records, for a database that locks rows
	// inner says that records which are deleted with the first one can restrict its delete. The database
	// would take their references for gone, depending on what it does first.
	inner bool
}

// leave stamps the records of one table. Its last arguments are the identifier of the deleted one.
type leave struct {
	statement string
	of        *plan
	modified  *column // set to this moment; nil for none
}

// leaving returns the statements for a deleted record of the plan, written once for the tables
// that there are.
func (p *plan) leaving() *leaving {
	tables := p.db.plans()
	if made := p.leaves.Load(); made != nil && slices.Equal(made.tables, tables) {
		return made
	}
	made := &leaving{of: p, tables: tables}
	if !p.foreign {
		deleted := map[*plan]bool{}
		made.add(p, func(id string) string { return id }, map[*plan]bool{}, deleted)
		made.inner = made.restricts(deleted)
		made.prepare()
	}
	p.leaves.Store(made)
	return made
}

// add adds the statements for deleted rows of a table, and for those of others that are deleted
// with them, which it adds to the tables whose records are deleted. The rows are written as what
// their identifiers are within.
func (l *leaving) add(p *plan, ids func(id string) string, met, deleted map[*plan]bool) {
	if met[p] {
		return // a circle of tables; what is deleted along it twice is not stamped
	}
	met[p] = true
	for _, other := range l.tables {
		if other.err != nil {
			continue
		}
		for _, key := range other.foreignKeys() {
			if key.target != p {
				continue
			}
			rows := func(id string) string { return tuple(key.column.whole()) + " IN (" + ids(id) + ")" }
			switch key.column.field.Reference.OnDelete {
			case model.SetNull:
				l.stamp(other, rows)
				l.refer(other, rows)
			case model.Cascade:
				deleted[other] = true
				l.refer(other, rows)
				l.add(other, func(id string) string { return selectWhere(other.ids, other.quoted, rows(id)) }, met, deleted)
			}
		}
		for _, c := range other.lists {
			if other.target(c) == p && c.list.onDelete(c) == model.Cascade {
				rows := func(id string) string { return other.inList(c, tuple(c.list.target.whole())+" IN ("+ids(id)+")") }
				l.stamp(other, rows)
				l.refer(other, rows)
			}
		}
	}
}

// stamp adds the statement that stamps some rows of a table, if its records are.
func (l *leaving) stamp(of *plan, rows func(id string) string) {
	made := leave{of: of}
	b := new(builder)
	var set []string
	for _, c := range of.own {
		switch {
		case c.shadow:
		case c.field == of.record.Version:
			set = append(set, c.quoted+" = "+nextVersion(c))
		case c.field == of.record.Modified:
			made.modified = c
			set = append(set, c.quoted+" = "+b.value(nil))
		}
	}
	if set == nil {
		return
	}
	made.statement, _ = of.dialect.statement(b, "UPDATE "+of.quoted+" SET "+strings.Join(set, ", ")+" WHERE "+rows(l.of.given(b)))
	l.statements = append(l.statements, made)
}

// given writes the identifier of the deleted record: a placeholder, or a row of several, whose types
// no database finds out.
func (p *plan) given(b *builder) string {
	if len(p.ids) == 1 {
		return b.value(nil)
	}
	parts := make([]string, len(p.ids))
	for i, c := range p.ids {
		parts[i] = p.dialect.Cast(b.value(nil), p.plainType(c))
	}
	return "SELECT " + strings.Join(parts, ", ")
}

// leave prepares the delete of a record: it returns the error of a delete that other records restrict, and stamps those
// that lose a reference.
func (t *transaction) leave(ctx context.Context, p *plan, id key) error {
	l := p.leaving()
	if err := t.vacate(ctx, l, id); err != nil {
		return err
	}
	if l.inner {
		found, err := t.restricting(ctx, p, id)
		if err != nil {
			return err
		}
		if found != nil {
			return *found
		}
	}
	for _, each := range l.statements {
		args := slices.Clone([]any(id))
		if each.modified != nil {
			record := reflect.New(each.of.typ)
			each.of.record.Touch(record.Interface())
			now, err := each.modified.valueIn(record.Elem())
			if err != nil {
				return err
			}
			args = append([]any{now}, id...)
		}
		if _, err := t.Exec(ctx, each.statement, args...); err != nil {
			return err
		}
	}
	return nil
}
