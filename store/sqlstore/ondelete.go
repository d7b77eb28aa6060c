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

// deletion has the statements that prepare the delete of a record. They lock the records that reference it, directly or
// through others, and stamp those that lose a reference. The database sets the reference to null, or removes it from
// their lists, without stamping the records.
type deletion struct {
	of        *plan   // the table of the deleted record
	tables    []*plan // the tables declared when the statements were written
	stamps    []stamp
	referrers []*referrers // the tables with records to lock, if the database locks rows
	// inner reports that records which are deleted with the first one can restrict its delete. Depending on its order
	// of work, the database could ignore their references.
	inner bool
	// partial reports that references lead to a table in several ways, such as in a tree. The statements are about the
	// records along the first one.
	partial bool
}

// stamp stamps the records of one table. Its last arguments are the identifier of the deleted record.
type stamp struct {
	statement string
	of        *plan
	modified  *column // set to the current time; nil if the struct has no such field
}

// deletion returns the statements for deletes from the plan's table. They are written once for the tables declared so
// far.
func (p *plan) deletion() *deletion {
	tables := p.db.plans()
	if made := p.deletions.Load(); made != nil && slices.Equal(made.tables, tables) {
		return made
	}
	made := &deletion{of: p, tables: tables}
	if !p.foreign {
		deleted := map[*plan]bool{}
		made.add(p, func(id string) string { return id }, map[*plan]bool{}, deleted)
		made.inner = made.restricts(deleted)
		made.prepare()
	}
	p.deletions.Store(made)
	return made
}

// add adds the statements for deleted rows of a table and for rows of others that are deleted with them, and adds these
// tables to deleted. Ids writes a query for the identifiers of the deleted rows.
func (d *deletion) add(p *plan, ids func(id string) string, seen, deleted map[*plan]bool) {
	if seen[p] {
		d.partial = true
		return
	}
	seen[p] = true
	for _, other := range d.tables {
		for _, link := range other.links() {
			if link.target != p {
				continue
			}
			rows := func(id string) string { return other.where(link, tuple(link.from)+" IN ("+ids(id)+")") }
			switch link.onDelete {
			case model.SetNull:
				d.stamp(other, rows)
				d.refer(other, rows, false)
			case model.Cascade:
				deleted[other] = true
				d.refer(other, rows, true)
				d.add(other, func(id string) string { return selectWhere(other.ids, other.quoted, rows(id)) }, seen, deleted)
			}
		}
	}
}

// restricts reports whether one of the tables with deleted records can restrict the delete.
func (d *deletion) restricts(deleted map[*plan]bool) bool {
	for from := range deleted {
		for _, link := range from.links() {
			if link.onDelete == model.Restrict && (deleted[link.target] || link.target == d.of) {
				return true
			}
		}
	}
	return false
}

