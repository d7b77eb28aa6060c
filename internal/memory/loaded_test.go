package memory_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// relayed is a Loaded store of the records of another store.
type relayed[T any] struct {
	*memory.Loaded[T]

	kept *memory.Store[T]
}

func (r relayed[T]) Transact(ctx context.Context, fn func(context.Context, store.Tx[T]) error) error {
	return r.kept.Transact(ctx, fn)
}

func relay[T any](*testing.T, any) store.Store[T] {
	kept := memory.New[T]()
	return relayed[T]{memory.Load(func(ctx context.Context) (records []T, err error) {
		page, err := kept.List(ctx, store.Query{})
		for _, record := range page.Items {
			records = append(records, *record)
		}
		return records, err
	}), kept}
}

func TestQueriesOfLoadedRecordsConform(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("loaded records are queried like inserted ones")
	}
	var s storetest.Suite[any]
	s.Queries = relay
	s.Run(t)
}

type errand struct {
	Name string `json:"name" api:"id"`
	Done bool   `json:"done" api:"filter"`
}

var errLost = errors.New("the list is lost")

func TestLoadedRecordsAreThoseOfTheMoment(t *testing.T) {
	t.Parallel()
	errands, broken := []errand{{Name: "milk"}, {Name: "eggs"}}, false
	s := memory.Load(func(context.Context) ([]errand, error) {
		if broken {
			return nil, errLost
		}
		return errands, nil
	})
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	first, err := s.Get(t.Context(), "milk")
	if err != nil || first.Done {
		t.Errorf("milk is %v, %v", first, err)
	}
	errands[0].Done = true
	if now, err := s.Get(t.Context(), "milk"); err != nil || !now.Done || first.Done {
		t.Errorf("milk is %v, and was %v: %v", now, first, err)
	}
	if many, err := s.GetMany(t.Context(), []any{"eggs", "bread"}); err != nil || len(many) != 2 || many[0].Name != "eggs" || many[1] != nil {
		t.Errorf("eggs and bread are %v, %v", many, err)
	}
	if _, err := s.Get(t.Context(), "bread"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("bread: %v", err)
	}
	broken = true
	_, one := s.Get(t.Context(), "milk")
	_, many := s.GetMany(t.Context(), []any{"milk"})
	_, all := s.List(t.Context(), store.Query{})
	if !errors.Is(one, errLost) || !errors.Is(many, errLost) || !errors.Is(all, errLost) {
		t.Errorf("the errors are %v, %v, %v", one, many, all)
	}
}

func TestLoadedRecordsChangeInTheTransactionOfAnotherStore(t *testing.T) {
	t.Parallel()
	type tick struct {
		Name string `json:"name" api:"id"`
	}
	ticks := memory.New[tick]()
	within := func(ctx context.Context, fn func(context.Context) error) error {
		return ticks.Transact(ctx, func(ctx context.Context, _ store.Tx[tick]) error { return fn(ctx) })
	}
	s := memory.Load(func(context.Context) ([]errand, error) { return []errand{{Name: "milk"}}, nil }).Within(within).
		Updating(func(ctx context.Context, e *errand) error { return store.Insert(ctx, ticks, &tick{e.Name}) })
	change := func(id string, then error) error {
		return s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[errand]) error {
			return errors.Join(tx.Update(ctx, id, &errand{Name: id, Done: true}), then)
		})
	}
	given := errors.New("given up")
	if err := change("milk", given); !errors.Is(err, given) {
		t.Errorf("a change that is rolled back: %v", err)
	}
	if _, err := ticks.Get(t.Context(), "milk"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after the rollback the record is %v", err)
	}
	if err := change("bread", nil); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a missing record: %v", err)
	}
	if err := change("milk", nil); err != nil {
		t.Error(err)
	}
	if err := change("milk", nil); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a second time: %v", err)
	}
}

func TestLoadedRecordsAreNeitherInsertedNorDeleted(t *testing.T) {
	t.Parallel()
	s := memory.Load(func(context.Context) ([]errand, error) { return []errand{{Name: "milk"}}, nil })
	for name, fn := range map[string]func(context.Context, store.Tx[errand]) error{
		"insert": func(ctx context.Context, tx store.Tx[errand]) error { return tx.Insert(ctx, &errand{Name: "bread"}) },
		"update": func(ctx context.Context, tx store.Tx[errand]) error {
			return tx.Update(ctx, "milk", &errand{Name: "milk"})
		},
		"delete": func(ctx context.Context, tx store.Tx[errand]) error { return tx.Delete(ctx, "milk") },
	} {
		if err := s.Transact(t.Context(), fn); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if err := memory.Load[errand](nil).Check(t.Context()); err == nil {
		t.Error("a nil function gives no error")
	}
	if _, err := memory.Load[errand](nil).Get(t.Context(), "milk"); err == nil {
		t.Error("a nil function loads something")
	}
}
