package sqlstore

import (
	"context"
	"reflect"

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
	if found, failed := t.restricting(ctx, p, id); failed == nil && found != nil {
		return *found
	}
	return err
}

// rowsOf are some rows of a table, by their keys.
type rowsOf struct {
	plan *plan
	keys []key
}

// maxTogether is how many rows one statement asks for that lead to others.
const maxTogether = 200

// restricting finds what keeps a record from being deleted: a restricting reference to it, or to a record that would be
// deleted with it. What the record itself refers to does not count. It is nil if there is none.
func (t *transaction) restricting(ctx context.Context, p *plan, id key) (*store.ReferenceError, error) {
	root := rowsOf{p, []key{id}}
	met := map[*plan]map[any]bool{p: {id.hashable(): true}}
	for todo := []rowsOf{root}; len(todo) > 0; {
		deleted := todo[0]
		if todo = todo[1:]; len(deleted.keys) > maxTogether {
			todo = append(todo, rowsOf{deleted.plan, deleted.keys[maxTogether:]})
			deleted.keys = deleted.keys[:maxTogether]
		}
		for _, other := range t.db.plans() {
			field, err := t.holdsOn(ctx, other, deleted, root)
			if err != nil {
				return nil, err
			}
			if field != "" {
				return &store.ReferenceError{Record: other.typ, Field: field, Referred: true}, nil
			}
			with, err := t.deletedWith(ctx, other, deleted, met)
			if err != nil {
				return nil, err
			}
			if len(with.keys) > 0 {
				todo = append(todo, with)
			}
		}
	}
	return nil, nil //nolint:nilnil // nothing restricts it
}

// deletedWith returns the rows of a table that are deleted with others, but those that were met before.
func (t *transaction) deletedWith(ctx context.Context, other *plan, deleted rowsOf, met map[*plan]map[any]bool) (rowsOf, error) {
	with := rowsOf{plan: other}
	for _, reference := range other.foreignKeys() {
		if reference.target != deleted.plan || reference.column.field.Reference.OnDelete != model.Cascade {
			continue
		}
		found, err := t.keys(ctx, other, func(b *builder) string { return anyOf(b, reference.column.whole(), deleted.keys) })
		if err != nil {
			return with, err
		}
		if met[other] == nil {
			met[other] = map[any]bool{}
		}
		for _, id := range found {
			if !met[other][id.hashable()] {
				met[other][id.hashable()] = true
				with.keys = append(with.keys, id)
			}
		}
	}
	return with, nil
}

// keys returns the identifiers of the rows of a table that fulfill a condition.
func (t *transaction) keys(ctx context.Context, of *plan, condition func(b *builder) string) (found []key, err error) {
	b := new(builder)
	statement, args := of.dialect.statement(b, selectWhere(of.ids, of.quoted, condition(b)))
	record, scanner := reflect.New(of.typ).Elem(), newScanner(of.ids, nil, nil)
	err = t.db.each(ctx, t, statement, args, func(rows Rows) error {
		if err := scanner.scan(rows, record); err != nil {
			return err
		}
		id, err := of.keyOf(record)
		found = append(found, id)
		return err
	})
	return found, err
}

// holdsOn returns the field by which rows of a table, but for one, keep rows of another table from being deleted, "" for none.
func (t *transaction) holdsOn(ctx context.Context, other *plan, deleted, except rowsOf) (string, error) {
	for _, reference := range other.restricting(deleted.plan) {
		there, err := t.any(ctx, reference.table, func(b *builder) string {
			refers := anyOf(b, reference.to, deleted.keys)
			if other == except.plan {
				return and(refers, "NOT "+anyOf(b, reference.from, except.keys))
			}
			return refers
		})
		if err != nil || there {
			return reference.field, err
		}
	}
	return "", nil
}

// restriction is a reference with ondelete=restrict: its columns in a table, and those that identify the record that has it.
type restriction struct {
	field, table string
	from, to     []*column
}

// restricting lists the references of a table that keep rows of another one from being deleted.
func (p *plan) restricting(target *plan) (all []restriction) {
	for _, key := range p.foreignKeys() {
		if key.target == target && key.column.field.Reference.OnDelete == model.Restrict {
			all = append(all, restriction{key.column.field.Name, p.quoted, p.ids, key.column.whole()})
		}
	}
	for _, c := range p.lists {
		if p.target(c) == target && c.list.onDelete(c) == model.Restrict {
			all = append(all, restriction{c.field.Name, c.list.quoted, c.list.record, c.list.target.whole()})
		}
	}
	return all
}

// restricts reports whether some of the tables whose records are deleted can restrict the delete.
func (l *leaving) restricts(deleted map[*plan]bool) bool {
	for from := range deleted {
		for to := range deleted {
			if len(from.restricting(to)) > 0 {
				return true
			}
		}
		if len(from.restricting(l.of)) > 0 {
			return true
		}
	}
	return false
}
