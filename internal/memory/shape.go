package memory

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// shape is what a store knows of the struct of its records, and the counter of their
// identifiers. Its methods take a pointer to that struct.
type shape struct {
	name    string
	record  *model.Struct
	id      *model.Field // nil where several fields make the identifier
	key     model.Identifier
	records *codec.Records
	ids     sequence
	columns columns
}

// compile makes the shape of a struct. Its error joins all that keeps its records from
// being stored.
func compile(compiled *model.Struct) (*shape, error) {
	s := &shape{name: compiled.Go.Name(), record: compiled, key: compiled.Identifier(), records: codec.CompileRecords(compiled)}
	var errs []error
	for _, field := range s.key.Fields() {
		errs = append(errs, s.checkID(field))
	}
	if s.columns = columnsOf(compiled); !s.key.IsComposite() {
		s.id, s.ids.limit = compiled.ID, limit(compiled.ID.Type)
	}
	for _, field := range compiled.Fields {
		if !field.Unique || field == s.id {
			continue
		}
		errs = append(errs, s.checkUnique(field))
	}
	return s, errors.Join(errs...)
}

// accepts returns the error of an id that is not of the identifier's type.
func (s *shape) accepts(id any) error {
	if !s.key.Accepts(id) {
		return fmt.Errorf("store/memory: an id of %s is of the type %s, not %T", s.name, s.key.Type(), id)
	}
	return nil
}

// normalize sets in a record what is kept of it.
func (s *shape) normalize(record any) error {
	if err := s.records.Normalize(reflect.ValueOf(record)); err != nil {
		return fmt.Errorf("store/memory: %w", err)
	}
	return nil
}

// carries reports whether a record has an identifier, of which is known whether the two
// are equal in their order.
func (s *shape) carries(record, id any, equal bool) bool {
	if s.id != nil && (s.id.Type.Kind.IsInteger() || s.id.Type.Kind == model.String) { // where that is ==
		return equal
	}
	return s.idOf(record) == id
}

// idOf returns the identifier of a record.
func (s *shape) idOf(record any) any {
	return s.key.Of(record)
}

// clone returns a copy of a record.
func (s *shape) clone(record any) any { return s.records.Clone(record) }

// checkUnique reports a unique field of a type whose values have no simple equality.
func (s *shape) checkUnique(field *model.Field) error {
	if readers[field.Type.Kind] != nil {
		return nil
	}
	return fmt.Errorf("store/memory: %s.%s: is unique and has the type %s: a unique field is a bool, number, string, []byte, "+
		"time.Time or a type that marshals itself as text", s.name, field.GoPath, field.Type.Go)
}
