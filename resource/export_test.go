package resource

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
)

// Reflected declares a struct type that only reflection knows, for tests of New. Its store keeps nothing.
type Reflected struct {
	Type reflect.Type
	Of   Of[struct{}]
}

func (r Reflected) declare() definition {
	d := r.Of.declare()
	d.record, d.typeName = r.Type, r.Of.ShortName
	d.store = untyped.Of[struct{}](emptyStore{})
	return d
}

// emptyStore is a store without records, which takes every declaration.
type emptyStore struct{ store.Store[struct{}] }

func (emptyStore) Groups() bool                                   { return true }
func (emptyStore) Through(string, any) error                      { return nil }
func (emptyStore) CheckQuery(store.Query) error                   { return nil }
func (emptyStore) Answer(context.Context, string) ([]byte, error) { return nil, store.ErrNotFound }
