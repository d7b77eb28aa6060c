package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
)

// responding stores a response with a record, unless the key has one.
func responding(key, content string, expires time.Time) func(context.Context, store.Tx[counter]) error {
	return func(ctx context.Context, tx store.Tx[counter]) error {
		answers := tx.(store.ResponseTx)
		if _, err := answers.Response(ctx, key); !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if err := tx.Insert(ctx, &counter{Name: &content}); err != nil {
			return err
		}
		return answers.KeepResponse(ctx, key, store.StoredResponse{Content: []byte(content), Expires: expires})
	}
}

func TestOfReplicasWithOneRequestOneSaves(t *testing.T) {
	t.Parallel()
	server(t)
	for _, isolation := range []string{"read committed", "repeatable read", "serializable"} {
		for name, old := range map[string]string{
			"a new key":                 "",
			"a key that was given up":   "INSERT INTO trove_responses VALUES ('key', '', '', '1970-01-01')",
			"an answer that expired":    "INSERT INTO trove_responses VALUES ('key', 'old', 'old', '2001-01-01')",
			"many answers that expired": "INSERT INTO trove_responses SELECT 'key' || i, '', '', '2001-01-01' FROM generate_series(1, 1000) i",
		} {
			t.Run(isolation+"/"+name, func(t *testing.T) {
				t.Parallel()
				dsn := schema(t)
				ctx, stores := impatient(t), replicas(t, set(t, dsn, "default_transaction_isolation", isolation))
				if old != "" {
					administer(t, dsn, old)
				}
				for i, err := range together(16, func(i int) error {
					return stores[i%2].Transact(ctx, responding("key", fmt.Sprint(i), time.Now().Add(time.Hour)))
				}) {
					if err != nil {
						t.Errorf("request %d: %v", i, err)
					}
				}
				if page, err := stores[0].List(ctx, store.Query{}); err != nil || len(page.Items) != 1 {
					t.Errorf("%d records, %v", len(page.Items), err)
				}
			})
		}
	}
}

func TestDeletingResponsesMakesNoTransactionFail(t *testing.T) {
	t.Parallel()
	server(t)
	for _, isolation := range []string{"read committed", "serializable"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			dsn := set(t, schema(t), "default_transaction_isolation", isolation)
			ctx, stores := impatient(t), replicas(t, dsn)
			for i, err := range together(16, func(i int) error {
				for n := range 20 {
					key := fmt.Sprint(i, " ", n)
					if err := stores[i%2].Transact(ctx, responding(key, key, time.Now().Add(-time.Hour))); err != nil {
						return err
					}
				}
				return nil
			}) {
				if err != nil {
					t.Errorf("client %d: %v", i, err)
				}
			}
			page, err := stores[0].List(ctx, store.Query{})
			left := one[int](ctx, t, open(t, dsn), "SELECT count(*) FROM trove_responses")
			if err != nil || len(page.Items) != 320 || left > 200 {
				t.Errorf("%d records of 320 (%v), and %d answers that expired are left", len(page.Items), err, left)
			}
		})
	}
}

func TestALockedResponseIsSkipped(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	ctx, stores := impatient(t), replicas(t, dsn)
	administer(t, dsn, "INSERT INTO trove_responses VALUES ('locked', '', '', '2001-01-01'), ('free', '', '', '2001-01-01')")
	err := stores[0].Transact(ctx, func(within context.Context, tx store.Tx[counter]) error {
		if _, err := tx.(store.ResponseTx).Response(within, "locked"); !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("an expired response: %w", err)
		}
		return stores[1].Transact(ctx, responding("new", "new", time.Now().Add(time.Hour))) // deletes unlocked expired responses
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := one[string](ctx, t, open(t, dsn), "SELECT string_agg(key, ' ' ORDER BY key) FROM trove_responses WHERE key <> 'locked'")
	if rows != "new" {
		t.Errorf("these are left: %s", rows)
	}
}

func TestAMissingTableOfResponsesIsReported(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	db := open(t, dsn)
	s := table[counter](t, db)
	if err := s.CheckResponses(t.Context()); err != nil {
		t.Error(err)
	}
	administer(t, dsn, "DROP TABLE trove_responses")
	if err := s.CheckResponses(t.Context()); err == nil || !strings.Contains(err.Error(), "sqlstore.DDL(db.Responses())") {
		t.Errorf("the error is %v", err)
	}
}

func TestAPingFindsOutWhetherTheServerIsThere(t *testing.T) {
	t.Parallel()
	through, dsn := leased(t)
	ctx := impatient(t)
	s := table[counter](t, open(t, dsn))
	if err := s.Ping(ctx); err != nil {
		t.Error(err)
	}
	through.cut()
	if err := s.Ping(ctx); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("without a server: %v", err)
	}
	through.repair()
	for range 10 { // the cut connections of the pool are detected one by one
		if err := s.Ping(ctx); err == nil {
			return
		}
	}
	t.Error("the server runs again, but Ping fails")
}
