package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trove-api/trove/store"
)

// readInOrder reads the records that elements name in the order of their identifiers. Two requests that change the same
// records would otherwise lock them in different orders and wait for each other.
func readInOrder(ctx context.Context, elements []*element) error {
	var named []*element
	for _, e := range elements {
		if e.named {
			named = append(named, e)
		}
	}
	slices.SortStableFunc(named, func(a, b *element) int { return compareIDs(a.ID, b.ID) })
	for _, e := range named {
		err := e.readItem(ctx)
		if e.missing = errors.Is(err, store.ErrNotFound); err != nil && !e.missing {
			return placed(err, e.place)
		}
	}
	return nil
}

// compareIDs compares two identifiers of one resource: numbers as numbers, all others as strings.
func compareIDs(a, b any) int {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b)
		}
	case store.Key:
		if b, ok := b.(store.Key); ok {
			return slices.CompareFunc(a[:], b[:], compareIDs)
		}
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}
