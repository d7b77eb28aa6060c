package soak_test

import (
	"os"
	"runtime"
	"testing"
	"time"
)

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
