package memory_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// indexedItem has an index of each kind of field, scannedItem none. Queries must have the same results.
type (
	indexedItem struct {
		ID     int64      `json:"id"`
		Group  int8       `json:"group" api:"filter,sort"`
		Code   *string    `json:"code" api:"filter=exact,unique"`
		Name   string     `json:"name" api:"filter=iexact"`
		Active bool       `json:"active" api:"filter"`
		Known  *bool      `json:"known" api:"filter"`
		Weight float32    `json:"weight" api:"filter"`
		SeenAt *time.Time `json:"seenAt" api:"filter"`
		Key    uuid.UUID  `json:"key" api:"filter"`
		Rank   int        `json:"rank" api:"sort"`
	}
	scannedItem struct {
		ID     int64      `json:"id"`
		Group  int8       `json:"group"`
		Code   *string    `json:"code" api:"unique"`
		Name   string     `json:"name"`
		Active bool       `json:"active"`
		Known  *bool      `json:"known"`
		Weight float32    `json:"weight"`
		SeenAt *time.Time `json:"seenAt"`
		Key    uuid.UUID  `json:"key"`
		Rank   int        `json:"rank"`
	}
)

// twins are two stores with the same changes.
type twins struct {
	*rand.Rand

	t       *testing.T
	indexed *memory.Store[indexedItem]
	scanned *memory.Store[scannedItem]
}

func newTwins(t *testing.T, n int) *twins {
	t.Helper()
	w := &twins{Rand: rand.New(rand.NewPCG(7, uint64(n))), t: t}
	records, same := make([]indexedItem, n), make([]scannedItem, n)
	for i := range n {
		records[i] = w.record(0)
		same[i] = scannedItem(records[i])
	}
	w.indexed, w.scanned = memory.New(records...), memory.New(same...)
	if err := w.indexed.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *twins) text() string {
	return []string{"", "a", "A", "Kiss", "\u212Ai\u017fS", "é", "É"}[w.IntN(7)]
}

func (w *twins) moment() time.Time {
	return time.Unix(int64(w.IntN(3)), 0).In(time.FixedZone("", 3600*w.IntN(3)))
}

func (w *twins) record(id int64) indexedItem {
	r := indexedItem{
		ID: id, Group: int8(w.IntN(20)), Name: w.text(), Active: w.IntN(4) == 0,
		Weight: []float32{0, -1.5, 2}[w.IntN(3)], Key: uuid.UUID{byte(w.IntN(3))}, Rank: w.IntN(50),
	}
	if w.IntN(2) == 0 {
		r.Code, r.Known, r.SeenAt = new(uuid.NewString()), new(w.IntN(2) == 0), new(w.moment())
	}
	return r
}

