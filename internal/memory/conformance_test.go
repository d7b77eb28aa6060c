package memory_test

import (
	"errors"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	t.Run("generated integers", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, open[storetest.Record])
	})
	t.Run("stamps", func(t *testing.T) {
		t.Parallel()
		storetest.RunStamps(t, open[storetest.Stamped])
	})
	t.Run("changes", func(t *testing.T) {
		t.Parallel()
		storetest.RunChanges(t, open[storetest.Stamped])
	})
	t.Run("values", func(t *testing.T) {
		t.Parallel()
		storetest.RunValues(t, open[storetest.Values])
	})
	t.Run("answers", func(t *testing.T) {
		t.Parallel()
		storetest.RunAnswers(t, open[storetest.Record])
	})
	t.Run("keys of clients", func(t *testing.T) {
		t.Parallel()
		storetest.RunKeyed(t, open[storetest.Keyed])
	})
	t.Run("identifiers of several fields", func(t *testing.T) {
		t.Parallel()
		storetest.RunComposite(t, open[storetest.Seat])
	})
	t.Run("lists", func(t *testing.T) {
		t.Parallel()
		storetest.RunLists(t, func(t *testing.T) (store.Store[storetest.Bundle], store.Store[storetest.Keyed], store.Store[storetest.Token]) {
			t.Helper()
			bundles, keys, tokens := memory.New[storetest.Bundle](), memory.New[storetest.Keyed](), memory.New[storetest.Token]()
			if err := errors.Join(refer(bundles, "keys", keys), refer(bundles, "tokens", tokens)); err != nil {
				t.Fatal(err)
			}
			return bundles, keys, tokens
		})
	})
	t.Run("references of several parts", func(t *testing.T) {
		t.Parallel()
		storetest.RunCompositeReferences(t, func(t *testing.T) (store.Store[storetest.Visit], store.Store[storetest.Seat]) {
			t.Helper()
			visits, seats := memory.New[storetest.Visit](), memory.New[storetest.Seat]()
			for _, field := range []string{"seat", "spare", "seats", "waits"} {
				if err := refer(visits, field, seats); err != nil {
					t.Fatal(err)
				}
			}
			return visits, seats
		})
	})
	t.Run("generated UUIDs", func(t *testing.T) {
		t.Parallel()
		storetest.RunUUID(t, open[storetest.Token])
	})
}

// open returns an empty store, and checks in the end that no lock is left.
func open[T any](t *testing.T) store.Store[T] {
	t.Helper()
	s := memory.New[T]()
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if n := engine(s).Locks(); n != 0 {
			t.Errorf("%d records are still locked", n)
		}
	})
	return s
}