// stamp adds the statement that stamps some rows of a table, if its records have stamps.
func (d *deletion) stamp(of *plan, rows func(id string) string) {
	made := stamp{of: of}
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
	made.statement, _ = of.dialect.statement(b, "UPDATE "+of.quoted+" SET "+strings.Join(set, ", ")+" WHERE "+rows(d.of.given(b)))
	d.stamps = append(d.stamps, made)
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

// prepareDelete returns an error if other records restrict the delete of a record, and stamps those that lose a
// reference.
func (t *transaction) prepareDelete(ctx context.Context, d *deletion, id key) error {
	if d.inner {
		found, err := t.restricting(ctx, d.of, id)
		if err != nil {
			return err
		}
		if found != nil {
			return *found
		}
	}
	for _, each := range d.stamps {
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

// referrers are the records of a table that lose a reference by a delete, or are deleted with the record.
type referrers struct {
	of      *plan
	sources []func(id string) string // the conditions for its rows
	deleted bool                     // some are deleted
	lock    string                   // locks the rows in the order of their keys
	locked  string                   // reports whether all rows are locked, at once
}

// refer adds rows of a table that lose a reference by a delete, or are deleted.
func (d *deletion) refer(of *plan, rows func(id string) string, deleted bool) {
	if !of.dialect.facts.RowLocks {
		return
	}
	at := slices.IndexFunc(d.referrers, func(r *referrers) bool { return r.of == of })
	if at < 0 {
		at, d.referrers = len(d.referrers), append(d.referrers, &referrers{of: of})
	}
	r := d.referrers[at]
	r.sources, r.deleted = append(r.sources, rows), r.deleted || deleted
}

// prepare sorts the tables, so that all transactions lock rows in the same order, and writes the statements.
func (d *deletion) prepare() {
	order := referrersFirst(d.tables)
	slices.SortStableFunc(d.referrers, func(a, b *referrers) int { return slices.Index(order, a.of) - slices.Index(order, b.of) })
	for _, r := range d.referrers {
		lock := r.of.dialect.forRemoval(r.deleted)
		r.lock = r.of.dialect.text(func(b *builder) string {
			return "SELECT count(*) FROM (" + d.rows(b, r) + " ORDER BY " + list(r.of.ids) + lock + ") AS locked"
		})
		r.locked = r.of.dialect.text(func(b *builder) string {
			return "SELECT CASE WHEN (SELECT count(*) FROM (" + d.rows(b, r) + lock + " SKIP LOCKED) AS locked) = " +
				"(SELECT count(*) FROM (" + d.rows(b, r) + ") AS found) THEN 1 ELSE 0 END"
		})
	}
}

// forRemoval returns the end of a SELECT that locks rows which may be deleted, so that nothing can reference them any
// more, or rows that lose a reference.
func (d *dialect) forRemoval(deleted bool) string {
	if deleted {
		return " FOR UPDATE"
	}
	return d.forChange()
}

// rows writes the statement for the rows of a table that lose a reference. It has the identifier of the deleted record
// once for each source.
func (d *deletion) rows(b *builder, r *referrers) string {
	sources := make([]string, len(r.sources))
	for i, source := range r.sources {
		sources[i] = selectWhere(r.of.ids, r.of.quoted, source(d.of.given(b)))
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

// lockReferrers locks the records that lose a reference by a delete or are deleted with the record, and then the record
// itself, so that nothing can reference it any more. It returns [store.ErrNotFound] if the record does not exist.
//
// All transactions lock referencing records before referenced ones: a transaction that changes a record has locked it,
// and locks the records it references when it writes. In the opposite order the two transactions could wait for each
// other. If another transaction has meanwhile added a reference and holds its record, that lock would come too late, so
// the transaction runs again. The last step begins with the records that reference the deleted one directly: once they
// are locked, nothing can reference them either.
func (t *transaction) lockReferrers(ctx context.Context, d *deletion, id key) error {
	if len(d.referrers) == 0 {
		return nil
	}
	for _, each := range d.referrers {
		if _, err := t.Exec(ctx, each.lock, slices.Repeat(id, len(each.sources))...); err != nil {
			return err
		}
	}
	switch found, err := t.db.first(ctx, t, d.of.statements.claim, id); {
	case err != nil:
		return err
	case !found:
		return store.ErrNotFound
	}
	for _, each := range slices.Backward(d.referrers) {
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

// eachDeleted calls visit with a record, and with all that are deleted with it, until visit returns false. If locks is
// true, it locks them.
func (t *transaction) eachDeleted(ctx context.Context, p *plan, id key, locks bool, visit func(deleted rowsOf) (more bool, err error)) error {
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
			found, err := t.referring(ctx, other, deleted, model.Cascade, locks)
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

// referring returns the rows of a table that reference others with an ondelete. If locks is true, it locks them first.
func (t *transaction) referring(ctx context.Context, of *plan, to rowsOf, onDelete model.OnDelete, locks bool) (found []key, err error) {
	for _, link := range of.links() {
		if link.target != to.plan || link.onDelete != onDelete {
			continue
		}
		b := new(builder)
		statement, args := of.dialect.statement(b, selectWhere(of.ids, of.quoted, of.where(link, anyOf(b, link.from, to.keys))))
		if locks {
			lock := statement + " ORDER BY " + list(of.ids) + of.dialect.forRemoval(onDelete == model.Cascade)
			if _, err := t.Exec(ctx, lock, args...); err != nil {
				return nil, err
			}
		}
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
	err = t.eachDeleted(ctx, p, id, false, func(deleted rowsOf) (more bool, err error) {
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
