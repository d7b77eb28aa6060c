package soak_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

const (
	workers = 32
	// patience is how much longer the load may last until every fault has occurred.
	patience = time.Minute
	counters = 3
)

// collection is a resource that workers write to.
type collection struct {
	path     string
	ledger   *ledger
	counters []*counter
	keeps    bool // the store keeps responses for repeated requests
}

// load is the state that all workers share.
type load struct {
	*client

	service     *service
	collections []*collection
	hostile     hostility
}

// worker is one client that runs one operation after the other.
type worker struct {
	*load
	*client

	hasty  *client
	name   string
	random *rand.Rand
	made   int
	own    map[*collection][]*entry // records that certainly exist
}

// deed is an operation of workers, with its weight.
type deed struct {
	share int
	do    func(w *worker, ctx context.Context, c *collection)
}

var deeds = []deed{
	{16, (*worker).create},
	{4, (*worker).createTrap},
	{4, (*worker).createAgain},
	{18, (*worker).get},
	{10, (*worker).list},
	{3, (*worker).walk},
	{2, (*worker).stream},
	{10, (*worker).patch},
	{6, (*worker).put},
	{13, (*worker).remove},
	{10, (*worker).countUp},
	{8, (*worker).mistake},
	{2, (*worker).cancelCreate},
	{1, (*worker).cancelPatch},
	{2, (*worker).cutCreate},
	{1, (*worker).vanish},
	{1, (*worker).byteByByte},
}

func newLoad(s *service) *load {
	l := &load{client: newClient(s), service: s}
	for _, path := range []string{"/api/notes", "/api/parcels"} {
		l.collections = append(l.collections, &collection{path: path, ledger: newLedger(), keeps: s.keeps[path]})
	}
	return l
}

// makeCounters creates the records that all workers increment, before any fault.
func (l *load) makeCounters(t *testing.T) {
	t.Helper()
	for _, c := range l.collections {
		for range counters {
			w := l.newWorker("counter-" + string(rune('a'+len(c.counters))))
			for tries := 0; tries < 20 && len(w.own[c]) == 0; tries++ {
				w.create(t.Context(), c)
			}
			if len(w.own[c]) != 1 {
				t.Fatalf("cannot create a counter in %s", c.path)
			}
			e := w.own[c][0]
			w.http.CloseIdleConnections()
			c.ledger.strike(e)
			c.counters = append(c.counters, &counter{entry: e, first: e.values[0]})
		}
	}
}

func (l *load) newWorker(name string) *worker {
	seed := uint64(len(name))
	for _, r := range name {
		seed = seed*31 + uint64(r)
	}
	return &worker{
		load: l, client: l.patient(), hasty: l.hasty(), name: name, random: rand.New(rand.NewPCG(seed, 1)), own: map[*collection][]*entry{},
	}
}

// run keeps all workers busy for a time, and until every fault has occurred.
func (l *load) run(ctx context.Context, length time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, length+patience)
	defer cancel()
	var group sync.WaitGroup
	deadline := time.Now().Add(length)
	for i := range workers {
		w := l.newWorker("w" + string(rune('a'+i/26)) + string(rune('a'+i%26)))
		group.Go(func() {
			for ctx.Err() == nil && (time.Now().Before(deadline) || !l.sawEverything()) {
				w.act(ctx)
			}
			w.http.CloseIdleConnections()
		})
	}
	group.Wait()
}

// sawEverything reports whether every planted fault has occurred.
func (l *load) sawEverything() bool {
	return len(l.journal.unseen()) == 0 && len(l.hostile.unseen(l.service)) == 0
}

func (w *worker) act(ctx context.Context) {
	all := 0
	for _, d := range deeds {
		all += d.share
	}
	n := w.random.IntN(all)
	for _, d := range deeds {
		if n -= d.share; n < 0 {
			d.do(w, ctx, w.collections[w.random.IntN(len(w.collections))])
			return
		}
	}
}

// pick returns one of the worker's records, nil if it has none.
func (w *worker) pick(c *collection) *entry {
	if len(w.own[c]) == 0 {
		return nil
	}
	return w.own[c][w.random.IntN(len(w.own[c]))]
}
