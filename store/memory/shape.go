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
	id      *model.Field
	unique  []*model.Field // the identifier left out
	codec   *codec.Codec
	ids     sequence
	columns columns
}

// compile makes the shape of a struct type. Its error joins all that keeps records of
// the type from being stored.
func compile(t reflect.Type) (*shape, error) {
	compiled, err := model.Compile(t)
	if err != nil {
		return nil, err
	}
	copier, err := codec.Compile(&model.Type{Go: t, Kind: model.Object, Struct: compiled})
	s := &shape{name: t.Name(), id: compiled.ID, codec: copier}
	errs := []error{err, s.checkID()}
	for _, field := range compiled.Fields {
		if !field.Unique || field.Identifier {
			continue
		}
		s.unique = append(s.unique, field)
		errs = append(errs, s.checkUnique(field))
	}
	s.ids.limit, s.columns = limit(s.id.Type), columnsOf(compiled)
	return s, errors.Join(errs...)
}

// accepts returns the error of an id that is not of the identifier's type.
func (s *shape) accepts(id any) error {
	if got := reflect.TypeOf(id); got != s.id.Type.Go {
		return fmt.Errorf("store/memory: an id of %s is of the type %s, not %v", s.name, s.id.Type.Go, got)
	}
	return nil
}

// idOf returns the identifier of a record.
func (s *shape) idOf(record any) any {
	return s.id.Value(reflect.ValueOf(record).Elem()).Interface()
}
