package sqlstore_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

func TestPingQueriesTheDatabase(t *testing.T) {
	t.Parallel()
	db, _ := made[coin](t)
	watched, r := recorded(db)
	var s store.Pinger = sqlstore.Table[coin](watched)
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	r.last(t, "SELECT")
	failing(r, "SELECT", 1, sqlstore.UnavailableFault)
	if err := s.Ping(t.Context()); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a database that is out of reach: %v", err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("a database that is in reach again: %v", err)
	}
}

func TestPingReportsAnUnusableTable(t *testing.T) {
	t.Parallel()
	if err := sqlstore.Table[coin](open(t)).Ping(t.Context()); err == nil {
		t.Error("without its table: no error")
	}
	if err := sqlstore.Table[coin](nil).Ping(t.Context()); err == nil {
		t.Error("without a database: no error")
	}
	_, s := made[coin](t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ping(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
	closed, err := sqlite.Open(":memory:")
	if err == nil {
		err = closed.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := sqlstore.Table[coin](closed).Ping(t.Context()); err == nil {
		t.Error("a closed database: no error")
	}
}
