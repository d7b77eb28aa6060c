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
	const unwrap = "give the wrapper a method Unwrap() any that returns the inner store"
	keeps := has[store.ResponseKeeper](wrapper)
	var lost []string
	for _, part := range []struct {
		name      string
		had, kept bool
		remedy    string
	}{
		{"store.Checker", is[store.Checker](inner), is[store.Checker](wrapper), unwrap},
		{"CheckQuery", is[untyped.QueryChecker](inner), is[untyped.QueryChecker](wrapper), unwrap},
		{"store.Pinger", is[store.Pinger](inner), is[store.Pinger](wrapper), unwrap},
		{"store.LogKeeper", is[store.LogKeeper](inner), is[store.LogKeeper](wrapper), unwrap},
		{"CheckInserts", is[untyped.WriteChecker](inner), is[untyped.WriteChecker](wrapper), unwrap},
		{"Advise", is[untyped.Adviser](inner), is[untyped.Adviser](wrapper), unwrap},
		{"store.BatchGetter", has[store.BatchGetter[T]](inner), has[store.BatchGetter[T]](wrapper), "give the wrapper a method GetMany that does for each id what its Get does"},
		{"store.Trasher", has[store.Trasher](inner), has[store.Trasher](wrapper), "if the wrapper's List passes on Query.Deleted, and its transactions are a store.TrashTx, give it a method Trashes() bool that returns true"},
		{"store.Grouper", supportsGroups(inner), supportsGroups(wrapper), "if the wrapper's List passes on the whole query, or reads store.Condition.Any and store.Order.NullUnless, give it a method Groups() bool that returns true"},
		{"store.FullTexter", supportsWords(inner), supportsWords(wrapper), "if the wrapper's List passes on the whole query, give it a method SearchesWords() bool that returns true"},
		{"store.ResponseKeeper", is[store.ResponseKeeper](inner), keeps, "if the wrapper's transactions are a store.ResponseTx, give it a method CheckResponses"},
	} {
		if part.had && !part.kept {
			lost = append(lost, "the inner store's "+part.name+" is lost: "+part.remedy)
		}
	}
	if !keeps || !is[store.ResponseKeeper](inner) {
		return lost
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

// has reports whether a store itself implements an interface.
func has[I any](s any) bool {
	_, ok := s.(I)
	return ok
}

// is reports whether a store, or one that it wraps, implements an interface.
func is[I any](s any) bool {
	_, ok := untyped.As[I](s)
	return ok
}
