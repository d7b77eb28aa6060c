package sqlstore

import (
	"context"
	"strings"

	"github.com/huandu/go-sqlbuilder"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// referred returns the error of a deleted record that others refer to, if err is one. SQLite does not say which; its
// transaction goes on, and nobody else writes meanwhile.
func (t *transaction) referred(ctx context.Context, p *plan, id key, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	fault := t.db.driver.Fault(err)
	if fault.Kind != ForeignKeyFault {
		return err
	}
	if fault.Constraint != "" {
		for _, other := range t.db.plans() {
			if field := other.fieldOfKey(fault.Constraint); field != "" {
				return store.ReferenceError{Record: other.typ, Field: field, Referred: true}
			}
		}
		return err
	}
	deleted := func(b *sqlbuilder.SelectBuilder) string {
		return p.given(func(part int) string { return b.Var(id[part]) })
	}
	if found := t.referrer(ctx, p, deleted, map[*plan]bool{}); found != nil {
		return *found
	}
	return err
}

// rows writes what the identifiers of some rows are within. It is written once in a statement, with the identifier of
// the deleted record as its arguments.
type rows func(b *sqlbuilder.SelectBuilder) string

// referrer finds what keeps rows of a table from being deleted: what refers to them, or to rows that would be deleted
// with them.
func (t *transaction) referrer(ctx context.Context, p *plan, deleted rows, met map[*plan]bool) *store.ReferenceError {
	if met[p] {
		return nil
	}
	met[p] = true
	for _, other := range t.db.plans() {
		if field := t.holdsOn(ctx, other, p, deleted); field != "" {
			return &store.ReferenceError{Record: other.typ, Field: field, Referred: true}
		}
	}
	for _, other := range t.db.plans() {
		for _, key := range other.foreignKeys() {
			if key.target != p || key.column.field.Reference.OnDelete != model.Cascade {
				continue
			}
			with := func(b *sqlbuilder.SelectBuilder) string {
				return "SELECT " + strings.Join(names(other.ids), ", ") + " FROM " + quote(other.name) +
					" WHERE " + tuple(key.column.whole()) + " IN (" + deleted(b) + ")"
			}
			if found := t.referrer(ctx, other, with, met); found != nil {
				return found
			}
		}
	}
	return nil
}

// holdsOn returns the field by which rows of a table keep rows of another one from being deleted, "" for none.
func (t *transaction) holdsOn(ctx context.Context, other, p *plan, deleted rows) string {
	for _, key := range other.foreignKeys() {
		if key.target == p && key.column.field.Reference.OnDelete == model.Restrict && t.refers(ctx, other.name, key.column.whole(), deleted) {
			return key.column.field.Name
		}
	}
	for _, c := range other.lists {
		if other.target(c) == p && c.list.onDelete(c) == model.Restrict && t.refers(ctx, c.list.name, c.list.target.whole(), deleted) {
			return c.field.Name
		}
	}
	return ""
}

// refers reports whether a table has a row that refers to one of the deleted rows.
func (t *transaction) refers(ctx context.Context, table string, columns []*column, deleted rows) bool {
	b := t.db.Dialect().Flavor.NewSelectBuilder().Select(quote(columns[0].name)).From(quote(table))
	there, err := t.any(ctx, b.Where(tuple(columns)+" IN ("+deleted(b)+")"))
	return err == nil && there
}
