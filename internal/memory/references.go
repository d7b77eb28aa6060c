package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// relation is a field of one store's records with keys of another one's.
type relation struct {
	from, to *Store
	field    *model.Field
	index    int           // of the field, in tables of from
	keys     *filter.Field // reads the keys
	name     string        // for queries of the records of to; see [model.Struct.NameOf]
}

// Refer links two stores: a field of the first one's records references the other one's records. The stores then share
// transactions, which keep new references valid, as [store.ReferenceError] and the field's ondelete say. From a list,
// cascade and null both remove the key. Existing references are not checked.
//
// The field must be a key or a list of keys; otherwise Refer returns an error.
func (s *Store) Refer(field string, to model.Linker) error {
	other, ok := to.(*Store)
	if !ok || s.domain.Load() == nil || other.domain.Load() == nil {
		return fmt.Errorf("store/memory: %q is not a reference between stores with records", field)
	}
	f := s.shape.record.Field(field)
	if f == nil || f.Reference == nil {
		return fmt.Errorf("store/memory: %q is not a reference", field)
	}
	if id := other.shape.key; !id.Accords(f.Reference.Key) {
		return fmt.Errorf("store/memory: %s has keys of type %s, but the identifier has type %s", field, f.Reference.Key.Go, id.Type())
	}
	i := s.shape.index(field)
	if i < 0 {
		return nil // its values have no order, so they cannot be looked up
	}
	s.Join(other)
	s.change(func(saved *state) {
		if !slices.ContainsFunc(saved.relations, func(r *relation) bool { return r.from == s && r.to == other && r.field == f }) {
			saved.relations = append(slices.Clip(saved.relations), &relation{s, other, f, i, s.shape.indexes[i].field, s.shape.record.NameOf(f)})
		}
	})
	return nil
}

// Through returns nil if queries can filter and sort through a reference to the records of another store, or back to the
// records that reference those of this one. The stores must be linked by [Store.Refer]. Otherwise the error says why not.
func (s *Store) Through(reference string, other any) error {
	if s.Check(context.Background()) == nil {
		switch r, back := s.domain.Load().state.Load().relation(s, reference); { // a wrapper may return other results
		case r == nil:
		case !back && r.to.itself == other, back && r.from.itself == other:
			return nil
		}
	}
	return fmt.Errorf("store/memory: cannot query through %s: the store of the referenced records is not in memory, or is wrapped", reference)
}

// relation returns the relation that a reference of a store's records names, or the one reference to them that does, and
// which of them it is; nil for none or several.
func (s *state) relation(of *Store, reference string) (found *relation, back bool) {
	for _, r := range s.relations {
		switch {
		case r.from == of && r.field.Name == reference:
			return r, false
		case r.to == of && r.name == reference:
			if back {
				return nil, true
			}
			found, back = r, true
		}
	}
	return found, back
}

// checkReferences returns an error if a changed record references one that does not exist.
func (t *transaction) checkReferences(changes []store.Change) error {
	for _, change := range changes {
		before, _ := change.Before.(*row)
		after, _ := change.After.(*row)
		for _, r := range t.saved.relations {
			if after == nil || r.from != after.in || after.isDeleted() {
				continue
			}
			if dangles, err := t.dangles(r, before, after); dangles || err != nil {
				return cmp.Or(err, error(store.ReferenceError{Record: r.from.shape.record.Go, Field: r.field.Name}))
			}
		}
	}
	return nil
}

// dangles reports whether a living row references a record that does not exist. References that the row had before count
// only if the transaction has deleted their record. A record in the trash does not exist for new references, nor for
// those of a row that was in the trash itself, unless the row outlives the record.
func (t *transaction) dangles(r *relation, before, after *row) (bool, error) {
	var room [2][4]filter.Value
	keys, err := r.keys.All(after.value(), room[0][:0])
	if err != nil {
		return false, inStore(err)
	}
	had := room[1][:0]
	if before != nil && (r.field.Outlives() || !before.isDeleted()) {
		had, _ = r.keys.All(before.value(), had) // reading it succeeded when the row was added
	}
	was, is := t.saved.table(r.to), t.state.Load().table(r.to)
	return slices.ContainsFunc(keys, func(key filter.Value) bool {
		isNew := !slices.Contains(had, key)
		return is.rows.get(key) == nil && (was.rows.get(key) != nil || isNew) || isNew && is.living(key) == nil
	}), nil
}

