package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
)

func TestThroughAPoolerNoStatementHasAName(t *testing.T) {
	t.Parallel()
	dsn := with(schema(t), "pool_max_conns", "8")
	ctx, s := impatient(t), table[counter](t, open(t, dsn))
	errs := together(16, func(worker int) error {
		for round := range 20 {
			record := &counter{Name: new(fmt.Sprintf("%d-%d", worker, round))}
			err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[counter]) error {
				if err := tx.Insert(ctx, record); err != nil {
					return err
				}
				record.N++
				return tx.Update(ctx, record.ID, record)
			})
			if err == nil {
				_, err = s.Get(ctx, record.ID)
			}
			if err == nil {
				_, err = s.List(ctx, store.Query{Order: []store.Order{{Field: "name"}}, Limit: 2 + worker%3, Count: round%2 == 0})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	d := connectTo(t, dsn)
	for range 3 { // pgx prepares each new statement
		one[int64](ctx, t, d, "SELECT count(*) FROM counters WHERE n = $1", 1)
	}
	if prepared := one[int64](ctx, t, d, "SELECT count(*) FROM pg_prepared_statements"); (prepared == 0) != pooled() {
		t.Errorf("%d statements are prepared; through a pooler: %v", prepared, pooled())
	}
}

func TestTheModeThatADSNChoosesStays(t *testing.T) {
	t.Parallel()
	direct(t)
	ctx, d := impatient(t), connectTo(t, with(server(t), "default_query_exec_mode", "exec"))
	one[int64](ctx, t, d, "SELECT count(*) FROM pg_class WHERE relname = $1", "x")
	if prepared := one[int64](ctx, t, d, "SELECT count(*) FROM pg_prepared_statements"); prepared != 0 {
		t.Errorf("%d statements are prepared", prepared)
	}
}

func TestNoTransactionWaitsForALockWithoutALimit(t *testing.T) {
	t.Parallel()
	ctx := impatient(t)
	shown := func(dsn string) string {
		return one[string](ctx, t, begin(ctx, t, connectTo(t, dsn)), "SELECT current_setting('lock_timeout')")
	}
	if limit := shown(schema(t)); limit != "10s" {
		t.Errorf("the default limit is %s", limit)
	}
	if limit := shown(set(t, schema(t), "lock_timeout", "3min")); limit != "3min" {
		t.Errorf("the limit that is set is %s", limit)
	}
	if !pooled() {
		if limit := shown(with(server(t), "lock_timeout", "0")); limit != "0" {
			t.Errorf("a limit that is switched off is %s", limit)
		}
	}
	s := table[counter](t, open(t, set(t, schema(t), "lock_timeout", "20ms")))
	record := &counter{}
	addTo(ctx, t, s, record)
	err := s.Transact(ctx, func(inner context.Context, tx store.Tx[counter]) error {
		if err := incrementing(record.ID)(inner, tx); err != nil {
			return err
		}
		if err := s.Transact(ctx, incrementing(record.ID)); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("a record that another transaction holds: %v", err)
		}
		return nil
	})
	if found, getting := s.Get(ctx, record.ID); err != nil || getting != nil || found.N != 1 {
		t.Errorf("%+v (%v, %v)", found, err, getting)
	}
}

func TestNoTransactionWaitsForATurnWithoutALimit(t *testing.T) {
	t.Parallel()
	ctx, s := impatient(t), table[counter](t, open(t, with(set(t, schema(t), "lock_timeout", "20ms"), "pool_max_conns", "2")))
	err := s.Transact(ctx, func(inner context.Context, tx store.Tx[counter]) error {
		if err := tx.Insert(inner, &counter{}); err != nil {
			return err
		}
		err := s.Transact(ctx, inserting(&counter{}))
		if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "pass the context of its function") {
			t.Errorf("the turn of another one: %v", err)
		}
		return nil
	})
	if page, listing := s.List(ctx, store.Query{}); err != nil || listing != nil || len(page.Items) != 1 {
		t.Errorf("%d records (%v, %v)", len(page.Items), err, listing)
	}
}
