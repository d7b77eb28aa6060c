package mysql_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// instance is a program on a node of a cluster.
type instance struct {
	driver *countingDriver
	db     *sqlstore.DB
	stays  *sqlstore.Store[stay]
	counts *sqlstore.Store[extreme]
	coins  *sqlstore.Store[coin]
}

// tally has what the cluster has acknowledged.
type tally struct {
	mu             sync.Mutex
	stays          []int64
	names          []string
	counted, maybe atomic.Int64 // updates that were saved, and that may have been
	unavailable    atomic.Int64
}

// act writes something to the node of an instance. Writers of a round want the same period and the same name.
func (g *tally) act(ctx context.Context, t *testing.T, on instance, writer, round int) {
	t.Helper()
	from := time.Date(2026, 5, 1, round*8+writer%3, 0, 0, 0, time.UTC)
	booked := &stay{Room: fmt.Sprint(round % 2), From: from, To: new(from.Add(3 * time.Hour))}
	name := fmt.Sprint(round)
	insert := store.Insert(ctx, on.stays, booked)
	update := store.Update(ctx, on.counts, int64(1+round%2), func(r *extreme) error { r.Int++; return nil })
	unique := store.Insert(ctx, on.coins, &coin{Name: name})
	g.mu.Lock()
	defer g.mu.Unlock()
	if insert == nil {
		g.stays = append(g.stays, booked.ID)
	}
	if unique == nil {
		g.names = append(g.names, name)
	}
	switch {
	case update == nil:
		g.counted.Add(1)
	case errors.Is(update, store.ErrUnavailable):
		g.maybe.Add(1)
	}
	for _, err := range []error{insert, update, unique} {
		switch {
		case errors.Is(err, store.ErrUnavailable):
			g.unavailable.Add(1)
		case err != nil && !errors.Is(err, store.ErrConflict):
			t.Errorf("writer %d: %v", writer, err)
		}
	}
}

func TestGaleraLosesNothingAcknowledgedAndKeepsPeriodsApart(t *testing.T) {
	t.Parallel()
	dsns, folder := strings.Fields(os.Getenv("TROVE_TEST_GALERA")), os.Getenv("TROVE_TEST_GALERA_FOLDER")
	if len(dsns) != 3 {
		t.Skip("run it by .ci/galera")
	}
	ctx := impatient(t)
	var nodes []instance
	for _, dsn := range dsns {
		d := &countingDriver{Driver: connectTo(t, dsn)}
		db := sqlstore.New(d)
		nodes = append(nodes, instance{d, db, table[stay](t, db), table[extreme](t, db), table[coin](t, db)})
	}
	if err := store.Insert(ctx, nodes[0].counts, &extreme{ID: 1}, &extreme{ID: 2}); err != nil {
		t.Fatal(err)
	}
	var g tally
	var all sync.WaitGroup
	var stop atomic.Bool
	var turns atomic.Int64
	for writer := range 8 {
		all.Go(func() {
			for !stop.Load() && ctx.Err() == nil {
				g.act(ctx, t, nodes[writer%2], writer, int(turns.Add(1)/8))
			}
		})
	}
	reach(ctx, t, &g.counted, 200)
	if out, err := exec.CommandContext(ctx, filepath.Join(folder, "kill"), "2").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	reach(ctx, t, &g.unavailable, 1)
	reach(ctx, t, &g.counted, g.counted.Load()+200)            // on the other node
	again := exec.Command(filepath.Join(folder, "start"), "2") //nolint:noctx // the script ends it
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	for nodes[1].coins.Ping(ctx) != nil && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
	}
	reach(ctx, t, &g.counted, g.counted.Load()+200) // on both
	stop.Store(true)
	all.Wait()
	for n, node := range nodes {
		g.check(ctx, t, n+1, node)
	}
	if n := nodes[0].driver.deadlocks.Load() + nodes[1].driver.deadlocks.Load(); n == 0 {
		t.Error("no transaction met another one, which tests nothing")
	} else {
		t.Logf("%d stays, %d names, %d updates and %d conflicts", len(g.stays), len(g.names), g.counted.Load(), n)
	}
}

// reach waits until a number is reached.
func reach(ctx context.Context, t *testing.T, n *atomic.Int64, want int64) {
	t.Helper()
	for n.Load() < want {
		if ctx.Err() != nil {
			t.Fatalf("after two minutes it is %d, want %d", n.Load(), want)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// check compares what a node has with what was acknowledged.
func (g *tally) check(ctx context.Context, t *testing.T, n int, node instance) {
	t.Helper()
	stays, err := node.stays.List(ctx, store.Query{})
	if err != nil {
		t.Fatal(err)
	}
	there := map[int64]bool{}
	for i, a := range stays.Items {
		there[a.ID] = true
		for _, b := range stays.Items[:i] {
			if a.Room == b.Room && a.From.Before(*b.To) && b.From.Before(*a.To) {
				t.Errorf("node %d: %s and %s overlap in %s", n, a.From, b.From, a.Room)
			}
		}
	}
	for _, id := range g.stays {
		if !there[id] {
			t.Errorf("node %d: the stay %d was acknowledged and is not there", n, id)
		}
	}
	for _, name := range g.names {
		if count, err := store.Count(ctx, node.coins, store.Eq("name", name)); err != nil || count != 1 {
			t.Errorf("node %d: there are %d coins %s, %v", n, count, name, err)
		}
	}
	if sum := one[int64](ctx, t, node.db, "SELECT CAST(SUM(`int`) AS SIGNED) FROM extremes"); sum < g.counted.Load() || sum > g.counted.Load()+g.maybe.Load() {
		t.Errorf("node %d: the count is %d after %d updates and %d that are unknown", n, sum, g.counted.Load(), g.maybe.Load())
	}
}
