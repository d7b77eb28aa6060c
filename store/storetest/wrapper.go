package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
)

// RunWrapper tests a store that wraps another one. It fails for each capability of the inner store that resource.New
// does not find in the wrapper. It checks store.Checker, Pinger, LogKeeper, BatchGetter, Grouper, Trasher and
// ResponseKeeper, and the methods CheckQuery, CheckInserts and Advise. To test the last one, it begins a transaction of the wrapper and rolls it back. Use
// [Suite] to test that the wrapper is a correct store.
func RunWrapper[T any](t *testing.T, inner, wrapper store.Store[T]) {
	t.Helper()
	for _, loss := range losses(t.Context(), inner, wrapper) {
		t.Error(loss)
	}
}

// losses returns a message for each capability that the wrapper has lost.
func losses[T any](ctx context.Context, inner, wrapper store.Store[T]) []string {
	const remedy = " is not found through the wrapper: give the wrapper a method Unwrap() any that returns the inner store"
	var lost []string
	for _, part := range []struct {
		name      string
		had, kept bool
	}{
		{"store.Checker", is[store.Checker](inner), is[store.Checker](wrapper)},
		{"CheckQuery", is[untyped.QueryChecker](inner), is[untyped.QueryChecker](wrapper)},
		{"store.Pinger", is[store.Pinger](inner), is[store.Pinger](wrapper)},
		{"store.LogKeeper", is[store.LogKeeper](inner), is[store.LogKeeper](wrapper)},
		{"CheckInserts", is[untyped.WriteChecker](inner), is[untyped.WriteChecker](wrapper)},
		{"Advise", is[untyped.Adviser](inner), is[untyped.Adviser](wrapper)},
	} {
		if part.had && !part.kept {
			lost = append(lost, "the inner store's "+part.name+remedy)
		}
	}
	_, had := inner.(store.BatchGetter[T])
	if _, kept := wrapper.(store.BatchGetter[T]); had && !kept {
		lost = append(lost, "the inner store's store.BatchGetter is lost: give the wrapper a method GetMany that does for each id what its Get does")
	}
	_, had = inner.(store.Trasher)
	if _, kept := wrapper.(store.Trasher); had && !kept {
		lost = append(lost, "the inner store's store.Trasher is lost: if the wrapper's List passes on Query.Deleted, and its transactions are a store.TrashTx, give it a method Trashes() bool that returns true")
	}
	if supportsGroups(inner) && !supportsGroups(wrapper) {
		lost = append(lost, "the inner store's store.Grouper is lost: if the wrapper's List passes on the whole query, or reads store.Condition.Any and store.Order.NullUnless, give it a method Groups() bool that returns true")
	}
	if supportsWords(inner) && !supportsWords(wrapper) {
		lost = append(lost, "the inner store's store.FullTexter is lost: if the wrapper's List passes on the whole query, give it a method SearchesWords() bool that returns true")
	}
	if !is[store.ResponseKeeper](inner) {
		return lost
	}
	if _, keeps := wrapper.(store.ResponseKeeper); !keeps {
		return append(lost, "the inner store's store.ResponseKeeper is lost: if the wrapper's transactions are a store.ResponseTx, give it a method CheckResponses")
	}
	rollback := errors.New("storetest: roll back")
	err := wrapper.Transact(ctx, func(_ context.Context, tx store.Tx[T]) error {
		if _, ok := tx.(store.ResponseTx); !ok {
			lost = append(lost, "the wrapper is a store.ResponseKeeper, but its transactions are not a store.ResponseTx: pass on Response and KeepResponse of the inner transaction")
		}
		return rollback
	})
	if !errors.Is(err, rollback) {
		lost = append(lost, "the wrapper's Transact does not return the error of its function")
	}
	return lost
}

func supportsWords(s any) bool {
	searcher, ok := s.(store.FullTexter)
	return ok && supportsGroups(s) && searcher.SearchesWords()
}

func is[I any](s any) bool {
	_, ok := untyped.As[I](s)
	return ok
}
