package memory

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Refer links two stores: a field of the first one's records references the other one's records. The stores then share
// transactions.
//
// From then on no transaction can leave a new reference without its record. A write or delete that would do so returns
// store.ReferenceError, unless the field's ondelete has the referencing records deleted or their references set to
// null; from lists both remove the key. A delete fails immediately if a field with ondelete=restrict references the
// record, or one that would be deleted with it. References of the deleted record itself do not count. Existing
// references are not checked.
//
// The field must be a key or a list of keys; otherwise Refer returns an error.
func (s *Store) Refer(field string, to model.Linker) error {
	other, ok := to.(*Store)
	if !ok || s.table == nil || other.table == nil {
		return fmt.Errorf("store/memory: %q is not a reference between stores with records", field)
	}
	fields := s.shape.record.Fields
	i := slices.IndexFunc(fields, func(f *model.Field) bool { return f.Name == field && f.Reference != nil })
	if i < 0 {
		return fmt.Errorf("store/memory: %q is not a reference", field)
	}
	f := fields[i]
	if id := other.shape.key; !id.Accords(f.Reference.Key) {
		return fmt.Errorf("store/memory: %s has keys of type %s, but the identifier has type %s", field, f.Reference.Key.Go, id.Type())
	}
	column := s.shape.columns.byName[field]
	if column == nil || column.tree == noTree {
		return nil // its values have no order, so they cannot be looked up
	}
	s.Join(other)
	made := &relation{from: s, to: other, field: f, column: column, onDelete: f.Reference.OnDelete}
	isMade := func(r *relation) bool { return r.from == made.from && r.to == made.to && r.column == column }
	add(&s.linked.outgoing, made, isMade)
	add(&other.linked.incoming, made, isMade)
	return nil
}

// relation is a field of one store's records with keys of another one's.
type relation struct {
	from, to *Store
	field    *model.Field
	column   *column // the column of the field, in from
	onDelete model.OnDelete
}

// links are the relations of a store. Two APIs may add some while a third uses the store.
type links struct{ outgoing, incoming atomic.Pointer[[]*relation] }

// add appends an element to a list unless it is in there.
func add[E any](list *atomic.Pointer[[]E], made E, isMade func(E) bool) {
	for {
		old := list.Load()
		if all := loaded(list); !slices.ContainsFunc(all, isMade) {
			all = append(slices.Clip(all), made)
			if !list.CompareAndSwap(old, &all) {
				continue
			}
		}
		return
	}
}

// from returns the relations whose fields belong to the store's records.
func (l *links) from() []*relation { return loaded(&l.outgoing) }

// to returns the relations whose keys identify the store's records.
func (l *links) to() []*relation { return loaded(&l.incoming) }

func loaded[E any](list *atomic.Pointer[[]E]) []E {
	if all := list.Load(); all != nil {
		return *all
	}
	return nil
}

// referenceCheck is a check of a relation on commit: that the records which a transaction writes reference existing
// ones, or that none of those it deletes is still referenced.
type referenceCheck struct {
	by      *relation
	deletes bool
	staged  *staged
}

// errOvertaken is returned if references with ondelete=cascade or null were saved after the transaction searched for
// them. It runs again.
var errOvertaken = errors.New("store/memory: another transaction has added a reference to the record meanwhile; this one runs again")

// concern adds the checks that changes of the store's records need. Most need none.
func (l *links) concern(checks []referenceCheck, all *staged) []referenceCheck {
	for _, by := range l.from() {
		if slices.ContainsFunc(all.changes, by.isSet) {
			checks = append(checks, referenceCheck{by, false, all})
		}
	}
	for _, by := range l.to() {
		if slices.ContainsFunc(all.changes, isDelete) {
			checks = append(checks, referenceCheck{by, true, all})
		}
	}
	return checks
}

// isSet reports whether a change makes the record reference another one than before.
func (r *relation) isSet(c change) bool {
	if c.now == nil || c.now == c.saved {
		return false
	}
	if r.column.elements != nil {
		return slices.ContainsFunc(r.column.keys(c.now), func(key value) bool { return c.saved == nil || !r.column.refersTo(c.saved, key) })
	}
	now := c.now.value(r.column.tree)
	return now.present && (c.saved == nil || *c.saved.value(r.column.tree) != *now)
}

