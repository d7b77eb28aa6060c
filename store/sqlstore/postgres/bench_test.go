package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// paper is a record of ten columns, as many programs have.
type paper struct {
	ID        int64     `json:"id"`
	Title     string    `json:"title" api:"sort"`
	Author    string    `json:"author" api:"filter=exact"`
	Year      int       `json:"year" api:"filter=range,sort"`
	Price     *float64  `json:"price"`
	InPrint   bool      `json:"inPrint"`
	AddedAt   time.Time `json:"addedAt" api:"sort"`
	Tags      []string  `json:"tags"`
	Publisher publisher `json:"publisher"`
	Note      *string   `json:"note"`
}

type publisher struct {
	Name string `json:"name"`
	City string `json:"city"`
}

const (
	paperColumns = `"id", "title", "author", "year", "price", "in_print", "added_at", "tags", "publisher", "note"`
	fillPapers   = `INSERT INTO papers (title, author, year, price, in_print, added_at, tags, publisher, note)
		SELECT 'title ' || n, 'author ' || n %% 100, 1450 + n %% 500, n / 7.0, n %% 2 = 0, '2024-01-01'::timestamptz + n * interval '1 second',
			'["a","b"]', '{"name":"n","city":"c"}', NULL FROM generate_series(1, %d) n`
)

// library returns a table with papers, and a pool for handwritten SQL.
func library(b *testing.B, papers int) (*sqlstore.Store[paper], *pgxpool.Pool) {
	b.Helper()
	dsn := schema(b)
	s := table[paper](b, open(b, dsn))
	administer(b, dsn, fmt.Sprintf(fillPapers, papers), "ANALYZE papers")
	pool, err := pgxpool.New(b.Context(), dsn)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	return s, pool
}

// measure runs the store and the handwritten code alternately, and reports the CPU time of this program for each.
func measure(b *testing.B, ways map[string]func(ctx context.Context) error) {
	b.Helper()
	for _, name := range []string{"store", "by hand", "by hand, in one statement"} {
		way, ok := ways[name]
		if !ok {
			continue
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			before := worked(b)
			for b.Loop() {
				if err := way(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(worked(b)-before)/float64(b.N), "cpu-ns/op")
		})
	}
}

