package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// affected are records of one table that a delete changes: it deletes them, or they lose a reference.
type affected struct {
	plan    *plan
	keys    []key
	deleted bool
	trashed bool        // the delete moves records to the trash
	before  map[any]any // copies by hashable key; nil for a table whose changes are not noted
}

// onDelete prepares the delete of a record: it locks the records that the delete changes, checks that no reference to
// one of them restricts it, and stamps those that lose a reference. The foreign keys of the database do the rest. It
// returns the record, those that are deleted with it, and then those that lose a reference. A delete to the trash changes only
// living records.
func (t *tx) onDelete(ctx context.Context, p *plan, id key, trashed bool) ([]affected, error) {
	all, err := t.lockAffected(ctx, p, id, trashed)
	if err == nil && (trashed || len(all) > 1) { // the database could ignore references of records that it deletes too
		err = t.t.restricted(ctx, all)
	}
	for i := 0; i < len(all) && err == nil; i++ {
		if t.t.changes.has(all[i].plan) {
			all[i].before, err = all[i].plan.byKey(ctx, t.t, all[i].keys, false)
		}
		if err == nil && !all[i].deleted {
			err = t.t.stamp(ctx, new(builder), all[i].plan, all[i].keys)
		}
	}
	return all, err
}

// lockAffected locks the records that a delete changes, and returns them.
//
// It locks referencing records before referenced ones, as transactions do that change a record: they have locked it,
// and lock the records it references when they write. In the opposite order the two would wait for each other. Once all
// are locked, nothing can reference them any more. The second search finds references that others have added before. It
// does not wait for a record that another transaction has locked; this one runs again instead.
func (t *tx) lockAffected(ctx context.Context, p *plan, id key, trashed bool) ([]affected, error) {
	all, err := t.t.affectedBy(ctx, p, id, trashed, false)
	needsLock := trashed || len(p.referrers().changed) > 0 || t.t.changes.has(p) && len(t.read[id.hashable()]) == 0
	if err != nil || !needsLock || !p.dialect.facts.RowLocks {
		return all, err
	}
	var locked []key
	for _, each := range slices.Backward(all) {
		isOne := each.among(func(b *builder) string { return each.plan.where(b).anyOf(each.plan.ids, each.keys) })
		if locked, err = t.t.rows(ctx, each.plan, isOne, " ORDER BY "+list(each.plan.ids)+p.dialect.forDelete(each.deleted)); err != nil {
			return nil, err
		}
	}
	if len(locked) == 0 { // of the deleted record, which is the first: another transaction could insert it only now
		return nil, store.ErrNotFound
	}
	all, err = t.t.affectedBy(ctx, p, id, trashed, true)
	t.t.overtaken = t.t.overtaken || err != nil && t.t.db.driver.Fault(err).Kind == UnavailableFault
	return all, err
}

// affectedBy returns the records that a delete changes, as onDelete does. It reads them level by level. Most records
// are not referenced, so that is checked first, with one statement. If locks is true, it locks all but the record
// itself, and returns an error if another transaction has locked one.
func (t *transaction) affectedBy(ctx context.Context, p *plan, id key, trashed, locks bool) ([]affected, error) {
	level := []affected{{plan: p, keys: []key{id}, deleted: true, trashed: trashed}}
	links := p.referrers()
	if len(links.changed) == 0 {
		return level, nil
	}
	if found, err := t.db.first(ctx, t, links.hasChanged, slices.Repeat(id, len(links.changed))); err != nil || !found {
		return level, err
	}
	var deleted, changed []affected
	for seen := map[any]bool{[3]any{p, id.hashable(), true}: true}; len(level) > 0; {
		var next []affected
		for _, each := range level {
			found, err := t.referring(ctx, each, locks)
			if err != nil {
				return nil, err
			}
			for _, with := range found {
				if with.deleted {
					next = with.addTo(next, seen)
				} else {
					changed = with.addTo(changed, seen)
				}
			}
		}
		deleted, level = append(deleted, level...), next
	}
	return append(deleted, changed...), nil
}

