package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/internal/wrapping"
	"github.com/trove-api/trove/store"
)

// RunWrapper tests a store that wraps another one: it fails for each thing that the inner
// store is beside a store.Store (a store.Checker, WriteChecker, QueryChecker, Adviser, Pinger, ResponseKeeper, BatchGetter, or Grouper) and that resource.New does not find behind the wrapper. It begins a transaction of the wrapper
// and rolls it back. [Run] and its like tell whether the wrapper is a store still.
func RunWrapper[T any](t *testing.T, inner, wrapper store.Store[T]) {
	t.Helper()
	for _, loss := range losses(t.Context(), inner, wrapper) {
		t.Error(loss)
	}
}

// losses lists what a wrapper has lost.
func losses[T any](ctx context.Context, inner, wrapper store.Store[T]) []string {
	const remedy = " is not found behind the wrapper: give it a method Unwrap() any that returns the inner store"
	var lost []string
	for _, part := range []struct {
		name      string
		had, kept bool
	}{
		{"store.Checker", is[store.Checker](inner), is[store.Checker](wrapper)},
		{"store.QueryChecker", is[store.QueryChecker](inner), is[store.QueryChecker](wrapper)},
		{"store.Pinger", is[store.Pinger](inner), is[store.Pinger](wrapper)},
		{"store.WriteChecker", is[store.WriteChecker](inner), is[store.WriteChecker](wrapper)},
		{"store.Adviser", is[store.Adviser](inner), is[store.Adviser](wrapper)},
	} {
		if part.had && !part.kept {
			lost = append(lost, "the inner store's "+part.name+remedy)
		}
	}
	_, had := inner.(store.BatchGetter[T])
	if _, kept := wrapper.(store.BatchGetter[T]); had && !kept {
		lost = append(lost, "the inner store's store.BatchGetter is not found: give the wrapper a method GetMany, which does what its Get does")
	}
	if knowsGroups(inner) && !knowsGroups(wrapper) {
		lost = append(lost, "that the inner store answers groups is not said by the wrapper: give it a method Groups() bool that returns true, if its List hands on the whole query or reads store.Condition.Any and store.Order.NullUnless")
	}
	if !is[store.ResponseKeeper](inner) {
		return lost
	}
	if _, keeps := wrapper.(store.ResponseKeeper); !keeps {
		return append(lost, "the inner store's store.ResponseKeeper is not found: give the wrapper a method CheckResponses, if its transactions are a store.ResponseTx")
	}
	rollback := errors.New("storetest: roll back")
	err := wrapper.Transact(ctx, func(_ context.Context, tx store.Tx[T]) error {
		if _, ok := tx.(store.ResponseTx); !ok {
			lost = append(lost, "the wrapper is a store.ResponseKeeper, but its transactions are no store.ResponseTx: hand on Answer and KeepResponse of the inner ones")
		}
		return rollback
	})
	if !errors.Is(err, rollback) {
		lost = append(lost, "the error that ends a transaction of the wrapper is not returned by its Transact")
	}
	return lost
}

func is[I any](s any) bool {
	_, ok := wrapping.As[I](s)
	return ok
}
