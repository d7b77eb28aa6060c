package measure

import (
	"runtime"
	"time"
)

// CPU returns the CPU time of an operation.
func (e *Exchange) CPU(operations uint32) (time.Duration, error) {
	runtime.GC()
	before, err := Usage()
	if err != nil {
		return 0, err
	}
	for range operations {
		e.Once()
	}
	after, err := Usage()
	return (after - before) / time.Duration(operations), err
}

// Allocations returns the number of allocations of an operation, and their bytes. What the handler reuses between
// requests is allocated before.
func (e *Exchange) Allocations(operations uint32) (count, bytes uint64) {
	for range operations {
		e.Once()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range operations {
		e.Once()
	}
	runtime.ReadMemStats(&after)
	n := uint64(operations)
	return (after.Mallocs - before.Mallocs) / n, (after.TotalAlloc - before.TotalAlloc) / n
}
