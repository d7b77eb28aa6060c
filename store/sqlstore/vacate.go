package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// referring is a table with records that lose a reference by a delete, or are deleted with the
// record.
type referring struct {
	of      *plan
	sources []func(id string) string // the conditions for its rows
	lock    string                   // locks the rows in the order of their keys
	locked  string                   // reports whether all rows are locked, at once
}

// refer notes that some rows of a table lose a reference by a delete.
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

// prepare sorts the tables, so that all transactions lock their rows in one order, and writes
// their statements.
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

// rows writes the statement for the rows of a table that lose a reference, with the identifier of
// the deleted record once for each of their sources.
func (l *leaving) rows(b *builder, r *referring) string {
	sources := make([]string, len(r.sources))
	for i, source := range r.sources {
		sources[i] = selectWhere(r.of.ids, r.of.quoted, source(l.of.given(b)))
	}
	return selectWhere(r.of.ids, r.of.quoted, tuple(r.of.ids)+" IN ("+strings.Join(sources, " UNION ALL ")+")")
}

// referrersFirst sorts tables so that each comes before those that it refers to, if there are no
// circles. The order is the same for each program that declares the tables alike.
func referrersFirst(tables []*plan) (sorted []*plan) {
	met := map[*plan]bool{}
	var visit func(p *plan)
	visit = func(p *plan) {
		if p == nil || met[p] || p.err != nil {
			return
		}
		met[p] = true
		for _, key := range p.foreignKeys() {
			visit(key.target)
		}
		for _, c := range p.lists {
			visit(p.target(c))
		}
		sorted = append(sorted, p)
	}
	for _, p := range tables {
		visit(p)
	}
	slices.Reverse(sorted)
	return sorted
}

// errOvertaken is of a delete whose record others have begun to refer to meanwhile.
var errOvertaken = fmt.Errorf("sqlstore: other records have begun to refer to the deleted one meanwhile: %w", store.ErrUnavailable)

// vacate locks the records that lose a reference when one is deleted, and then that record, so
// that nothing can refer to it anymore. All transactions lock records before what these refer to:
// one that changes a record has locked it, and locks what the record comes to refer to when it
// writes. If it locked the deleted record first, each of the two could wait for the other.
// A record that has begun to refer to the deleted one meanwhile, and that another transaction has
// locked, would have to be locked too late: the transaction is run again.
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
