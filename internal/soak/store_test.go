package soak_test

import (
	"context"

	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
)

// faulty is a store whose calls fail now and then.
type faulty[T any] struct {
	store.Store[T]

	faults *faults
}

// keeping is a faulty store that keeps responses, as its inner store does.
type keeping[T any] struct {
	faulty[T]
	store.ResponseKeeper
}

// withFaults wraps a store, and reports whether it keeps responses for repeated requests.
func withFaults[T any](inner store.Store[T], f *faults) (outer store.Store[T], keeps bool) {
	wrapped := faulty[T]{inner, f}
	if keeper, ok := inner.(store.ResponseKeeper); ok {
		return keeping[T]{wrapped, keeper}, true
	}
	return wrapped, false
}

func (s faulty[T]) Get(ctx context.Context, id any) (*T, error) {
	if err := s.faults.strike(ctx); err != nil {
		return nil, err
	}
	return s.Store.Get(ctx, id)
}

func (s faulty[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	if err := s.faults.strike(ctx); err != nil {
		return store.Page[T]{}, err
	}
	return s.Store.List(ctx, query)
}

func (s faulty[T]) Transact(ctx context.Context, fn func(context.Context, store.Tx[T]) error) error {
	if err := s.faults.strike(ctx); err != nil {
		return err
	}
	return s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return s.faults.spoil()
	})
}

// Check checks the inner store.
func (s faulty[T]) Check(ctx context.Context) error {
	if checker, ok := s.Store.(store.Checker); ok {
		return checker.Check(ctx)
	}
	return nil
}

// CheckQuery checks the inner store.
func (s faulty[T]) CheckQuery(query store.Query) error {
	if checker, ok := s.Store.(untyped.QueryChecker); ok {
		return checker.CheckQuery(query)
	}
	return nil
}
