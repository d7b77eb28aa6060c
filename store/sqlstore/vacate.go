package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/huandu/go-sqlbuilder"

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
	if !of.dialect.RowLocks {
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
		forChange := " " + r.of.dialect.forChange()
		b := r.of.dialect.Flavor.NewSelectBuilder()
		r.lock, _ = b.Select("count(*)").From("(" + l.rows(b, r) + " ORDER BY " + strings.Join(names(r.of.ids), ", ") + forChange + ") AS locked").Build()
		b = r.of.dialect.Flavor.NewSelectBuilder()
		r.locked, _ = b.Select("CASE WHEN (SELECT count(*) FROM (" + l.rows(b, r) + forChange + " SKIP LOCKED) AS locked) = " +
			"(SELECT count(*) FROM (" + l.rows(b, r) + ") AS found) THEN 1 ELSE 0 END").Build()
	}
}

// rows writes the statement for the rows of a table that lose a reference, with the identifier of
// the deleted record once for each of their sources.
func (l *leaving) rows(b *sqlbuilder.SelectBuilder, r *referring) string {
	sources := make([]string, len(r.sources))
	for i, source := range r.sources {
		sources[i] = r.of.selectIDs(source(l.of.given(func(int) string { return b.Var(0) })))
	}
	return r.of.selectIDs(tuple(r.of.ids) + " IN (" + strings.Join(sources, " UNION ALL ") + ")")
}

// referrersFirst sorts tables so that each comes before those that it refers to, if there are no
// circles. The order is the same for each program that declares the tables alike.
func referrersFirst(tables []*plan) (sorted []*plan) {
	met := map[*plan]bool{}
	var visit func(p *plan)
	visit = func(p *plan) {
		if p == nil || met[p] || p.err() != nil {
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

// forChange is what a SELECT ends with that locks rows which may be changed.
func (d Dialect) forChange() string {
	if d.ForChange != "" {
		return d.ForChange
	}
	return "FOR UPDATE"
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
		all, err := t.number(ctx, each.locked, slices.Repeat(id, 2*len(each.sources))...)
		if err != nil {
			return err
		}
		if all == 0 {
			t.overtaken, t.failed = true, errOvertaken
			return errOvertaken
		}
	}
	return nil
}

// number returns the number that a statement finds.
func (t *transaction) number(ctx context.Context, statement string, args ...any) (n int64, err error) {
	rows, err := t.Query(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	if rows.Next() {
		err = rows.Scan(&n)
	}
	return n, t.db.finish(ctx, rows, err)
}
