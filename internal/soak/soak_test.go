// Package soak_test runs an API on a real server under more load than it can handle, with faults planted in its stores
// and hooks and with hostile clients. Then it compares what was saved with the responses. `make soak` runs it for
// minutes.
package soak_test

import (
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// shortForm is how long the load lasts without TROVE_SOAK.
const shortForm = 2 * time.Second

func TestSoak(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a soak test takes long")
	}
	length := soakLength(t)
	before := footprintBefore(t)
	s := startService(t, length)
	l := newLoad(s)
	l.makeCounters(t)
	var idle *holder
	if length > shortForm {
		idle = holdIdle(t, s.address)
	}

	s.faults.armed.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wait := l.harass(ctx)
	began := time.Now()
	l.run(ctx, length)
	took := time.Since(began)
	idle.ask(t)
	cancel()
	wait()
	s.faults.armed.Store(false)
	l.checkPlaces(t)
	l.stopAmidst(t)
	idle.end(t)

	records := l.settleAccounts(t)
	l.reportFigures(t, took)
	if err := s.db.Close(); err != nil {
		t.Errorf("closing the database: %v", err)
	}
	s.findings.report(t)
	compareWith(t, before, records)
	runtime.KeepAlive(s)
}

// soakLength is how long the load lasts.
func soakLength(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("TROVE_SOAK")
	if text == "" {
		return shortForm
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("TROVE_SOAK: %v", err)
	}
	return length
}

// footprintBefore measures the process after it has used the network, because the runtime keeps descriptors for that.
func footprintBefore(t *testing.T) footprint {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	return measure()
}

// settleAccounts compares stores, log and observers with the responses that clients got, and returns how many records
// remain.
func (l *load) settleAccounts(t *testing.T) int {
	t.Helper()
	s := l.service
	notes, err := keptNotes(t.Context(), s.notes)
	if err != nil {
		t.Errorf("reading the notes: %v", err)
	}
	parcels, err := keptParcels(t.Context(), s.parcels)
	if err != nil {
		t.Errorf("reading the parcels: %v", err)
	}
	for i, records := range [][]kept{notes, parcels} {
		l.settleCollection(t, l.collections[i], records)
	}
	for _, missing := range slices.Concat(s.journal.unseen(), l.hostile.unseen(s)) {
		t.Errorf("not seen: %s", missing)
	}
	for _, kind := range allFaults {
		if logged, planted := s.journal.count(kind), s.faults.count(kind); logged > planted {
			t.Errorf("the log has %q %d times, but it was planted %d times", kind, logged, planted)
		}
	}
	if begun, ended := s.observer.begun.Load(), s.observer.ended.Load(); begun != ended || begun == 0 {
		t.Errorf("the observer saw %d requests begin and %d end", begun, ended)
	}
	return len(notes) + len(parcels)
}

func (l *load) settleCollection(t *testing.T, c *collection, records []kept) {
	t.Helper()
	var succeeded, lost, open int64
	for _, shared := range c.counters {
		shared.compare(c.path, records, l.findings)
		succeeded, lost, open = succeeded+shared.succeeded.Load(), lost+shared.lost.Load(), open+shared.open.Load()
		records = slices.DeleteFunc(records, func(r kept) bool { return r.mark == shared.entry.mark })
	}
	unsure := c.ledger.compare(c.path, records, l.findings)
	t.Logf("%s: %d records are left, %d of them have an unknown state; counted up %d times, too late %d times, without a response %d times; responses kept: %v",
		c.path, len(records), unsure, succeeded, lost, open, c.keeps)
}

func (l *load) reportFigures(t *testing.T, took time.Duration) {
	t.Helper()
	statuses := make([]string, 0, len(l.tally.statuses))
	for _, status := range slices.Sorted(maps.Keys(l.tally.statuses)) {
		statuses = append(statuses, fmt.Sprintf("%s: %d", statusOf(status), l.tally.statuses[status]))
	}
	t.Logf("%d requests in %v, %.0f per second", l.tally.requests, took.Round(time.Millisecond), float64(l.tally.requests)/took.Seconds())
	t.Logf("by status: %s", strings.Join(statuses, ", "))
	t.Logf("late bodies %d, late headers %d, streams unread %d, too busy for them %d",
		l.hostile.lateBodies.Load(), l.hostile.lateHeaders.Load(), l.hostile.deaf.Load(), l.hostile.busy.Load())
	for _, kind := range append(slices.Clone(allFaults), overtime) {
		t.Logf("%s: planted %d times, logged %d times", kind, l.service.faults.count(kind), l.journal.count(kind))
	}
}

const (
	// moreGoroutines is how many goroutines may remain without a request: those of the runtime and of package testing.
	moreGoroutines = 4
	moreHeap       = 20 << 20
	// perRecord is the memory that a remaining record may use.
	perRecord = 4 << 10
	settling  = 15 * time.Second
)

// footprint is the resources that a process holds.
type footprint struct {
	goroutines  int
	descriptors int // -1 if the system does not report it
	heap        uint64
}

func measure() footprint {
	runtime.GC()
	runtime.GC() // frees memory held by finalizers and pools after the first round
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	f := footprint{goroutines: runtime.NumGoroutine(), descriptors: -1, heap: memory.HeapAlloc}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		f.descriptors = len(open)
	}
	return f
}

// compareWith waits until the process is back to its earlier footprint, and reports the differences.
func compareWith(t *testing.T, before footprint, records int) {
	t.Helper()
	bound := before.heap + moreHeap + uint64(records*perRecord)
	after := measure()
	for deadline := time.Now().Add(settling); !after.within(before, bound) && time.Now().Before(deadline); after = measure() {
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("goroutines %d before, %d after; descriptors %d, %d; heap %.1f MiB, %.1f MiB with %d records",
		before.goroutines, after.goroutines, before.descriptors, after.descriptors, mib(before.heap), mib(after.heap), records)
	if after.within(before, bound) {
		return
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("the service leaves something behind; heap up to %.1f MiB is allowed; goroutines:\n%s",
		mib(bound), stacks[:runtime.Stack(stacks, true)])
}

func (f footprint) within(before footprint, heap uint64) bool {
	return f.goroutines <= before.goroutines+moreGoroutines && f.descriptors <= before.descriptors && f.heap <= heap
}

func mib(bytes uint64) float64 { return float64(bytes) / (1 << 20) }
