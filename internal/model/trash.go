package model

import (
	"reflect"
	"slices"
	"time"

	"github.com/trove-api/trove/store"
)

// A record is living unless it is in the trash. This file decides it, for everything that reads records: lists by
// [Struct.Selected], other conditions by [Struct.Living], single records by [Struct.IsDeleted].

// Living returns the conditions that a record is living, none if the struct has no trash.
func (s *Struct) Living() []store.Condition { return s.trashed(false) }

// trashed returns the conditions that a record is in the trash, or that it is living.
func (s *Struct) trashed(is bool) []store.Condition {
	if s.Deleted == nil {
		return nil
	}
	return []store.Condition{{Fields: []string{s.Deleted.Name}, Operator: store.Exists, Values: []any{is}}}
}

// Selected returns the conditions of a query, with one for the records that its Deleted selects.
func (s *Struct) Selected(query store.Query) []store.Condition {
	if s.Deleted == nil || query.Deleted == store.WithDeleted {
		return query.Where
	}
	return slices.Concat(query.Where, s.trashed(query.Deleted == store.OnlyDeleted))
}

// IsDeleted reports whether a record, given without its pointer, is in the trash.
func (s *Struct) IsDeleted(record reflect.Value) bool { return !s.DeletedAt(record).IsZero() }

// DeletedAt returns when a record, given without its pointer, was moved to the trash; the zero time for a living one.
func (s *Struct) DeletedAt(record reflect.Value) time.Time {
	if s.Deleted == nil {
		return time.Time{}
	}
	at, _ := reflect.TypeAssert[*time.Time](s.Deleted.Value(record))
	if at == nil {
		return time.Time{}
	}
	return *at
}

// SetDeleted sets when a record, given without its pointer, was moved to the trash; the zero time makes it living.
func (s *Struct) SetDeleted(record reflect.Value, at time.Time) {
	switch {
	case s.Deleted == nil:
	case at.IsZero():
		s.Deleted.Value(record).SetZero()
	default:
		s.Deleted.Value(record).Set(reflect.ValueOf(new(at)))
	}
}

// ByID returns the query of the record with an id, in the trash or not.
func (s *Struct) ByID(id any, which store.Deleted) store.Query {
	query := store.Query{Deleted: which, Limit: 1}
	for i, f := range s.IDs {
		query.Where = append(query.Where, equals(f, s.Identifier().part(id, i)))
	}
	return query
}

// DeletedWith returns the query of the records that were deleted at a time and reference one of the records with some ids.
func (s *Struct) DeletedWith(reference *Field, ids []any, at time.Time) store.Query {
	return store.Query{Deleted: store.OnlyDeleted, Where: []store.Condition{equals(reference, ids...), equals(s.Deleted, at)}}
}

func equals(f *Field, values ...any) store.Condition {
	return store.Condition{Fields: []string{f.Name}, Operator: store.Equal, Values: values}
}

// Seen returns a change as listeners see it, and whether they see it at all: a record in the trash does not exist for them.
func (s *Struct) Seen(change store.Change) (store.Change, bool) {
	if s.Deleted == nil {
		return change, true
	}
	isHidden := func(record any) bool { return record != nil && s.IsDeleted(reflect.ValueOf(record).Elem()) }
	if isHidden(change.Before) {
		change.Before = nil
	}
	if isHidden(change.After) {
		change.After = nil
	}
	return change, change.Before != nil || change.After != nil
}

// TakesAlong reports whether the trash takes a record of from along with a record of to that it references by the field,
// and restoring brings it back.
func TakesAlong(from *Struct, field *Field, to *Struct) bool {
	return to.Deleted != nil && from.Deleted != nil && field.Reference.OnDelete == Cascade && !field.Reference.Many
}

// Outlives reports whether a record stays as it is while a record that it references by the field is in the trash.
func (f *Field) Outlives() bool {
	return f.Reference.OnDelete == SetNull || f.Reference.OnDelete == Cascade && f.Reference.Many
}

// NextDeletion returns the time of a deletion after another one, so that no two have the same: the records that a deletion
// has moved to the trash together are those with its time. Databases keep microseconds.
func NextDeletion(last time.Time) time.Time {
	now := time.Now().UTC().Truncate(time.Microsecond)
	if !now.After(last) {
		return last.UTC().Add(time.Microsecond)
	}
	return now
}
