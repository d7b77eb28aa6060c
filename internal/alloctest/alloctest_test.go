//go:build !race

package alloctest_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/alloctest"
)

func TestCountsAllocationsAndTheirBytes(t *testing.T) { //nolint:paralleltest // counts the allocations of the whole process
	var kept []byte
	if n, bytes := alloctest.Count(10, func() { kept = make([]byte, 1024) }); n != 1 || bytes != 1024 {
		t.Errorf("%v allocations with %d bytes, want 1 with 1024 (%d)", n, bytes, len(kept))
	}
}

func TestWhatIsInAPoolIsNotCounted(t *testing.T) { //nolint:paralleltest // counts the allocations of the whole process
	pool := sync.Pool{New: func() any { return new([1024]byte) }}
	busy := make(chan struct{})
	defer close(busy)
	go func() { // it makes garbage, as other tests do
		for {
			select {
			case <-busy:
				return
			default:
				_ = make([]byte, 1<<16)
				runtime.Gosched()
			}
		}
	}()
	if n, _ := alloctest.Count(200, func() { pool.Put(pool.Get()) }); n != 0 {
		t.Errorf("%v allocations of a pool that is full, want 0", n)
	}
}
