package filter_test

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// source has records of one struct, and the records that their references lead to.
type source struct {
	record *model.Struct
	mines  *[]*mine // nil for mines themselves
}

func (s source) Field(name string) (*filter.Field, error) { return filter.FieldOf(s.record, name) }

func (s source) Identifier() model.Identifier { return s.record.Identifier() }

func (s source) Through(c *store.Condition) (filter.Match, error) {
	other, reach, err := s.Reach(c.Through)
	if err != nil {
		return nil, err
	}
	return filter.Behind(other, c, reach)
}

func (s source) Reach(field string) (filter.Sortable, filter.Reach, error) {
	if s.mines == nil {
		return nil, nil, errors.New("not a reference")
	}
	keys, err := s.Field(field)
	other := compiled[mine]()
	return other, func(_ context.Context, record reflect.Value) (found []any, err error) {
		wanted, err := keys.All(record, nil)
		for _, each := range *s.mines {
			id, _ := filter.Identifier(other.record).Of(reflect.ValueOf(each).Elem())
			if slices.Contains(wanted, id) {
				found = append(found, each)
			}
		}
		return found, err
	}, err
}

func compiled[T any]() source {
	record, err := model.Compile(reflect.TypeFor[T]())
	if err != nil {
		panic(err)
	}
	return source{record: record}
}
