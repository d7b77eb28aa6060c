package storetest

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
)

// inner is a store with all capabilities.
type inner struct{ store.Store[Item] }

func (inner) Check(context.Context) error          { return nil }
func (inner) CheckQuery(store.Query) error         { return nil }
func (inner) CheckResponses(context.Context) error { return nil }
func (inner) Ping(context.Context) error           { return nil }

func (inner) Transact(ctx context.Context, fn func(context.Context, store.Tx[Item]) error) error {
	return fn(ctx, respondingTx{})
}

type respondingTx struct {
	store.Tx[Item]
	store.ResponseTx
}

// bare wraps a store without a way to find it.
type bare struct{ kept store.Store[Item] }

func (b bare) Get(ctx context.Context, id any) (*Item, error) { return b.kept.Get(ctx, id) }

func (b bare) List(ctx context.Context, query store.Query) (store.Page[Item], error) {
	return b.kept.List(ctx, query)
}

func (b bare) Transact(ctx context.Context, fn func(context.Context, store.Tx[Item]) error) error {
	return b.kept.Transact(ctx, fn)
}

// unwrapping returns the store that it wraps.
type unwrapping struct{ bare }

func (u unwrapping) Unwrap() any { return u.kept }

// embedding embeds a store, as most wrappers do, and keeps responses.
type embedding struct{ store.Store[Item] }

func (embedding) CheckResponses(context.Context) error { return nil }

// shortened passes on transactions that keep no responses.
type shortened struct{ embedding }

func (s shortened) Transact(ctx context.Context, fn func(context.Context, store.Tx[Item]) error) error {
	return s.embedding.Transact(ctx, func(ctx context.Context, tx store.Tx[Item]) error {
		return fn(ctx, struct{ store.Tx[Item] }{tx})
	})
}

func (s shortened) Unwrap() any { return s.Store }

func TestRunWrapperReportsLostCapabilities(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wrapper store.Store[Item]
		lost    []string
	}{
		"a wrapper without Unwrap loses all":                {bare{inner{}}, []string{"store.Checker", "CheckQuery", "store.Pinger", "store.ResponseKeeper"}},
		"a wrapper with Unwrap loses the response keeper":   {unwrapping{bare{inner{}}}, []string{"store.ResponseKeeper"}},
		"a wrapper that embeds and keeps responses has all": {embedding{inner{}}, nil},
		"a wrapper of a wrapper has all":                    {embedding{&unwrapping{bare{inner{}}}}, nil},
		"a store without a wrapper has all":                 {inner{}, nil},
		"a wrapper of transactions loses one":               {shortened{embedding{inner{}}}, []string{"not a store.ResponseTx"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lost := losses(t.Context(), inner{}, test.wrapper)
			if len(lost) != len(test.lost) {
				t.Fatalf("lost %q, want %q", lost, test.lost)
			}
			for i, want := range test.lost {
				if !strings.Contains(lost[i], want) {
					t.Errorf("lost %q, want %s", lost[i], want)
				}
			}
		})
	}
	RunWrapper(t, inner{}, embedding{inner{}})
}

// grouping is a store that supports groups; ungrouped is one that does not.
type (
	grouping  struct{ inner }
	ungrouped struct{ grouping }
)

func (grouping) Groups() bool  { return true }
func (ungrouped) Groups() bool { return false }

func TestAWrapperMustImplementGroupsItself(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wrapper store.Store[Item]
		lost    int
	}{
		"a wrapper without Groups": {embedding{grouping{}}, 1},
		"Groups returns true":      {grouping{}, 0},
		"Groups returns false":     {ungrouped{}, 1},
	} {
		if lost := losses(t.Context(), grouping{}, test.wrapper); len(lost) != test.lost || test.lost > 0 && !strings.Contains(lost[0], "Groups() bool") {
			t.Errorf("%s has lost %q", name, lost)
		}
	}
	if lost := losses(t.Context(), ungrouped{}, store.Store[Item](embedding{ungrouped{}})); len(lost) != 0 {
		t.Errorf("wrapper of a store without groups: %q", lost)
	}
}

// searching is a store that searches words.
type searching struct{ grouping }

func (searching) SearchesWords() bool { return true }

// passing is a wrapper that supports groups only.
type passing struct{ embedding }

func (passing) Groups() bool { return true }

func TestAWrapperMustSearchWordsItself(t *testing.T) {
	t.Parallel()
	if lost := losses(t.Context(), searching{}, store.Store[Item](passing{embedding{searching{}}})); len(lost) != 1 || !strings.Contains(lost[0], "SearchesWords() bool") {
		t.Errorf("a wrapper without SearchesWords has lost %q", lost)
	}
	if lost := losses(t.Context(), searching{}, store.Store[Item](searching{})); len(lost) != 0 {
		t.Errorf("a store without a wrapper has lost %q", lost)
	}
}

// selfish unwraps to itself.
type selfish struct{ bare }

func (s selfish) Unwrap() any { return s }

func TestUnwrappingToItselfOrNilEnds(t *testing.T) {
	t.Parallel()
	for _, s := range []any{selfish{}, nil, embedding{}, unwrapping{}, 7, (*embedding)(nil)} {
		if _, ok := untyped.As[store.Pinger](s); ok {
			t.Errorf("%T is a Pinger", s)
		}
	}
}
