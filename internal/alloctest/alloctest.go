// Package alloctest counts, in tests, what a function allocates.
package alloctest

import (
	"math"
	"runtime"
	"runtime/debug"
)

// Count returns the allocations of one run of a function and their bytes: the least averages of five times the runs,
// because other work of the process can only add to them. The garbage collector does not run meanwhile: it would
// empty pools, and the function would fill them again. So a test that calls Count must not be parallel.
func Count(runs int, run func()) (allocations float64, bytes uint64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // a pool belongs to a processor
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	run()
	allocations, bytes = math.Inf(1), math.MaxUint64
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			run()
		}
		runtime.ReadMemStats(&after)
		allocations = min(allocations, math.Floor(float64(after.Mallocs-before.Mallocs)/float64(runs)))
		bytes = min(bytes, (after.TotalAlloc-before.TotalAlloc)/uint64(runs)) //nolint:gosec // runs is positive
	}
	return allocations, bytes
}
