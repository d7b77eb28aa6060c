package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// event has one field of each type that PostgreSQL treats specially.
type event struct {
	ID    int64      `json:"id"`
	At    time.Time  `json:"at" api:"filter=range,sort"`
	Ended *time.Time `json:"ended"`
	Title string     `json:"title" api:"filter=partial,sort"`
	Code  string     `json:"code" api:"filter=start,unique"`
}

func addTo[T any](ctx context.Context, t *testing.T, s *sqlstore.Store[T], records ...*T) {
	t.Helper()
	for _, record := range records {
		err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error { return tx.Insert(ctx, record) })
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestTimesComeBackInUTC(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[event](t, open(t, schema(t)))
	east := time.Date(2024, 5, 1, 2, 0, 0, 1000, time.FixedZone("", 3*60*60))
	added := &event{At: east, Ended: &east}
	addTo(ctx, t, s, added)
	found, err := s.Get(ctx, added.ID)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]time.Time{"at": found.At, "ended": *found.Ended} {
		if got != east.UTC() {
			t.Errorf("%s is %v, want %v", name, got, east.UTC())
		}
	}
}

func TestAGivenIdentifierMovesTheSequenceOnAndNeverBack(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[counter](t, open(t, schema(t)))
	last := &counter{}
	addTo(ctx, t, s, &counter{ID: 10}, &counter{ID: 5}, &counter{ID: -3}, last)
	if last.ID != 11 {
		t.Errorf("the identifier %d was made, want 11", last.ID)
	}
}

func TestTheTablesOfTwoSchemasAreTwo(t *testing.T) {
	t.Parallel()
	ctx, first, second := impatient(t), schema(t), schema(t)
	one, two := table[counter](t, open(t, first)), table[counter](t, open(t, second))
	addTo(ctx, t, one, &counter{ID: 10})
	added := &counter{}
	addTo(ctx, t, two, added)
	if added.ID != 1 {
		t.Errorf("the identifier %d was made, want 1", added.ID)
	}
	administer(t, second, "DROP TABLE counters")
	if err := one.Check(ctx); err != nil {
		t.Error(err)
	}
	if err := two.Check(ctx); err == nil {
		t.Error("a table that is gone is not missed")
	}
}

func TestTextIsComparedByItsBytes(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[event](t, open(t, schema(t)))
	for i, title := range []string{"b", "a", "B", "é", "Z", ""} {
		addTo(ctx, t, s, &event{Title: title, Code: string(rune('a' + i))})
	}
	page, err := s.List(ctx, store.Query{Order: []store.Order{{Field: "title"}}})
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, found := range page.Items {
		got += found.Title + " "
	}
	if want := " B Z a b é "; got != want {
		t.Errorf("the order is %q, want %q", got, want)
	}
}

func TestTextThatPostgreSQLCannotHoldIsFoundNowhere(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[event](t, open(t, schema(t)))
	addTo(ctx, t, s, &event{Title: "a", Code: "a"})
	for _, text := range []string{"\x00", "a\x00", "\xff"} {
		for operator, want := range map[store.Operator]int{
			store.Equal: 0, store.NotEqual: 1, store.EqualFold: 0, store.Contains: 0, store.HasPrefix: 0, store.HasSuffix: 0, store.HasWordPrefix: 0,
		} {
			page, err := s.List(ctx, store.Query{Where: []store.Condition{{Fields: []string{"title"}, Operator: operator, Values: []any{text}}}})
			if err != nil || len(page.Items) != want {
				t.Errorf("%s %q: %d records, %v", operator, text, len(page.Items), err)
			}
		}
	}
}
