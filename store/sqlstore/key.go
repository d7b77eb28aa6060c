package sqlstore

import (
	"reflect"

	"github.com/trove-api/trove/store"
)

// key is an identifier as its columns have it.
type key []any

// hashable returns the key as a map can have it.
func (k key) hashable() any {
	if len(k) == 1 {
		return hashable(k[0])
	}
	var parts store.Key
	for i, part := range k {
		parts[i] = hashable(part)
	}
	return parts
}

// bytesKey is a part of a key that is bytes, as a map can have it.
type bytesKey string

func hashable(part any) any {
	if bytes, ok := part.([]byte); ok {
		return bytesKey(bytes)
	}
	return part
}

// is reports whether two keys are one.
func (k key) is(other key) bool {
	for i := range k {
		if !same(k[i], other[i]) {
			return false
		}
	}
	return true
}

// keyOf returns the identifier of a record; v is the struct without its pointer.
func (p *plan) keyOf(v reflect.Value) (key, error) {
	values := make(key, len(p.ids))
	for i, c := range p.ids {
		var err error
		if values[i], err = c.bound(c.field.Value(v)); err != nil {
			return nil, err
		}
	}
	return values, nil
}
