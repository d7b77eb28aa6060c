package memory

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// shape describes the struct of a store's records. Its methods take a pointer to that struct.
type shape struct {
	name    string
	record  *model.Struct
	id      *model.Field // nil if the identifier has several fields
	key     model.Identifier
	order   *filter.Field // reads the identifier
	records *codec.Records
	fields  map[string]*filter.Field // those that clients can name; there may be others
	indexes []index
}

// index is a field whose values are looked up: unique fields, references, and fields tagged index. Or it has the values of
// a constraint. Those that keep values apart have living records alone, references those in the trash too.
type index struct {
	field  *filter.Field      // nil for a constraint
	over   *filter.Constraint // nil for a field
	unique bool
	broken error // of two records with one value
	record *model.Struct
}

// values appends the values of a record, given without its pointer.
func (i *index) values(record reflect.Value, to []filter.Value) ([]filter.Value, error) {
	switch {
	case i.unique && i.record.IsDeleted(record):
		return to, nil
	case i.over == nil:
		return i.field.All(record, to)
	}
	key, period, err := i.over.Read(record)
	if key.IsNull() || err != nil {
		return to, err
	}
	return append(to, i.over.Start(key, period)), nil
}

// compile returns the shape of a struct. Its error joins all reasons why records cannot be stored.
func compile(record *model.Struct) (*shape, error) {
	s := &shape{
		name: record.Go.Name(), record: record, key: record.Identifier(), order: filter.Identifier(record), records: codec.CompileRecords(record),
	}
	s.fields = map[string]*filter.Field{}
	for _, path := range record.Paths() {
		s.fields[path.Name], _ = filter.FieldOf(record, path.Name) // the struct has it
	}
	var errs []error
	for _, field := range s.key.Fields() {
		errs = append(errs, s.checkID(field))
	}
	if !s.key.IsComposite() {
		s.id = record.ID
	}
	for _, field := range record.Fields {
		isUnique := field.Unique && field != s.id
		if isUnique && field.Type.Kind != model.Bytes && !field.Type.Ordered() {
			errs = append(errs, fmt.Errorf("store/memory: %s.%s: is unique and has type %s; a unique field must be a bool, number, string, []byte, "+
				"time.Time or a type that marshals itself as text", s.name, field.GoPath, field.Type.Go))
		}
		if isUnique || (field.Reference != nil || field.Indexed) && (field.Type.Ordered() || field.Type.ListsKeys()) {
			made, err := filter.FieldOf(record, field.Name)
			if isUnique && field.Reference != nil && record.Deleted != nil { // for references from the trash
				s.indexes = append(s.indexes, index{field: made, record: record})
			}
			s.indexes = append(s.indexes, index{field: made, unique: isUnique, broken: store.UniqueError{Field: field.Name}, record: record})
			errs = append(errs, err)
		}
	}
	for _, declared := range record.Constraints {
		if declared.IsIndex() {
			continue
		}
		over, err := filter.ConstraintOf(record, declared)
		s.indexes, errs = append(s.indexes, index{over: over, unique: declared.Unique, broken: declared.Broken, record: record}), append(errs, err)
	}
	return s, errors.Join(errs...)
}

// index returns the number of the index of a field, -1 if it has none.
func (s *shape) index(name string) int {
	return slices.IndexFunc(s.indexes, func(i index) bool { return i.field != nil && i.field.Name == name })
}

// inStore adds to an error where it comes from.
func inStore(err error) error { return fmt.Errorf("store/memory: %w", err) }

// newRow generates a record's identifier if it has none, and returns its row.
func (s *Store) newRow(record any) (*row, error) {
	if err := s.identify(record); err != nil {
		return nil, err
	}
	return s.row(record)
}

// row normalizes the values of a record, and returns its row.
func (s *Store) row(record any) (*row, error) {
	if err := s.shape.records.Normalize(reflect.ValueOf(record)); err != nil {
		return nil, inStore(err)
	}
	key, err := s.shape.order.Of(reflect.ValueOf(record).Elem())
	if err != nil {
		return nil, inStore(err)
	}
	return &row{key: key, record: record, in: s}, nil
}

// checkID returns an error for an identifier field that cannot be looked up or generated. A type that marshals itself
// as text must accept the text of a UUID, with the same value each time.
func (s *shape) checkID(id *model.Field) error {
	where := "store/memory: " + s.name + "." + id.GoPath
	if !id.Type.Go.Comparable() {
		return fmt.Errorf("%s: is the identifier and has type %s, which cannot be compared with ==; use an integer, a string or a UUID",
			where, id.Type.Go)
	}
	if id.Type.Kind != model.Text || !id.Generated {
		return nil
	}
	a, b := reflect.New(id.Type.Go).Elem(), reflect.New(id.Type.Go).Elem()
	text := []byte("0190b6d8-5c1f-7c3e-8f5a-3b1e5d7c9a24")
	for _, made := range []reflect.Value{a, b} {
		if err := model.UnmarshalText(made, text); err != nil {
			return fmt.Errorf("%s: is the identifier and has type %s, which does not accept a generated UUID such as %s: %w",
				where, id.Type.Go, text, err)
		}
	}
	if !a.Equal(b) {
		return fmt.Errorf("%s: is the identifier and has type %s, whose values for the same text are not ==; use a plain array or string, such as uuid.UUID",
			where, id.Type.Go)
	}
	return nil
}

// identify generates a record's identifier if it is a generated one and zero. Integers set by callers are not generated
// later. Only the transaction that holds the turn of the domain may call it.
func (s *Store) identify(record any) error {
	of := s.shape.id
	if of == nil {
		return nil
	}
	id := of.Value(reflect.ValueOf(record).Elem())
	switch {
	case !of.Generated || !id.IsZero():
		s.reserve(record)
		return nil
	case of.Type.Kind == model.Text:
		made, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("store/memory: generating a UUID: %w", err)
		}
		return model.UnmarshalText(id, []byte(made.String()))
	case s.last >= math.MaxInt64, id.CanInt() && id.OverflowInt(int64(s.last+1)), id.CanUint() && id.OverflowUint(s.last+1):
		return fmt.Errorf("store/memory: %s has no identifiers left: the largest %s is in use", s.shape.name, of.Type.Go)
	}
	if s.last++; id.CanInt() {
		id.SetInt(int64(s.last))
	} else {
		id.SetUint(s.last)
	}
	return nil
}

// reserve keeps the record's integer identifier from being generated.
func (s *Store) reserve(record any) {
	if s.shape.id == nil {
		return
	}
	id := s.shape.id.Value(reflect.ValueOf(record).Elem())
	switch {
	case id.CanInt() && id.Int() > 0:
		s.last = max(s.last, uint64(id.Int())) //nolint:gosec // positive
	case id.CanUint():
		s.last = max(s.last, id.Uint())
	}
}