// worked returns the CPU time of this program.
func worked(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func scanPaper(row pgx.Row, p *paper) error {
	err := row.Scan(&p.ID, &p.Title, &p.Author, &p.Year, &p.Price, &p.InPrint, &p.AddedAt, &p.Tags, &p.Publisher, &p.Note)
	p.AddedAt = p.AddedAt.UTC()
	return err
}

func BenchmarkGet(b *testing.B) {
	s, pool := library(b, 10000)
	measure(b, map[string]func(context.Context) error{
		"store": func(ctx context.Context) error {
			_, err := s.Get(ctx, int64(500))
			return err
		},
		"by hand": func(ctx context.Context) error {
			return scanPaper(pool.QueryRow(ctx, "SELECT "+paperColumns+" FROM papers WHERE id = $1", int64(500)), &paper{})
		},
	})
}

func BenchmarkList(b *testing.B) {
	s, pool := library(b, 10000)
	query := store.Query{
		Where: []store.Condition{
			{Fields: []string{"author"}, Operator: store.Equal, Values: []any{"author 42"}},
			{Fields: []string{"year"}, Operator: store.GreaterEqual, Values: []any{1500}},
		},
		Order: []store.Order{{Field: "year", Descending: true}, {Field: "id"}},
		Limit: 30,
	}
	measure(b, map[string]func(context.Context) error{
		"store": func(ctx context.Context) error {
			page, err := s.List(ctx, query)
			return enough(len(page.Items), err)
		},
		"by hand": func(ctx context.Context) error {
			found, err := listByHand(ctx, pool, "WHERE author = $1 AND year >= $2 ORDER BY year DESC, id LIMIT $3", "author 42", 1500, 30)
			return enough(len(found), err)
		},
	})
}

func enough(n int, err error) error {
	if err == nil && n != 30 {
		err = fmt.Errorf("%d records, want 30", n)
	}
	return err
}

func listByHand(ctx context.Context, pool *pgxpool.Pool, rest string, args ...any) ([]*paper, error) {
	rows, err := pool.Query(ctx, "SELECT "+paperColumns+" FROM papers "+rest, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make([]*paper, 0, 30)
	for rows.Next() {
		p := &paper{}
		if err := scanPaper(rows, p); err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, rows.Err()
}

const insertPaper = `INSERT INTO papers ("title", "author", "year", "price", "in_print", "added_at", "tags", "publisher", "note")
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING "id"`

func newPaper() *paper {
	return &paper{
		Title: "title", Author: "author", Year: 2024, Price: new(9.5), AddedAt: time.Unix(1700000000, 0),
		Tags: []string{"a", "b"}, Publisher: publisher{"n", "c"},
	}
}

// insertArgs are the arguments of insertPaper, with JSON as the store writes it.
func insertArgs(p *paper) ([]any, error) {
	tags, err := json.Marshal(p.Tags)
	if err != nil {
		return nil, err
	}
	of, err := json.Marshal(p.Publisher)
	return []any{p.Title, p.Author, p.Year, p.Price, p.InPrint, p.AddedAt, tags, of, p.Note}, err
}

func BenchmarkInsert(b *testing.B) {
	s, pool := library(b, 1000)
	measure(b, map[string]func(context.Context) error{
		"store": func(ctx context.Context) error {
			return s.Transact(ctx, func(ctx context.Context, tx store.Tx[paper]) error { return tx.Insert(ctx, newPaper()) })
		},
		"by hand": func(ctx context.Context) error {
			return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
				p := newPaper()
				args, err := insertArgs(p)
				if err != nil {
					return err
				}
				return tx.QueryRow(ctx, insertPaper, args...).Scan(&p.ID)
			})
		},
		"by hand, in one statement": func(ctx context.Context) error {
			p := newPaper()
			args, err := insertArgs(p)
			if err != nil {
				return err
			}
			return pool.QueryRow(ctx, insertPaper, args...).Scan(&p.ID)
		},
	})
}

func BenchmarkPatch(b *testing.B) {
	s, pool := library(b, 1000)
	measure(b, map[string]func(context.Context) error{
		"store": func(ctx context.Context) error {
			return s.Transact(ctx, func(ctx context.Context, tx store.Tx[paper]) error {
				p, err := tx.Get(ctx, int64(500))
				if err != nil {
					return err
				}
				p.Year++
				return tx.Update(ctx, p.ID, p)
			})
		},
		"by hand": func(ctx context.Context) error {
			return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
				p := &paper{}
				if err := scanPaper(tx.QueryRow(ctx, "SELECT "+paperColumns+" FROM papers WHERE id = $1 FOR UPDATE", int64(500)), p); err != nil {
					return err
				}
				p.Year++
				_, err := tx.Exec(ctx, "UPDATE papers SET year = $1 WHERE id = $2", p.Year, p.ID)
				return err
			})
		},
	})
}

// BenchmarkPage reads a page of 30 at the beginning of a million records and far behind.
func BenchmarkPage(b *testing.B) {
	s, pool := library(b, 1000000)
	far, err := listByHand(b.Context(), pool, "ORDER BY year DESC, id OFFSET 899999 LIMIT 1")
	if err != nil || len(far) != 1 {
		b.Fatal(err)
	}
	page := func(order []store.Order, after []any) func(context.Context) error {
		return func(ctx context.Context) error {
			found, err := s.List(ctx, store.Query{Order: order, After: after, Limit: 30})
			return enough(len(found.Items), err)
		}
	}
	byID := []store.Order{{Field: "id"}}
	byTime := []store.Order{{Field: "addedAt", Descending: true}, {Field: "id", Descending: true}}
	mixed := []store.Order{{Field: "year", Descending: true}, {Field: "id"}}
	for _, test := range []struct {
		name  string
		order []store.Order
		after []any
	}{
		{"by id, first", byID, nil},
		{"by id, at 900000", byID, []any{int64(900000)}},
		{"by time, first", byTime, nil},
		{"by time, at 900000", byTime, []any{time.Date(2024, 1, 1, 0, 0, 100000, 0, time.UTC), int64(100000)}},
		{"mixed, first", mixed, nil},
		{"mixed, at 900000", mixed, []any{far[0].Year, far[0].ID}},
	} {
		b.Run(test.name, func(b *testing.B) {
			measure(b, map[string]func(context.Context) error{"store": page(test.order, test.after)})
		})
	}
}
