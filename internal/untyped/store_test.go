package untyped_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type book struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
}

// counting is a wrapper without GetMany that counts its Get calls and hides one record.
type counting struct {
	store.Store[book]

	gets int
}

func (c *counting) Get(ctx context.Context, id any) (*book, error) {
	if c.gets++; id == int64(3) {
		return nil, store.ErrNotFound
	}
	return c.Store.Get(ctx, id)
}

// short returns too few records.
type short struct{ store.Store[book] }

func (short) GetMany(context.Context, []any) ([]*book, error) { return []*book{{}}, nil }

// failing is unavailable.
type failing struct{ store.Store[book] }

func (failing) Get(context.Context, any) (*book, error) { return nil, store.ErrUnavailable }

func TestManyRecordsWithoutTheirType(t *testing.T) {
	t.Parallel()
	inner := memory.New(book{Title: "Dune"}, book{Title: "Ubik"}, book{Title: "Solaris"})
	wrapper := &counting{Store: inner}
	ids := []any{int64(2), int64(9), int64(1), int64(2), int64(3)}
	for name, test := range map[string]struct {
		store store.Store[book]
		want  []string
	}{
		"at once":             {inner, []string{"Ubik", "", "Dune", "Ubik", "Solaris"}},
		"through the wrapper": {wrapper, []string{"Ubik", "", "Dune", "Ubik", ""}},
	} {
		records, err := untyped.Of(test.store).Records.GetMany(t.Context(), ids, nil)
		if err != nil || len(records) != len(ids) {
			t.Fatalf("%s: %d records (%v)", name, len(records), err)
		}
		for i, record := range records {
			title := ""
			if record != nil {
				title = record.(*book).Title
			}
			if title != test.want[i] {
				t.Errorf("%s: number %d is %q, want %q", name, i, title, test.want[i])
			}
		}
	}
	if wrapper.gets != 4 {
		t.Errorf("Get was called %d times for four records", wrapper.gets)
	}
	if _, err := untyped.Of[book](short{inner}).Records.GetMany(t.Context(), ids, nil); err == nil {
		t.Error("a store that returns too few records gives no error")
	}
	if _, err := untyped.Of[book](failing{inner}).Records.GetMany(t.Context(), ids, nil); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a store that fails: %v", err)
	}
}

// sure declares support for groups.
type sure struct{ store.Store[book] }

func (sure) Groups() bool { return true }

func TestOnlyTheStoreItselfDeclaresGroups(t *testing.T) {
	t.Parallel()
	inner := memory.New[book]()
	for want, stores := range map[bool][]store.Store[book]{true: {inner, sure{inner}}, false: {&counting{Store: inner}, failing{sure{inner}}}} {
		for _, s := range stores {
			if got := untyped.Of(s).Groups; got != want {
				t.Errorf("%T supports groups: %v", s, got)
			}
		}
	}
}
