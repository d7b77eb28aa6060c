package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// counter is a record that many transactions change at once.
type counter struct {
	ID   int64   `json:"id"`
	Name *string `json:"name" api:"unique"`
	N    int     `json:"n"`
}

// replicas returns the stores of two programs on one table, each with its own pool.
func replicas(t *testing.T, dsn string) [2]*sqlstore.Store[counter] {
	t.Helper()
	return [2]*sqlstore.Store[counter]{table[counter](t, open(t, dsn)), table[counter](t, open(t, dsn))}
}

// together runs a function n times concurrently, and returns the errors.
func together(n int, fn func(i int) error) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = fn(i) })
	}
	all.Wait()
	return errs
}

func inserting(record *counter) func(context.Context, store.Tx[counter]) error {
	return func(ctx context.Context, tx store.Tx[counter]) error { return tx.Insert(ctx, record) }
}

func incrementing(ids ...int64) func(context.Context, store.Tx[counter]) error {
	return func(ctx context.Context, tx store.Tx[counter]) error {
		for _, id := range ids {
			record, err := tx.Get(ctx, id)
			if err != nil {
				return err
			}
			record.N++
			if err := tx.Update(ctx, id, record); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestOfReplicasThatInsertOneUniqueValueOneSucceeds(t *testing.T) {
	t.Parallel()
	ctx, stores := impatient(t), replicas(t, schema(t))
	errs := together(16, func(i int) error {
		return stores[i%2].Transact(ctx, inserting(&counter{Name: new("only one")}))
	})
	winner := slices.Index(errs, nil)
	for i, err := range errs {
		if taken, ok := errors.AsType[store.UniqueError](err); i != winner && (!ok || taken.Field != "name") {
			t.Errorf("insert %d: %v", i, err)
		}
	}
	if page, err := stores[0].List(ctx, store.Query{}); err != nil || len(page.Items) != 1 {
		t.Errorf("%d records, %v", len(page.Items), err)
	}
}

func TestReplicasLoseNoUpdate(t *testing.T) {
	t.Parallel()
	for _, isolation := range []string{"read committed", "repeatable read", "serializable"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			const workers, rounds = 6, 20
			ctx, stores := impatient(t), replicas(t, set(t, schema(t), "default_transaction_isolation", isolation))
			record := &counter{}
			if err := stores[0].Transact(ctx, inserting(record)); err != nil {
				t.Fatal(err)
			}
			errs := together(workers, func(worker int) error {
				for range rounds {
					if err := stores[worker%2].Transact(ctx, incrementing(record.ID)); err != nil {
						return err
					}
				}
				return nil
			})
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			if found, err := stores[0].Get(ctx, record.ID); err != nil || found.N != workers*rounds {
				t.Errorf("the record %+v, %v, want %d", found, err, workers*rounds)
			}
		})
	}
}

func TestReplicasThatTakeTwoRecordsInOppositeOrderBothSucceed(t *testing.T) {
	t.Parallel()
	ctx, stores := impatient(t), replicas(t, set(t, schema(t), "deadlock_timeout", "10ms"))
	one, two := &counter{}, &counter{}
	for _, record := range []*counter{one, two} {
		if err := stores[0].Transact(ctx, inserting(record)); err != nil {
			t.Fatal(err)
		}
	}
	orders := [2][]int64{{one.ID, two.ID}, {two.ID, one.ID}}
	errs := together(2, func(i int) error {
		for range 20 {
			if err := stores[i].Transact(ctx, incrementing(orders[i]...)); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, record := range []*counter{one, two} {
		if found, err := stores[0].Get(ctx, record.ID); err != nil || found.N != 40 {
			t.Errorf("the record %+v, %v, want 40", found, err)
		}
	}
}

func TestReplicasThatStartTogetherBothMakeTheTable(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	dbs := [2]*sqlstore.DB{open(t, dsn), open(t, dsn)}
	errs := together(8, func(i int) error { return dbs[i%2].Create(t.Context(), sqlstore.Table[counter](dbs[i%2])) })
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

func TestAStoreRecoversFromALostConnection(t *testing.T) {
	t.Parallel()
	direct(t)
	ctx := impatient(t)
	db := open(t, schema(t))
	s, record := table[counter](t, db), &counter{}
	if err := s.Transact(ctx, inserting(record)); err != nil {
		t.Fatal(err)
	}
	lose := func() { terminate(ctx, t, one[int32](ctx, t, db, "SELECT pg_backend_pid()")) }
	for name, call := range map[string]func() error{
		"Get":      func() error { _, err := s.Get(ctx, record.ID); return err },
		"List":     func() error { _, err := s.List(ctx, store.Query{Count: true}); return err },
		"Transact": func() error { return s.Transact(ctx, incrementing(record.ID)) },
		"Insert":   func() error { return s.Transact(ctx, inserting(&counter{})) },
		"Check":    func() error { return s.Check(ctx) },
	} {
		lose()
		if err := call(); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s on the lost connection: %v", name, err)
		}
		if err := call(); err != nil {
			t.Errorf("%s, asked again: %v", name, err)
		}
	}
}

func TestATransactionThatLosesItsConnectionIsNotRunAgain(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[counter](t, open(t, schema(t)))
	runs := 0
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[counter]) error {
		runs++
		executor, _ := sqlstore.Tx(ctx)
		if err := tx.Insert(ctx, &counter{}); err != nil {
			return err
		}
		terminate(ctx, t, one[int32](ctx, t, executor, "SELECT pg_backend_pid()"))
		return nil
	})
	if !errors.Is(err, store.ErrUnavailable) || runs != 1 {
		t.Errorf("after %d runs: %v", runs, err)
	}
	if page, err := s.List(ctx, store.Query{}); err != nil || len(page.Items) != 0 {
		t.Errorf("%d records, %v", len(page.Items), err)
	}
}

func TestTransactionsThatReadOutsideOfThemselvesDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[counter](t, open(t, with(schema(t), "pool_max_conns", "3")))
	outside := ctx // of the transactions
	errs := together(12, func(int) error {
		record := &counter{}
		return s.Transact(ctx, func(ctx context.Context, tx store.Tx[counter]) error {
			if err := tx.Insert(ctx, record); err != nil {
				return err
			}
			if _, err := s.Get(outside, record.ID); !errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("a record that is not saved is found: %w", err)
			}
			_, err := s.List(outside, store.Query{})
			return err
		})
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if page, err := s.List(ctx, store.Query{}); err != nil || len(page.Items) != len(errs) {
		t.Errorf("%d records, %v", len(page.Items), err)
	}
}

func TestWaitingForAConnectionEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, db := impatient(t), open(t, with(server(t), "pool_max_conns", "2"))
	selecting := func(ctx context.Context) error {
		tx, _ := sqlstore.Tx(ctx)
		_, err := tx.Exec(ctx, "SELECT 1")
		return err
	}
	err := db.Transact(ctx, func(inner context.Context) error {
		if err := selecting(inner); err != nil {
			return err
		}
		short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		if err := db.Transact(short, selecting); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second transaction: %v", err)
		}
		if n, err := ask[int](ctx, db, "SELECT 1"); n != 1 || err != nil {
			t.Errorf("a read: %d, %v", n, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// labelled is a record with a client-set key.
type labelled struct {
	Key  string `json:"key" api:"id"`
	Text string `json:"text"`
}

func TestOfManyPutsOfANewRecordOneCreatesItAndTheOthersFindIt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, isolation, condition string
		others                     int
	}{
		{"and update it", "read committed", "", 200},
		{"and update it, serializable", "serializable", "", 200},
		{"and may not, if there is to be none", "read committed", "*", 412},
		{"and may not, if there is to be none, serializable", "serializable", "*", 412},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			dsn := with(set(t, schema(t), "default_transaction_isolation", test.isolation), "pool_max_conns", "12")
			s := table[labelled](t, open(t, dsn))
			api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler)},
				resource.Of[labelled]{ShortName: "Label", Store: s, Operations: []operation.Operation{operation.Get{}, operation.Put{AllowCreate: true}}})
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"a", "b", "c", "d"} {
				codes := map[int]int{}
				answers := make(chan int, 24)
				together(cap(answers), func(int) error {
					r := httptest.NewRequestWithContext(impatient(t), http.MethodPut, "/api/labels/"+key, strings.NewReader(`{"text":"x"}`))
					r.Header.Set("Content-Type", "application/json")
					if test.condition != "" {
						r.Header.Set("If-None-Match", test.condition)
					}
					w := httptest.NewRecorder()
					api.ServeHTTP(w, r)
					answers <- w.Code
					return nil
				})
				for range cap(answers) {
					codes[<-answers]++
				}
				others := codes[test.others]
				if test.isolation == "serializable" { // conflicts are detected, not waited for, so some clients must try again
					others += codes[503]
				}
				if codes[201] != 1 || others != cap(answers)-1 {
					t.Errorf("%s returned %v", key, codes)
				}
			}
		})
	}
}

func TestARecordThatAnotherInsertsMeanwhileIsFoundByTheNextRun(t *testing.T) {
	t.Parallel()
	ctx, dsn := impatient(t), schema(t)
	one, other := table[labelled](t, open(t, dsn)), table[labelled](t, open(t, dsn))
	runs := 0
	err := one.Transact(ctx, func(ctx context.Context, tx store.Tx[labelled]) error {
		runs++
		_, err := tx.Get(ctx, "a")
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		faster := other.Transact(impatient(t), func(ctx context.Context, tx store.Tx[labelled]) error {
			return tx.Insert(ctx, &labelled{Key: "a", Text: "theirs"})
		})
		return errors.Join(faster, tx.Insert(ctx, &labelled{Key: "a", Text: "ours"}))
	})
	if err != nil || runs != 2 {
		t.Errorf("after %d runs: %v", runs, err)
	}
}
