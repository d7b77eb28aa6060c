package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/store"
)

// connections is a driver with a limited number of connections.
type connections int

func (c connections) Pool() (int, time.Duration) { return int(c), time.Second }

func gateOf(n int) *gate {
	return newGate(&DB{driver: struct {
		Driver
		connections
	}{nil, connections(n)}})
}

// tries returns whether there is a place at once.
func tries(t *testing.T, g *gate, table string, writes bool) (*place, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	p, err := g.enter(ctx, table, writes)
	return p, err == nil
}

func TestTransactionsLeaveAConnectionToReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, transactionsLeaveAConnection)
}

func transactionsLeaveAConnection(t *testing.T) {
	for n := 1; n <= 40; n++ {
		g := gateOf(n)
		taken := 0
		for ; taken <= n; taken++ {
			if _, ok := tries(t, g, "coins", true); !ok {
				break
			}
		}
		if want := max(1, n-1); taken != want {
			t.Errorf("of %d connections, transactions have %d, want %d", n, taken, want)
		}
		if _, ok := tries(t, g, "coins", false); ok != (n > 1) {
			t.Errorf("of %d connections, a read has one: %v", n, ok)
		}
	}
}

func TestReadsOfOneTableHaveAllConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for n := 1; n <= 40; n++ {
			g := gateOf(n)
			for i := range n {
				if _, ok := tries(t, g, "coins", false); !ok {
					t.Errorf("the read %d of %d has no connection", i+1, n)
				}
			}
		}
	})
}

func TestABorrowerIsInterruptedForOtherTablesAlone(t *testing.T) {
	t.Parallel()
	g := gateOf(2)
	own, _ := tries(t, g, "coins", false)
	lent, _ := tries(t, g, "coins", false)
	running := lent.statement(t.Context())
	if _, err := g.enter(t.Context(), "coins", false); !errors.Is(err, store.ErrUnavailable) || running.Err() != nil {
		t.Errorf("a request of the same table: %v, and the borrower: %v", err, running.Err())
	}
	given := make(chan error, 1)
	go func() {
		_, err := g.enter(t.Context(), "gems", false)
		given <- err
	}()
	select {
	case <-running.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the borrower goes on")
	}
	if !lent.leave() || own.leave() {
		t.Error("the wrong request was interrupted")
	}
	if err := <-given; err != nil {
		t.Errorf("the request of the other table: %v", err)
	}
}

func TestAnInterruptedTableBorrowsNothingForAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := gateOf(4)
		for range 2 {
			tries(t, g, "coins", false)
		}
		// Each interruption that soon follows makes the pause longer, because the table is locked.
		for _, pause := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 5 * time.Second, 5 * time.Second} {
			for range 2 {
				p, _ := tries(t, g, "coins", false)
				p.statement(t.Context())
			}
			time.Sleep(time.Second)
			g.interruptFor("gems", time.Now())
			for len(g.loans) > 0 {
				if !g.loans[0].leave() {
					t.Error("a borrower was not interrupted")
				}
			}
			time.Sleep(pause - 10*time.Millisecond)
			if _, ok := tries(t, g, "coins", false); ok {
				t.Errorf("the table borrows again before %s", pause)
			}
			p, ok := tries(t, g, "gems", true)
			if !ok {
				t.Fatal("another table borrows nothing")
			}
			p.leave()
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		p, _ := tries(t, g, "coins", false)
		p.statement(t.Context())
		time.Sleep(time.Second)
		g.interruptFor("gems", time.Now())
		if p.leave(); g.slow["coins"].lasts != minPause {
			t.Errorf("the pause after a quiet minute is %s", g.slow["coins"].lasts)
		}
	})
}

// A transaction loses no more than what it waits for.
func TestATransactionThatHasDoneMuchIsNotInterrupted(t *testing.T) {
	t.Parallel()
	g := gateOf(3)
	for range 2 {
		if _, ok := tries(t, g, "coins", true); !ok {
			t.Fatal("there is no place")
		}
	}
	p := g.loans[0]
	p.statement(t.Context())
	p.began = p.since.Add(-time.Minute)
	for _, test := range []struct {
		after time.Duration
		want  bool
	}{{50 * time.Second, false}, {61 * time.Second, true}} {
		if g.interruptFor("gems", p.since.Add(test.after)); p.interrupted != test.want {
			t.Errorf("after %s: interrupted is %v", test.after, p.interrupted)
		}
	}
}

// idle is a transaction without rows.
type idle struct{ Transaction }

func (idle) Query(context.Context, string, ...any) (Rows, error) { return noRows{}, nil }
func (idle) Exec(context.Context, string, ...any) (int64, error) { return 0, nil }

type noRows struct{}

func (noRows) Next() bool        { return false }
func (noRows) Scan(...any) error { return nil }
func (noRows) Err() error        { return nil }
func (noRows) Close() error      { return nil }

func TestASlowFunctionIsNotASlowStatement(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(*transaction) error{
		"query": func(tx *transaction) error {
			rows, err := tx.Query(t.Context(), "")
			if tx.place.since.IsZero() {
				t.Error("open rows do not count")
			}
			return errors.Join(err, rows.Close())
		},
		"exec": func(tx *transaction) error {
			_, err := tx.Exec(t.Context(), "")
			return err
		},
		"write": func(tx *transaction) error {
			_, err := tx.write(t.Context(), nil, "", nil, nil)
			return err
		},
	} {
		g := gateOf(3)
		g.db.gate = g
		tries(t, g, "coins", true)
		p, _ := tries(t, g, "coins", true)
		if err := run(&transaction{Transaction: idle{}, db: g.db, place: p}); err != nil {
			t.Fatal(err)
		}
		if g.interruptFor("gems", time.Now().Add(time.Minute)); p.interrupted || p == &g.plain {
			t.Errorf("after %s, the function is interrupted", name)
		}
	}
}

func TestAFreePlaceCostsNoAllocation(t *testing.T) { //nolint:paralleltest // counts allocations
	g, ctx := gateOf(4), t.Context()
	n := testing.AllocsPerRun(100, func() {
		if p, err := g.enter(ctx, "coins", false); err == nil {
			p.statement(ctx)
			p.leave()
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkGate(b *testing.B) {
	for _, n := range []int{1, 4, 8} {
		b.Run(fmt.Sprintf("clients=%d", n), func(b *testing.B) {
			g, ctx := gateOf(8), b.Context()
			b.ReportAllocs()
			b.SetParallelism(n)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if p, err := g.enter(ctx, "coins", false); err == nil {
						p.statement(ctx)
						p.leave()
					}
				}
			})
		})
	}
}
