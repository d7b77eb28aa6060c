package store

import (
	"context"
	"errors"
)

// Find returns the record that has a value in a member, by its JSON name: the one that there is of a
// unique member, such as a user by an e-mail, else the first in the order of identifiers. The value has the
// member's Go type, without the pointer of one that can be null. Where no record has it, the error is [ErrNotFound].
func Find[T any](ctx context.Context, in Store[T], member string, value any) (*T, error) {
	page, err := in.List(ctx, Query{
		Where: []Condition{{Fields: []string{member}, Operator: Equal, Values: []any{value}}},
		Limit: 1,
	})
	if err != nil {
		return nil, err
	}
	switch {
	case len(page.Items) > 0:
		return page.Items[0], nil
	case len(page.Broken) > 0: // there is one, which cannot be read
		return nil, errors.Join(page.Broken...)
	}
	return nil, ErrNotFound
}
