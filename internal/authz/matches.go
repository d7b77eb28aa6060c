package authz

import (
	"context"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// records finds the records that conditions go through references to.
type records interface {
	// Referred returns the records of a struct with the keys, in the transaction of the request, nil for each that does
	// not exist. It returns those that are hidden from the caller too.
	Referred(ctx context.Context, of *model.Struct, keys []any) ([]any, error)
}

// source is where conditions of rules find their fields, and the records that references lead to.
type source struct {
	record *model.Struct
	caller *Caller
}

// Field returns a field of the records.
func (s source) Field(name string) (*filter.Field, error) { return filter.FieldOf(s.record, name) }

// Identifier returns the fields of the records' identifier.
func (s source) Identifier() model.Identifier { return s.record.Identifier() }

// Through returns the source of the records that a reference leads to, and how they are found.
func (s source) Through(field string) (filter.Source, filter.Reach, error) {
	f := s.record.Field(field) // checkThrough has checked that it is a reference
	return source{f.Reference.Target, s.caller}, func(ctx context.Context, record reflect.Value) (found []any, err error) {
		keys := keysOf(f, record)
		if len(keys) == 0 {
			return nil, nil
		}
		if s.caller.Records == nil {
			return nil, fmt.Errorf("a condition goes through %q, but nothing can find its records", field)
		}
		all, err := s.caller.Records.Referred(ctx, f.Reference.Target, keys)
		for _, other := range all {
			if other != nil {
				found = append(found, other)
			}
		}
		return found, err
	}, nil
}

// keysOf returns the keys in a reference of a record, none for null.
func keysOf(f *model.Field, record reflect.Value) (keys []any) {
	v := f.Value(record)
	switch {
	case f.Reference.Many:
		for i := range v.Len() {
			keys = append(keys, f.Reference.Key.KeyIn(v.Index(i)))
		}
		return keys
	case f.Type.Nullable && v.IsNil():
		return nil
	case f.Type.Nullable:
		v = v.Elem()
	}
	return append(keys, f.Reference.Key.KeyIn(v))
}

// checkThrough checks conditions of access.Filter that go through references, and those within. Only a request shows
// them, and a store would compare fields of the wrong records.
func checkThrough(conditions []store.Condition, s *model.Struct) error {
	for i := range conditions {
		within, through := s, conditions[i].Through
		if through != "" {
			f := s.Field(through)
			if f == nil || f.Reference == nil || f.Reference.Target == nil {
				return fmt.Errorf("a condition goes through %q, which is not a reference of %s%s", through, s.Go, naming.Allowed(through, references(s)))
			}
			if !f.Reference.Joined {
				return fmt.Errorf("a condition goes through %q of %s, but the store cannot query the records of %s; "+
					"keep both in memory or in one database, or implement store.Joiner", through, s.Go, f.Reference.Name)
			}
			within = f.Reference.Target
		}
		for _, list := range conditions[i].Any {
			if err := checkThrough(list, within); err != nil {
				return err
			}
		}
	}
	return nil
}

// references returns the names of the references of a struct.
func references(s *model.Struct) (names []string) {
	for _, f := range s.Fields {
		if f.Reference != nil {
			names = append(names, f.Name)
		}
	}
	return names
}
