package memory_test

import (
	"testing"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	s := storetest.Suite[any]{Open: func(*testing.T) any { return nil }, Create: link}
	s.Integers, s.Strings, s.UUIDs, s.Pairs = open, open, open, open
	s.Values, s.Constraints, s.Stamps, s.Changes, s.Log, s.Words, s.Responses = open, open, open, open, open, open, open
	s.Queries, s.Through, s.Lists, s.Trash = open, open, open, open
	s.Deletes.Integers, s.Deletes.Strings, s.Deletes.UUIDs, s.Deletes.Pairs = open, open, open, open
	s.Run(t)
}

// open returns an empty store, and checks at the end that no transaction is left.
func open[T any](t *testing.T, _ any) store.Store[T] {
	t.Helper()
	s := memory.New[T]()
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if engine(s).IsBusy() {
			t.Error("a transaction still has the turn")
		}
	})
	return s
}

// link links stores as resource.New does.
func link(t *testing.T, _ any, stores ...any) {
	t.Helper()
	for _, each := range stores {
		from := each.(model.Holder)
		for _, other := range stores {
			to := other.(model.Holder)
			together(from, to)
			for _, f := range engine(from).Record().Fields {
				if f.Reference == nil || f.Reference.To != naming.TypeName(engine(to).Record().Go) {
					continue
				}
				if err := refer(from, f.Name, to); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