// keys returns the keys of a row in a reference column, without null.
func (c *column) keys(r *row) []value {
	if c.elements != nil {
		all, _ := c.elementsOf(r.record) // reading it succeeded when the row was made
		return all
	}
	if key := r.value(c.tree); key.present {
		return []value{*key}
	}
	return nil
}

// refersTo reports whether a row has a key in a reference column.
func (c *column) refersTo(r *row, key value) bool {
	if c.elements != nil {
		return slices.Contains(c.keys(r), key)
	}
	return *r.value(c.tree) == key
}

func isDelete(c change) bool { return c.saved != nil && c.now == nil }

// run runs the check. All tables that it reads must be locked.
func (c *referenceCheck) run(whole *joint) error {
	if c.deletes {
		return c.unreferred(whole.staging(c.by.from))
	}
	there := map[value]bool{} // of records that the transaction changes
	if other := whole.staging(c.by.to); other != nil {
		for i := range other.changes {
			if of := &other.changes[i]; of.now != nil {
				there[*of.now.value(0)] = true
			} else if of.saved != nil {
				there[*of.saved.value(0)] = false
			}
		}
	}
	targets := c.by.to.table
	for i := range c.staged.changes {
		if of := c.staged.changes[i]; c.by.isSet(of) && c.by.dangles(of, there, targets) {
			return store.ReferenceError{Record: c.by.from.shape.record.Go, Field: c.by.field.Name}
		}
	}
	return nil
}

// dangles reports whether a change adds a reference to a missing record. References that it had before are ignored.
func (r *relation) dangles(c change, there map[value]bool, targets *table) bool {
	return slices.ContainsFunc(r.column.keys(c.now), func(key value) bool {
		if c.saved != nil && r.column.refersTo(c.saved, key) {
			return false
		}
		is, changed := there[key]
		if !changed {
			_, is = targets.trees[0].rows.Get(probe(len(targets.trees), 0, key))
		}
		return !is
	})
}

// unreferred returns an error if a deleted record is still referenced.
func (c *referenceCheck) unreferred(changed *staged) error {
	becomes := map[*row]*row{}
	if changed != nil {
		for i := range changed.changes {
			if of := &changed.changes[i]; of.saved != nil {
				becomes[of.saved] = of.now
			}
		}
	}
	for i := range c.staged.changes {
		if !isDelete(c.staged.changes[i]) {
			continue
		}
		key, found := *c.staged.changes[i].saved.value(0), false
		c.by.from.table.referring(c.by.column, key, func(r *row) bool {
			now, is := becomes[r]
			found = !is || now != nil && c.by.column.refersTo(now, key)
			return !found
		})
		switch {
		case found && c.by.onDelete != model.Restrict:
			return errOvertaken
		case found:
			return store.ReferenceError{Record: c.by.from.shape.record.Go, Field: c.by.field.Name, Referred: true}
		}
	}
	return nil
}

// probe returns a row for searching: it comes before all rows with the value in a tree, or equals the one with it in
// the identifier's tree.
func probe(trees, tree int, key value) *row {
	r := new(row)
	r.first[0].integer = math.MinInt64 // rows with the value come after it, ordered by byIdentifier
	if more := trees - len(r.first); more > 0 {
		r.more = make([]value, more)
	}
	*r.value(tree) = key
	return r
}

// referring visits the saved rows with a key in a reference column, until yield returns false. The table must be
// locked.
func (t *table) referring(of *column, key value, yield func(*row) bool) {
	t.trees[of.tree].rows.Ascend(probe(len(t.trees), of.tree, key), func(r *row) bool {
		if *r.value(of.tree) != key {
			return false
		}
		if of.elements != nil { // the row is an entry for one element
			r, _ = t.trees[0].rows.Get(r)
		}
		return yield(r)
	})
}

// openOthers locks the tables that checks read and that the transaction has not locked. The caller must hold the
// domain's saving, so that no two callers wait for each other.
func (j *joint) openOthers(checks []referenceCheck) (opened []*table) {
	for i := range checks {
		other := checks[i].by.to
		if checks[i].deletes {
			other = checks[i].by.from
		}
		table := other.table
		if j.partOf(other) == nil && !slices.Contains(opened, table) {
			table.mu.RLock()
			opened = append(opened, table)
		}
	}
	return opened
}
