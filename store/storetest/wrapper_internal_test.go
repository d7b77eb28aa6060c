package storetest

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/wrapping"
	"github.com/trove-api/trove/store"
)

// inner is a store with all its parts.
type inner struct{ store.Store[Item] }

func (inner) Check(context.Context) error          { return nil }
func (inner) CheckQuery(store.Query) error         { return nil }
func (inner) CheckResponses(context.Context) error { return nil }
func (inner) Ping(context.Context) error           { return nil }

func (inner) Transact(ctx context.Context, fn func(context.Context, store.Tx[Item]) error) error {
	return fn(ctx, answeringTx{})
}

type answeringTx struct {
	store.Tx[Item]
	store.ResponseTx
}

// bare holds a store where nothing finds it.
type bare struct{ kept store.Store[Item] }

func (b bare) Get(ctx context.Context, id any) (*Item, error) { return b.kept.Get(ctx, id) }

func (b bare) List(ctx context.Context, query store.Query) (store.Page[Item], error) {
	return b.kept.List(ctx, query)
}

func (b bare) Transact(ctx context.Context, fn func(context.Context, store.Tx[Item]) error) error {
	return b.kept.Transact(ctx, fn)
}

// unwrapping says what it wraps.
type unwrapping struct{ bare }

func (u unwrapping) Unwrap() any { return u.kept }

// embedding embeds a store, as most wrappers do, and keeps answers.
type embedding struct{ store.Store[Item] }

func (embedding) CheckResponses(context.Context) error { return nil }

// shortened hands on transactions that keep no answers.
type shortened struct{ embedding }

func (s shortened) Transact(ctx context.Context, fn func(context.Context, store.Tx[Item]) error) error {
	return s.embedding.Transact(ctx, func(ctx context.Context, tx store.Tx[Item]) error {
		return fn(ctx, struct{ store.Tx[Item] }{tx})
	})
}

func (s shortened) Unwrap() any { return s.Store }

func TestAWrapperIsToldWhatItLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wrapper store.Store[Item]
		lost    []string
	}{
		"one that nothing can look into loses all":   {bare{inner{}}, []string{"store.Checker", "store.QueryChecker", "store.Pinger", "store.ResponseKeeper"}},
		"one that unwraps does not keep answers":     {unwrapping{bare{inner{}}}, []string{"store.ResponseKeeper"}},
		"one that embeds and keeps answers has all":  {embedding{inner{}}, nil},
		"one of one has all":                         {embedding{&unwrapping{bare{inner{}}}}, nil},
		"a store that is no wrapper has all":         {inner{}, nil},
		"one with transactions of its own loses one": {shortened{embedding{inner{}}}, []string{"no store.ResponseTx"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lost := losses(t.Context(), inner{}, test.wrapper)
			if len(lost) != len(test.lost) {
				t.Fatalf("%q are lost, want %q", lost, test.lost)
			}
			for i, want := range test.lost {
				if !strings.Contains(lost[i], want) {
					t.Errorf("%q is lost, want %s", lost[i], want)
				}
			}
		})
	}
	RunWrapper(t, inner{}, embedding{inner{}})
}

// grouping is a store that answers groups, and ungrouped one that says that it does not.
type (
	grouping  struct{ inner }
	ungrouped struct{ grouping }
)

func (grouping) Groups() bool  { return true }
func (ungrouped) Groups() bool { return false }

func TestAWrapperSaysItselfThatItAnswersGroups(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wrapper store.Store[Item]
		lost    int
	}{
		"one that says nothing":         {embedding{grouping{}}, 1},
		"one that says so":              {grouping{}, 0},
		"one that says that it doesn't": {ungrouped{}, 1},
	} {
		if lost := losses(t.Context(), grouping{}, test.wrapper); len(lost) != test.lost || test.lost > 0 && !strings.Contains(lost[0], "Groups() bool") {
			t.Errorf("%s has lost %q", name, lost)
		}
	}
	if lost := losses(t.Context(), ungrouped{}, store.Store[Item](embedding{ungrouped{}})); len(lost) != 0 {
		t.Errorf("around one that knows none: %q", lost)
	}
}

// selfish unwraps to itself.
type selfish struct{ bare }

func (s selfish) Unwrap() any { return s }

func TestAWrapperThatUnwrapsToItselfOrToNothingEnds(t *testing.T) {
	t.Parallel()
	for _, s := range []any{selfish{}, nil, embedding{}, unwrapping{}, 7, (*embedding)(nil)} {
		if _, ok := wrapping.As[store.Pinger](s); ok {
			t.Errorf("%T is a Pinger", s)
		}
	}
}