// deletion is the delete of a record, with those that are deleted with it.
type deletion struct {
	whole *transaction
	ctx   context.Context //nolint:containedctx // a deletion is one call
	at    time.Time       // of a deletion to the trash; zero for one that is final
	gone  []*row          // the deleted records

	stamped map[target]bool // those that lost a reference, which is one change of each; nil for none yet
}

// target is a record of a store.
type target struct {
	in  *Store
	key filter.Value
}

// run deletes a record by a function. If that fails, so does the transaction, because a part of it may be done.
func (d *deletion) run(found *row, remove func(*row) error) error {
	err := remove(found)
	if err == nil {
		err = d.restricted()
	}
	if err != nil {
		d.whole.fail(err)
	}
	return err
}

// remove deletes a record. It deletes the records that reference it with ondelete=cascade, and sets references with
// ondelete=null to null. From lists both remove the key.
func (d *deletion) remove(gone *row) error {
	if err := d.whole.put(gone, nil); err != nil { // first, so that a cycle of references ends
		return err
	}
	d.gone = append(d.gone, gone)
	for _, r := range d.whole.saved.relations {
		if r.to != gone.in || r.field.Reference.OnDelete == model.Restrict {
			continue
		}
		for _, referring := range d.referring(r, gone.key) {
			if err := d.unlink(r, referring, gone.key); err != nil {
				return err
			}
		}
	}
	return nil
}

// referring returns the identifiers of the records with a key in a reference field.
func (d *deletion) referring(r *relation, key filter.Value) []filter.Value {
	return slices.Collect(d.whole.state.Load().table(r.from).indexes[r.index].with(key))
}

// unlink deletes a record that references a deleted one, or removes the reference from it.
func (d *deletion) unlink(r *relation, referring, key filter.Value) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	before := d.whole.state.Load().table(r.from).rows.get(referring)
	switch {
	case before == nil: // another reference had it deleted
		return nil
	case r.field.Reference.OnDelete == model.Cascade && !r.field.Reference.Many:
		return d.remove(before)
	}
	after := &row{key: referring, record: r.from.shape.records.Clone(before.record), in: r.from}
	if err := r.keys.Remove(after.value(), key); err != nil {
		return inStore(err)
	}
	if one := (target{r.from, referring}); !d.stamped[one] {
		if d.stamped == nil {
			d.stamped = map[target]bool{}
		}
		d.stamped[one] = true
		r.from.shape.record.Stamp(after.record, before.record)
	}
	return d.whole.put(before, after)
}

// restricted returns the error of a delete that a reference with ondelete=restrict forbids. Such a reference counts if
// it points to any of the deleted records, from a record that stays or is deleted by a cascade. References of the first
// deleted record do not count.
func (d *deletion) restricted() error {
	keys := map[target]bool{}
	for _, each := range d.gone {
		keys[target{each.in, each.key}] = true
	}
	for _, r := range d.whole.saved.relations {
		if r.field.Reference.OnDelete != model.Restrict {
			continue
		}
		isReferred := slices.ContainsFunc(d.gone, func(each *row) bool {
			return each.in == r.to && slices.ContainsFunc(d.referring(r, each.key), func(id filter.Value) bool {
				return d.at.IsZero() || d.whole.state.Load().table(r.from).living(id) != nil
			})
		})
		isReferred = isReferred || slices.ContainsFunc(d.gone[1:], func(each *row) bool {
			if each.in != r.from {
				return false
			}
			var room [4]filter.Value
			held, _ := r.keys.All(each.value(), room[:0]) // reading it succeeded when the row was added
			return slices.ContainsFunc(held, func(key filter.Value) bool { return keys[target{r.to, key}] })
		})
		if isReferred {
			return store.ReferenceError{Record: r.from.shape.record.Go, Field: r.field.Name, Referred: true}
		}
	}
	return nil
}
