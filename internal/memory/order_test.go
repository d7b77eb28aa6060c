package memory_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// level is a record with a rank that many others share, or null.
type level struct {
	ID   int64  `json:"id"`
	Rank *int   `json:"rank" api:"sort"`
	Kind string `json:"kind"`
}

func levels(n, ranks int) []level {
	all := make([]level, n)
	for i := range all {
		all[i] = level{ID: int64(i + 1), Kind: fmt.Sprint(i % 3)}
		if rank := i * 7 % (ranks + 1); rank > 0 {
			all[i].Rank = &rank
		}
	}
	return all
}

// sorted returns the identifiers in the order of the rank and the identifier.
func sorted(all []level, rankDown, idDown bool) (ids []int64) {
	direction := func(c int, down bool) int {
		if down {
			return -c
		}
		return c
	}
	number := func(rank *int) int {
		if rank == nil {
			return -1
		}
		return *rank
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b level) int {
		return cmp.Or(direction(cmp.Compare(number(a.Rank), number(b.Rank)), rankDown), direction(cmp.Compare(a.ID, b.ID), idDown))
	})
	for _, each := range all {
		ids = append(ids, each.ID)
	}
	return ids
}

func TestAnOrderOfRankAndIdentifierIsRightInAllDirections(t *testing.T) {
	t.Parallel()
	const n = 200
	for _, ranks := range []int{0, 1, 4, n} {
		all := levels(n, ranks)
		s := memory.New(all...)
		for _, down := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
			order := []store.Order{{Field: "rank", Descending: down[0]}, {Field: "id", Descending: down[1]}}
			want := sorted(all, down[0], down[1])
			for _, limit := range []int{0, 1, 7, n} {
				var walked []int64
				query := store.Query{Order: order, Limit: limit}
				for {
					page, err := s.List(t.Context(), query)
					if err != nil {
						t.Fatal(err)
					}
					for _, found := range page.Items {
						walked = append(walked, found.ID)
					}
					if limit == 0 || len(page.Items) < limit {
						break
					}
					last := page.Items[len(page.Items)-1]
					query.After = []any{nil, last.ID}
					if last.Rank != nil {
						query.After[0] = *last.Rank
					}
				}
				if diff := gocmp.Diff(want, walked); diff != "" {
					t.Errorf("%d ranks, directions %v, by %d (-want +got):\n%s", ranks, down, limit, diff)
				}
			}
			for _, offset := range []int{1, 50, n - 1, n, n + 1} {
				page, err := s.List(t.Context(), store.Query{Order: order, Offset: offset, Limit: 3, Count: true})
				var got []int64
				for _, found := range page.Items {
					got = append(got, found.ID)
				}
				if window := want[min(offset, n):min(offset+3, n)]; err != nil || page.Total != n || !slices.Equal(got, window) {
					t.Errorf("%d ranks, directions %v, from %d: %v of %d, want %v (%v)", ranks, down, offset, got, page.Total, window, err)
				}
			}
		}
	}
}

func TestNegativeOffsetsAndLimitsAreIgnored(t *testing.T) {
	t.Parallel()
	s := memory.New(levels(5, 2)...)
	for _, query := range []store.Query{{Limit: -1}, {Offset: -1}, {Limit: -1 << 63, Offset: -1 << 63, Count: true}} {
		for _, order := range [][]store.Order{nil, {{Field: "rank", Descending: true}}, {{Field: "kind"}}} {
			query.Order = order
			if page, err := s.List(t.Context(), query); err != nil || len(page.Items) != 5 {
				t.Errorf("%+v: %d items (%v)", query, len(page.Items), err)
			}
		}
	}
}

func TestAPageBehindAllRecordsIsEmpty(t *testing.T) {
	t.Parallel()
	s := memory.New(levels(5, 2)...)
	for _, query := range []store.Query{{Offset: math.MaxInt}, {Offset: math.MaxInt, Limit: math.MaxInt}, {Offset: 5, Limit: math.MaxInt}} {
		for _, order := range [][]store.Order{nil, {{Field: "id"}}, {{Field: "rank", Descending: true}}, {{Field: "kind"}}} {
			for _, after := range [][]any{nil, {int64(2)}} {
				query.Order, query.After, query.Count = order, nil, true
				if len(order) == 1 && order[0].Field == "id" {
					query.After = after
				}
				if page, err := s.List(t.Context(), query); err != nil || len(page.Items) != 0 || page.Total != 5 {
					t.Errorf("%+v: %d items of %d (%v)", query, len(page.Items), page.Total, err)
				}
			}
		}
	}
}

// twin is a type with two values that have the same text.
type twin struct{ text, note string }

func (w twin) MarshalText() ([]byte, error) { return []byte(w.text), nil }

func (w *twin) UnmarshalText(text []byte) error {
	w.text, w.note = string(text), ""
	return nil
}

type pair struct {
	ID    twin   `json:"id"`
	Label string `json:"label" api:"sort"`
}

func TestIdentifiersOfOneTextAreOneIdentifier(t *testing.T) {
	t.Parallel()
	first, second := twin{"a", "first"}, twin{"a", "second"}
	taken := store.UniqueError{Field: "id"}
	s := memory.New(pair{ID: first, Label: "x"})
	if err := s.Transact(t.Context(), insert(&pair{ID: second, Label: "y"})); err != taken { //nolint:errorlint // exactly this error
		t.Errorf("an identifier whose text is taken: %v", err)
	}
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[pair]) error {
		if err := tx.Insert(ctx, &pair{ID: twin{"b", "first"}}); err != nil {
			return err
		}
		return tx.Insert(ctx, &pair{ID: twin{"b", "second"}})
	})
	if err != taken { //nolint:errorlint // exactly this error
		t.Errorf("two of one text in one transaction: %v", err)
	}
	err = s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[pair]) error {
		if err := tx.Delete(ctx, first); err != nil {
			return err
		}
		return tx.Insert(ctx, &pair{ID: second, Label: "y"})
	})
	if err != nil {
		t.Errorf("one whose text was given up in the transaction: %v", err)
	}
	page, err := s.List(t.Context(), store.Query{Count: true})
	if err != nil || page.Total != 1 || page.Items[0].ID != second || engine(s).Rows() != 1 {
		t.Errorf("%d records are listed and %d are there (%v)", page.Total, engine(s).Rows(), err)
	}
	if err := memory.New(pair{ID: first}, pair{ID: second}).Check(t.Context()); err == nil {
		t.Error("New takes two of one text")
	}
}
