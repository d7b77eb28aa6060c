package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// Treasure is a record of ten columns, as in a typical service.
type Treasure struct {
	ID          int64             `json:"id"`
	Name        string            `json:"name" api:"filter=partial,sort"`
	Description *string           `json:"description"`
	Value       int64             `json:"value" api:"filter=range,sort"`
	CoolFactor  *int64            `json:"coolFactor" api:"filter"`
	IsPublished bool              `json:"isPublished" api:"filter"`
	Weight      float64           `json:"weight"`
	PlunderedAt time.Time         `json:"plunderedAt" api:"sort"`
	Tags        []string          `json:"tags"`
	Marks       map[string]string `json:"marks"`
}

func treasure(n int) *Treasure {
	return &Treasure{
		Name: fmt.Sprintf("Treasure %07d", n*7919%1_000_000), Description: new("Rare and valuable."), Value: int64(n % 1000), CoolFactor: new(int64(n % 11)),
		IsPublished: n%2 == 0, Weight: 1.5, PlunderedAt: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), Tags: []string{"a", "b"},
		Marks: map[string]string{"k": "v"},
	}
}

// filled returns a store of n treasures and the path of its file.
func filled(b *testing.B, n int) (*sqlstore.Store[Treasure], string) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "bench.db")
	db := open(b, "file:"+path+"?_pragma=synchronous(OFF)")
	s := sqlstore.Table[Treasure](db)
	if err := db.Create(b.Context(), s); err != nil {
		b.Fatal(err)
	}
	err := s.Transact(b.Context(), func(ctx context.Context, tx store.Tx[Treasure]) error {
		for i := range n {
			if err := tx.Insert(ctx, treasure(i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s, path
}

var listed = store.Query{
	Where: []store.Condition{
		{Fields: []string{"isPublished"}, Operator: store.Equal, Values: []any{true}},
		{Fields: []string{"value"}, Operator: store.GreaterEqual, Values: []any{int64(500)}},
	},
	Order: []store.Order{{Field: "name"}, {Field: "id"}},
	Limit: 30,
}

// BenchmarkStore does what BenchmarkByHand does with database/sql.
func BenchmarkStore(b *testing.B) {
	s, _ := filled(b, 10_000)
	ctx := context.Background()
	run(b, map[string]func(i int) error{
		"get":    func(i int) error { _, err := s.Get(ctx, int64(1+i%10_000)); return err },
		"list":   func(int) error { _, err := s.List(ctx, listed); return err },
		"insert": func(i int) error { return s.Transact(ctx, inserting(treasure(i))) },
		"patch": func(i int) error {
			return s.Transact(ctx, func(ctx context.Context, tx store.Tx[Treasure]) error {
				id := int64(1 + i%10_000)
				t, err := tx.Get(ctx, id)
				if err != nil {
					return err
				}
				t.Value, t.Weight, t.IsPublished = int64(i), 2.5, !t.IsPublished
				return tx.Update(ctx, id, t)
			})
		},
	})
}

func inserting(t *Treasure) func(context.Context, store.Tx[Treasure]) error {
	return func(ctx context.Context, tx store.Tx[Treasure]) error { return tx.Insert(ctx, t) }
}

func run(b *testing.B, works map[string]func(i int) error) {
	b.Helper()
	for name, work := range works {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := work(i); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPages reads a page of 30 out of many: the first, and one far behind.
func BenchmarkPages(b *testing.B) {
	const size = 1_000_000
	s, _ := filled(b, size)
	ctx := context.Background()
	byName := []store.Order{{Field: "name"}, {Field: "id"}}
	page := func(query store.Query) func(int) error {
		query.Limit = 30
		return func(int) error {
			found, err := s.List(ctx, query)
			if err == nil && len(found.Items) != 30 {
				err = fmt.Errorf("%d items", len(found.Items))
			}
			return err
		}
	}
	run(b, map[string]func(int) error{
		"first by id":           page(store.Query{Order: []store.Order{{Field: "id"}}}),
		"row 900,000 by id":     page(store.Query{Order: []store.Order{{Field: "id"}}, After: []any{int64(900_000)}}),
		"first by name":         page(store.Query{Order: byName}),
		"row 900,000 by name":   page(store.Query{Order: byName, After: []any{"Treasure 0900000", int64(0)}}),
		"row 900,000 by offset": page(store.Query{Order: byName, Offset: 900_000}),
	})
}

// hand is the handwritten equivalent: prepared statements and one Scan per row.
type hand struct{ get, list, insert, update *sql.Stmt }

const handColumns = `id, name, description, value, cool_factor, is_published, weight, plundered_at, tags, marks`
