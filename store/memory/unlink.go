package memory

import (
	"context"
	"errors"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// unlink deletes the records that refer to one by a field with ondelete=cascade, and sets the
// references to null that have ondelete=null. Out of lists it is taken by either. It holds each of them, as any other change does.
// One that is saved meanwhile is noticed when the transaction is.
func (s *Store[T]) unlink(ctx context.Context, whole *joint, by *relation, key value, all *departure) error {
	t := s.partOf(whole)
	for _, id := range t.referring(by.column, key) {
		found, err := t.load(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return err
		case !by.column.refersTo(found.now, key):
			continue // another transaction was before this one
		case by.onDelete == model.Cascade && by.column.elements == nil:
			err = t.remove(ctx, id, all)
		default:
			record := s.clone(found.now.record.(*T))
			by.forget(reflect.ValueOf(record).Elem(), found.now, key)
			err = t.UpdateOwn(ctx, id, record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget sets a reference to null, or takes a key out of a list. The record is a copy of that of
// the row.
func (r *relation) forget(record reflect.Value, of *row, key value) {
	field := r.field.Value(record)
	if r.column.elements == nil {
		field.SetZero()
		return
	}
	kept := 0
	for i, has := range r.column.keys(of) {
		if has != key {
			field.Index(kept).Set(field.Index(i))
			kept++
		}
	}
	field.SetLen(kept)
}

// referring lists the identifiers of the records that have a value in a column, as they are
// saved or as the transaction sees them.
func (t *transaction[T]) referring(of *column, key value) (ids []any) {
	id := func(r *row) any { return t.store.shape.idOf(r.record.(*T)) }
	t.store.table.mu.RLock()
	t.store.table.referring(of, key, func(r *row) bool {
		ids = append(ids, id(r))
		return true
	})
	t.store.table.mu.RUnlock()
	for i := range t.staged.changes {
		if c := &t.staged.changes[i]; c.now != nil && c.now != c.saved && of.refersTo(c.now, key) {
			ids = append(ids, c.id)
		}
	}
	return ids
}
