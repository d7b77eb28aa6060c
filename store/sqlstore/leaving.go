package sqlstore

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// leaving has the statements that stamp the records which lose a reference when another record is deleted. The database
// sets the reference to null, or removes it from their lists, without stamping the records.
type leaving struct {
	of         *plan   // the table of the deleted record
	tables     []*plan // the tables declared when the statements were written
	statements []leave
	referring  []*referring // the tables with such records, if the database locks rows
	// inner reports that records which are deleted with the first one can restrict its delete. Depending on its order
	// of work, the database could ignore their references.
	inner bool
}

// leave stamps the records of one table. Its last arguments are the identifier of the deleted record.
type leave struct {
	statement string
	of        *plan
	modified  *column // set to the current time; nil if the struct has no such field
}

// leaving returns the statements for deletes from the plan's table. They are written once for the tables declared so
// far.
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

// add adds the statements for deleted rows of a table and for rows of others that are deleted with them, and adds these
// tables to deleted. Ids writes a query for the identifiers of the deleted rows.
func (l *leaving) add(p *plan, ids func(id string) string, seen, deleted map[*plan]bool) {
	if seen[p] {
		return // a cycle of tables; records deleted along it twice are not stamped
	}
	seen[p] = true
	for _, other := range l.tables {
		for _, link := range other.links() {
			if link.target != p {
				continue
			}
			rows := func(id string) string { return other.where(link, tuple(link.from)+" IN ("+ids(id)+")") }
			switch link.onDelete {
			case model.SetNull:
				l.stamp(other, rows)
				l.refer(other, rows)
			case model.Cascade:
				deleted[other] = true
				l.refer(other, rows)
				l.add(other, func(id string) string { return selectWhere(other.ids, other.quoted, rows(id)) }, seen, deleted)
			}
		}
	}
}

// restricts reports whether one of the tables with deleted records can restrict the delete.
func (l *leaving) restricts(deleted map[*plan]bool) bool {
	for from := range deleted {
		for _, link := range from.links() {
			if link.onDelete == model.Restrict && (deleted[link.target] || link.target == l.of) {
				return true
			}
		}
	}
	return false
}

// stamp adds the statement that stamps some rows of a table, if its records have stamps.
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

// given writes the identifier of the deleted record: a placeholder, or a row of several with casts, because databases
// cannot infer their types.
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

// leave prepares the delete of a record. It returns an error if other records restrict the delete, and stamps those
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

// referring is a table with records that lose a reference by a delete, or are deleted with the record.
type referring struct {
	of      *plan
	sources []func(id string) string // the conditions for its rows
	lock    string                   // locks the rows in the order of their keys
	locked  string                   // reports whether all rows are locked, at once
}

// refer adds rows of a table that lose a reference by a delete.
func (l *leaving) refer(of *plan, rows func(id string) string) {
	if !of.dialect.facts.RowLocks {
		return
	}
	at := slices.IndexFunc(l.referring, func(r *referring) bool { return r.of == of })
	if at < 0 {
		at, l.referring = len(l.referring), append(l.referring, &referring{of: of})
	}
	l.referring[at].sources = append(l.referring[at].sources, rows)
}

// prepare sorts the tables, so that all transactions lock rows in the same order, and writes the statements.
func (l *leaving) prepare() {
	if len(l.referring) == 0 {
		return
	}
	order := referrersFirst(l.tables)
	slices.SortStableFunc(l.referring, func(a, b *referring) int { return slices.Index(order, a.of) - slices.Index(order, b.of) })
	for _, r := range l.referring {
		d := r.of.dialect
		r.lock = d.text(func(b *builder) string {
			return "SELECT count(*) FROM (" + l.rows(b, r) + " ORDER BY " + list(r.of.ids) + d.forChange() + ") AS locked"
		})
		r.locked = d.text(func(b *builder) string {
			return "SELECT CASE WHEN (SELECT count(*) FROM (" + l.rows(b, r) + d.forChange() + " SKIP LOCKED) AS locked) = " +
				"(SELECT count(*) FROM (" + l.rows(b, r) + ") AS found) THEN 1 ELSE 0 END"
		})
	}
}