// change does the same steps in a transaction of each store, and saves it or not.
func (w *twins) change() {
	w.t.Helper()
	refused := errors.New("refused")
	seed, fails := w.Uint64(), w.IntN(3) == 0
	steps := func(act func(twin *twins, step int, id int64) error) error {
		twin := &twins{Rand: rand.New(rand.NewPCG(seed, 1))}
		for range 1 + twin.IntN(6) {
			if err := act(twin, twin.IntN(3), int64(1+twin.IntN(400))); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		if fails {
			return refused
		}
		return nil
	}
	codes := make([]indexedItem, 0, 6)
	first := w.indexed.Transact(w.t.Context(), func(ctx context.Context, tx store.Tx[indexedItem]) error {
		return steps(func(twin *twins, step int, id int64) error {
			r := twin.record(id)
			codes = append(codes, r)
			return act(ctx, tx, step, id, &r)
		})
	})
	second := w.scanned.Transact(w.t.Context(), func(ctx context.Context, tx store.Tx[scannedItem]) error {
		return steps(func(twin *twins, step int, id int64) error {
			twin.record(id)
			r := scannedItem(codes[0])
			codes = codes[1:]
			return act(ctx, tx, step, id, &r)
		})
	})
	if !errors.Is(first, second) || first != nil && !errors.Is(first, refused) {
		w.t.Fatalf("the transactions ended with %v and %v", first, second)
	}
}

func act[T any](ctx context.Context, tx store.Tx[T], step int, id int64, record *T) error {
	switch step {
	case 0:
		if err := tx.Delete(ctx, id); err != nil {
			return err
		}
		return tx.Insert(ctx, record)
	case 1:
		return tx.Delete(ctx, id)
	}
	return tx.Update(ctx, id, record)
}

// query returns a query for which an index helps, with any sort order and page.
func (w *twins) query() store.Query {
	q := store.Query{Where: []store.Condition{w.condition()}, Count: w.IntN(2) == 0, Limit: w.IntN(40)}
	for range w.IntN(3) {
		q.Where = append(q.Where, w.condition())
	}
	q.Order = [][]store.Order{
		nil,
		{{Field: "id"}},
		{{Field: "id", Descending: true}},
		{{Field: "rank"}},
		{{Field: "rank", Descending: true}, {Field: "id", Descending: true}},
		{{Field: "group"}, {Field: "name", Descending: true}},
		{{Field: "name"}},
		{{Field: "seenAt"}, {Field: "rank"}, {Field: "id"}},
	}[w.IntN(8)]
	switch {
	case w.IntN(3) > 0 || q.Order == nil || q.Order[len(q.Order)-1].Field != "id":
		q.Offset = w.IntN(4) * w.IntN(30)
	default:
		id := int64(w.IntN(400))
		q.After = [][]any{1: {id}, 2: {w.IntN(50), id}, 3: {w.moment(), w.IntN(50), id}}[len(q.Order)]
	}
	return q
}

func (w *twins) condition() store.Condition {
	is := func(field string, operator store.Operator, values ...any) store.Condition {
		return store.Condition{Fields: []string{field}, Operator: operator, Values: values}
	}
	return []store.Condition{
		is("group", store.Equal, int8(w.IntN(21))), is("group", store.Equal, int8(w.IntN(20)), int8(w.IntN(20)), int8(w.IntN(20))),
		is("name", store.Equal, w.text()), is("name", store.EqualFold, w.text()), is("name", store.Contains, w.text()), is("code", store.EqualFold, w.text()),
		is("active", store.Equal, w.IntN(2) == 0), is("known", store.Equal, w.IntN(2) == 0), is("known", store.NotEqual, w.IntN(2) == 0),
		is("weight", store.Equal, float32(2), float32(0)), is("seenAt", store.Equal, w.moment()), is("key", store.Equal, uuid.UUID{1}, uuid.UUID{2}),
		is("rank", store.Less, w.IntN(50)),
		{Fields: []string{"name", "code"}, Operator: store.Equal, Values: []any{w.text()}},
	}[w.IntN(14)]
}

// compare runs a query on both stores.
func (w *twins) compare(q store.Query) {
	w.t.Helper()
	first, err := w.indexed.List(w.t.Context(), q)
	if err != nil {
		w.t.Fatalf("%+v: %v", q, err)
	}
	second, err := w.scanned.List(w.t.Context(), q)
	if err != nil {
		w.t.Fatalf("%+v: %v", q, err)
	}
	found := make([]scannedItem, len(first.Items))
	for i, item := range first.Items {
		found[i] = scannedItem(*item)
	}
	want := make([]scannedItem, len(second.Items))
	for i, item := range second.Items {
		want[i] = *item
	}
	if diff := cmp.Diff(want, found); diff != "" || first.Total != second.Total {
		w.t.Fatalf("%+v finds %d with the index, %d without (-without +with):\n%s", q, first.Total, second.Total, diff)
	}
}

func TestAnIndexFindsWhatAScanFinds(t *testing.T) {
	t.Parallel()
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	for name, size := range map[string]int{"no records": 0, "a few records": 40, "many records": 3000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTwins(t, size)
			for range rounds {
				w.change()
				w.compare(w.query())
				w.compare(w.query())
			}
		})
	}
}

func TestAnIndexForgetsWhatIsDeleted(t *testing.T) {
	t.Parallel()
	w := newTwins(t, 300)
	for id := range int64(301) {
		err := w.indexed.Transact(t.Context(), func(ctx context.Context, tx store.Tx[indexedItem]) error { return tx.Delete(ctx, id) })
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
	}
	if n := engine(w.indexed).InTrees(); n != 0 {
		t.Errorf("the trees of an empty store have %d rows", n)
	}
}
