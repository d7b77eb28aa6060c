package measure

import "time"

// Result is the cost of an operation of a workload.
type Result struct {
	// CPU is the minimum of all rounds.
	CPU time.Duration
	// Allocations and Bytes are of the heap.
	Allocations, Bytes uint64
}

// Results holds the results by contender and workload.
type Results map[string]map[string]Result

// add keeps the result if its CPU time is the shortest so far.
func (r Results) add(contender, workload string, result Result) {
	if r[contender] == nil {
		r[contender] = map[string]Result{}
	}
	if least, ok := r[contender][workload]; !ok || result.CPU < least.CPU {
		r[contender][workload] = result
	}
}

// Add merges other results, and keeps the smallest values.
func (r Results) Add(other Results) {
	for contender, workloads := range other {
		for workload, result := range workloads {
			r.add(contender, workload, result)
		}
	}
}

// Has reports whether a workload has been measured with a contender.
func (r Results) Has(contender, workload string) bool {
	_, ok := r[contender][workload]
	return ok
}

// Ratio returns the CPU time of a contender as a multiple of the reference's.
func (r Results) Ratio(contender, reference, workload string) float64 {
	return float64(r[contender][workload].CPU) / float64(r[reference][workload].CPU)
}
