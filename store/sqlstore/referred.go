package sqlstore

import (
	"context"
	"reflect"
	"slices"

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

// eachDeleted calls visit with a record, and with all that are deleted with it, until visit wants no more.
func (t *transaction) eachDeleted(ctx context.Context, p *plan, id key, visit func(deleted rowsOf) (more bool, err error)) error {
	met := map[*plan]map[any]bool{p: {id.hashable(): true}}
	for todo := []rowsOf{{p, []key{id}}}; len(todo) > 0; {
		deleted := todo[0]
		if todo = todo[1:]; len(deleted.keys) > maxTogether {
			todo = append(todo, rowsOf{deleted.plan, deleted.keys[maxTogether:]})
			deleted.keys = deleted.keys[:maxTogether]
		}
		if more, err := visit(deleted); err != nil || !more {
			return err
		}
		for _, other := range t.db.plans() {
			found, err := t.referring(ctx, other, deleted, model.Cascade)
			if err != nil {
				return err
			}
			if met[other] == nil {
				met[other] = map[any]bool{}
			}
			with := rowsOf{plan: other}
			for _, id := range found {
				if !met[other][id.hashable()] {
					met[other][id.hashable()] = true
					with.keys = append(with.keys, id)
				}
			}
			if len(with.keys) > 0 {
				todo = append(todo, with)
			}
		}
	}
	return nil
}

// referring returns the rows of a table that refer to others, with an ondelete.
func (t *transaction) referring(ctx context.Context, of *plan, to rowsOf, onDelete model.OnDelete) (found []key, err error) {
	for _, link := range of.links() {
		if link.target != to.plan || link.onDelete != onDelete {
			continue
		}
		b := new(builder)
		statement, args := of.dialect.statement(b, selectWhere(of.ids, of.quoted, of.where(link, anyOf(b, link.from, to.keys))))
		record, scanner := reflect.New(of.typ).Elem(), newScanner(of.ids, nil, nil)
		err := t.db.each(ctx, t, statement, args, func(rows Rows) error {
			if err := scanner.scan(rows, record); err != nil {
				return err
			}
			id, err := of.keyOf(record)
			found = append(found, id)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// restricting finds what keeps a record from being deleted: a restricting reference to it, or to a record that would be
// deleted with it. What the record itself refers to does not count. It is nil if there is none.
func (t *transaction) restricting(ctx context.Context, p *plan, id key) (found *store.ReferenceError, err error) {
	err = t.eachDeleted(ctx, p, id, func(deleted rowsOf) (more bool, err error) {
		for _, other := range t.db.plans() {
			for _, link := range other.restricting(deleted.plan) {
				holds, err := t.any(ctx, other, func(b *builder) string {
					condition := other.where(link, anyOf(b, link.from, deleted.keys))
					if other == p {
						condition = and(condition, "NOT "+anyOf(b, p.ids, []key{id}))
					}
					return condition
				})
				if err != nil {
					return false, err
				}
				if holds {
					found = &store.ReferenceError{Record: other.typ, Field: link.column.field.Name, Referred: true}
					return false, nil
				}
			}
		}
		return true, nil
	})
	return found, err
}

// restricting lists the references of a table that keep rows of another one from being deleted.
func (p *plan) restricting(target *plan) []link {
	return slices.DeleteFunc(p.links(), func(l link) bool { return l.target != target || l.onDelete != model.Restrict })
}
