package measure

import "time"

// Result is what one operation of a workload costs a contender.
type Result struct {
	// CPU is the least of all rounds.
	CPU time.Duration
	// Allocations and Bytes are of the heap.
	Allocations, Bytes uint64
}

// Results are the results by the names of the contender and the workload.
type Results map[string]map[string]Result

// add keeps the result if it is the least so far.
func (r Results) add(contender, workload string, result Result) {
	if r[contender] == nil {
		r[contender] = map[string]Result{}
	}
	if least, ok := r[contender][workload]; !ok || result.CPU < least.CPU {
		r[contender][workload] = result
	}
}

// Add keeps what is less in other results.
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

// Ratio returns how many times the CPU time of the reference a contender takes.
func (r Results) Ratio(contender, reference, workload string) float64 {
	return float64(r[contender][workload].CPU) / float64(r[reference][workload].CPU)
}
