package sqlstore_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

type reading struct {
	ID    uint64    `json:"id"`
	Real  float64   `json:"real" api:"filter=exact|range"`
	Large uint64    `json:"large" api:"filter=exact|range"`
	At    time.Time `json:"at" api:"filter=exact|range"`
	Word  string    `json:"word" api:"filter=exact|range"`
}

// count counts the records that match a condition.
func count(t *testing.T, s *sqlstore.Store[reading], field string, operator store.Operator, values ...any) int {
	t.Helper()
	page, err := s.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{field}, Operator: operator, Values: values}}, Count: true})
	if err != nil {
		t.Errorf("%s %s %v: %v", field, operator, values[0], err)
	}
	return page.Total
}

func TestFloatsOfALongListAreFoundToTheLastBit(t *testing.T) {
	t.Parallel()
	_, s := made[reading](t)
	random := rand.New(rand.NewPCG(1, 2))
	var values []any
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[reading]) error {
		for range 3000 {
			value := math.Float64frombits(random.Uint64())
			if math.IsNaN(value) || math.IsInf(value, 0) {
				continue
			}
			values = append(values, value)
			if err := tx.Insert(ctx, &reading{Real: value}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, "real", store.Equal, values...); n != len(values) {
		t.Errorf("%d of %d floats are found", n, len(values))
	}
}

func TestValuesBeyondWhatAColumnHoldsCompareAsTheyAre(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	_, s := made(t, &reading{Large: 1, At: at, Word: "a"}, &reading{Large: math.MaxInt64, At: at, Word: "b"})
	late := time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -12*60*60))
	early := time.Date(0, 1, 1, 0, 0, 0, 0, time.FixedZone("", 12*60*60))
	for _, try := range []struct {
		field    string
		operator store.Operator
		value    any
		want     int
	}{
		{"large", store.Equal, uint64(math.MaxUint64), 0},
		{"large", store.NotEqual, uint64(math.MaxUint64), 2},
		{"large", store.Less, uint64(math.MaxInt64 + 1), 2},
		{"large", store.LessEqual, uint64(math.MaxUint64), 2},
		{"large", store.Greater, uint64(math.MaxUint64), 0},
		{"large", store.GreaterEqual, uint64(math.MaxInt64 + 1), 0},
		{"large", store.Less, uint64(math.MaxInt64), 1},
		{"at", store.Equal, late, 0},
		{"at", store.NotEqual, early, 2},
		{"at", store.Less, late, 2},
		{"at", store.Greater, late, 0},
		{"at", store.LessEqual, early, 0},
		{"at", store.GreaterEqual, early, 2},
		{"word", store.Equal, "a\x00", 0},
		{"word", store.NotEqual, "a\x00", 2},
		{"word", store.Less, "a\x00", 1},
		{"word", store.LessEqual, "b\x00a", 2},
		{"word", store.Greater, "a\x00", 1},
		{"word", store.GreaterEqual, "b\x00", 0},
	} {
		if n := count(t, s, try.field, try.operator, try.value); n != try.want {
			t.Errorf("%s %s %v: %d records, want %d", try.field, try.operator, try.value, n, try.want)
		}
	}
}

func TestAnIdentifierBeyondTheDatabasesIntegersIsNotFound(t *testing.T) {
	t.Parallel()
	_, s := made(t, &reading{})
	id := uint64(math.MaxUint64)
	_, err := s.Get(t.Context(), id)
	within := func(call func(ctx context.Context, tx store.Tx[reading]) error) error {
		return s.Transact(t.Context(), call)
	}
	for name, err := range map[string]error{
		"Get":       err,
		"Tx.Get":    within(func(ctx context.Context, tx store.Tx[reading]) error { _, err := tx.Get(ctx, id); return err }),
		"Tx.Update": within(func(ctx context.Context, tx store.Tx[reading]) error { return tx.Update(ctx, id, &reading{ID: id}) }),
		"Tx.Delete": within(func(ctx context.Context, tx store.Tx[reading]) error { return tx.Delete(ctx, id) }),
	} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := within(inserting(&reading{ID: id})); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("Insert: %v", err)
	}
}