// referring returns the records that the delete of others deletes, or that lose a reference by it.
func (t *transaction) referring(ctx context.Context, to affected, locks bool) (found []affected, err error) {
	for _, link := range to.plan.referrers().changed {
		from, lock := affected{plan: link.of, deleted: link.onDelete == model.Cascade, trashed: to.trashed}, ""
		if to.trashed && !model.TakesAlong(link.of.record, link.column.field, to.plan.record) {
			continue
		}
		if locks {
			lock = link.of.dialect.forDelete(from.deleted) + " NOWAIT"
		}
		if from.keys, err = t.rows(ctx, link.of, from.among(link.to(to.keys)), lock); err != nil {
			return nil, err
		}
		found = append(found, from)
	}
	return found, nil
}

// among returns a condition for those of the rows that count: a delete to the trash ignores others there.
func (a affected) among(rows func(b *builder) string) func(b *builder) string {
	if !a.trashed {
		return rows
	}
	return func(b *builder) string { return a.plan.living(rows(b)) }
}

// addTo adds the records that were not seen to those of the same table, as many as one statement can have.
func (a affected) addTo(all []affected, seen map[any]bool) []affected {
	for _, id := range a.keys {
		one := [3]any{a.plan, id.hashable(), a.deleted}
		if seen[one] {
			continue
		}
		seen[one] = true
		i := slices.IndexFunc(all, func(to affected) bool { return to.plan == a.plan && len(to.keys) < a.plan.atOnce() })
		if i < 0 {
			i, all = len(all), append(all, affected{plan: a.plan, deleted: a.deleted, trashed: a.trashed})
		}
		all[i].keys = append(all[i].keys, id)
	}
	return all
}

// restricted returns the error of a reference that restricts the delete of records, nil if there is none. References of
// the first record do not count.
func (t *transaction) restricted(ctx context.Context, all []affected) error {
	for _, each := range all {
		if !each.deleted {
			break
		}
		for _, link := range each.plan.referrers().restrict {
			from := affected{plan: link.of, trashed: each.trashed}
			found, err := t.rows(ctx, link.of, from.among(link.to(each.keys)), " LIMIT 2") // one may be the first record
			if err != nil {
				return err
			}
			if slices.ContainsFunc(found, func(id key) bool { return link.of != all[0].plan || !id.is(all[0].keys[0]) }) {
				return store.ReferenceError{Record: link.of.typ, Field: link.column.field.Name, Referred: true}
			}
		}
	}
	return nil
}

// holds reports whether the first of the records that a delete changes may reference itself, or others that are deleted with
// it, such that these cannot be deleted before it.
func (p *plan) holds(all []affected) bool {
	return slices.ContainsFunc(p.linksOf(p.columns), func(l link) bool {
		return l.onDelete == model.Restrict && slices.ContainsFunc(all, func(a affected) bool { return a.deleted && a.plan == l.target })
	})
}

// removeFirst deletes the row of a record before those that are deleted with it, and does what its foreign keys would do.
func (t *transaction) removeFirst(ctx context.Context, p *plan, id key, all []affected) (n int64, err error) {
	isIt := func(b *builder) string { return p.where(b).anyOf(p.ids, []key{id}) }
	if _, err := t.rows(ctx, p, isIt, p.dialect.forDelete(true)); err != nil {
		return 0, err
	}
	if err := t.restricted(ctx, all); err != nil {
		return 0, err
	}
	for _, c := range p.lists {
		if _, err := t.Exec(ctx, c.list.clear, id...); err != nil {
			return 0, err
		}
	}
	if n, err = t.Exec(ctx, p.dialect.facts.RowChecks(p.statements.remove), id...); err != nil || n == 0 {
		return n, err
	}
	for _, l := range p.referrers().changed {
		from, isList := l.of.quoted, l.column.list != nil
		if isList {
			from = l.column.list.quoted
		}
		statement := p.dialect.text(func(b *builder) string {
			if isList || l.onDelete == model.Cascade {
				return "DELETE FROM " + from + " WHERE " + hasKey(b, l.from)
			}
			return "UPDATE " + from + " SET " + strings.Join(names(l.from), " = NULL, ") + " = NULL WHERE " + hasKey(b, l.from)
		})
		if _, err := t.Exec(ctx, statement, id...); err != nil {
			return 0, err
		}
	}
	return n, nil
}