// rows writes the statement for the rows of a table that lose a reference. It has the identifier of the deleted record
// once for each source.
func (l *leaving) rows(b *builder, r *referring) string {
	sources := make([]string, len(r.sources))
	for i, source := range r.sources {
		sources[i] = selectWhere(r.of.ids, r.of.quoted, source(l.of.given(b)))
	}
	return selectWhere(r.of.ids, r.of.quoted, tuple(r.of.ids)+" IN ("+strings.Join(sources, " UNION ALL ")+")")
}

// referrersFirst sorts tables so that each comes before those it references, if there are no cycles. The order is the
// same in each program that declares the same tables.
func referrersFirst(tables []*plan) (sorted []*plan) {
	seen := map[*plan]bool{}
	var visit func(p *plan)
	visit = func(p *plan) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, link := range p.links() {
			visit(link.target)
		}
		sorted = append(sorted, p)
	}
	for _, p := range tables {
		visit(p)
	}
	slices.Reverse(sorted)
	return sorted
}

// errOvertaken is returned for a delete if another transaction has added references to the record meanwhile.
var errOvertaken = fmt.Errorf("sqlstore: other records have added references to the deleted one meanwhile: %w", store.ErrUnavailable)

// vacate locks the records that lose a reference by a delete, and then the record to delete, so that nothing can
// reference it any more.
//
// All transactions lock referencing records before referenced ones: a transaction that changes a record has locked it,
// and locks the records it references when it writes. In the opposite order the two transactions could wait for each
// other. If another transaction has meanwhile added a reference and holds its record, that lock would come too late, so
// the transaction runs again.
func (t *transaction) vacate(ctx context.Context, l *leaving, id key) error {
	if len(l.referring) == 0 {
		return nil
	}
	for _, each := range l.referring {
		if _, err := t.Exec(ctx, each.lock, slices.Repeat(id, len(each.sources))...); err != nil {
			return err
		}
	}
	if _, err := t.Exec(ctx, l.of.statements.claim, id...); err != nil {
		return err
	}
	for _, each := range l.referring {
		var all int64
		if _, err := t.db.first(ctx, t, each.locked, slices.Repeat(id, 2*len(each.sources)), &all); err != nil {
			return err
		}
		if all == 0 {
			t.overtaken, t.failed = true, errOvertaken
			return errOvertaken
		}
	}
	return nil
}

// referred returns err as the error of a delete that other records restrict, or nil if it is not one. SQLite does not
// report the reference, so it is queried; its transaction continues, and no other one writes meanwhile.
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

// rowsOf identifies rows of a table by their keys.
type rowsOf struct {
	plan *plan
	keys []key
}

// maxTogether is the maximum number of rows in one statement that finds referencing rows.
const maxTogether = 200

// eachDeleted calls visit with a record, and with all that are deleted with it, until visit returns false.
func (t *transaction) eachDeleted(ctx context.Context, p *plan, id key, visit func(deleted rowsOf) (more bool, err error)) error {
	seen := map[*plan]map[any]bool{p: {id.hashable(): true}}
	for queue := []rowsOf{{p, []key{id}}}; len(queue) > 0; {
		deleted := queue[0]
		if queue = queue[1:]; len(deleted.keys) > maxTogether {
			queue = append(queue, rowsOf{deleted.plan, deleted.keys[maxTogether:]})
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
			if seen[other] == nil {
				seen[other] = map[any]bool{}
			}
			if with := unseen(seen[other], found); len(with) > 0 {
				queue = append(queue, rowsOf{other, with})
			}
		}
	}
	return nil
}

// unseen returns the keys that are not in the set, and adds them.
func unseen(seen map[any]bool, keys []key) (others []key) {
	for _, id := range keys {
		if !seen[id.hashable()] {
			seen[id.hashable()] = true
			others = append(others, id)
		}
	}
	return others
}

// referring returns the rows of a table that reference others with an ondelete.
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

// restricting returns the reference that restricts the delete of a record: one to the record itself, or to a record
// that would be deleted with it. References of the record itself do not count. It is nil without one.
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

// restricting returns the references of a table that restrict deletes from another one.
func (p *plan) restricting(target *plan) []link {
	return slices.DeleteFunc(p.links(), func(l link) bool { return l.target != target || l.onDelete != model.Restrict })
}
