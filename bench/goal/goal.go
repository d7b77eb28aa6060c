// Package goal says what Trove may cost.
package goal

import (
	"fmt"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/measure"
)

// Goal is what a workload may cost Trove.
type Goal struct {
	// Workload is the name of the workload.
	Workload string
	// Ratio is the greatest part of the reference's CPU time.
	Ratio float64
	// Allocations are the most of an operation.
	Allocations uint64
}

// Margin is by how much a ratio may be greater than its goal, since CPU times vary from
// run to run. Allocations do not.
const Margin = 1.15

// All returns the goals.
func All() []Goal {
	return []Goal{
		{Workload: "W1", Ratio: 0.75, Allocations: 7},
		{Workload: "W2", Ratio: 0.38, Allocations: 10},
		{Workload: "W3", Ratio: 0.40, Allocations: 16},
		{Workload: "W4", Ratio: 0.38, Allocations: 16},
		{Workload: "W5", Ratio: 0.45, Allocations: 14},
		{Workload: "W6", Ratio: 0.42, Allocations: 15},
		{Workload: "W7", Ratio: 0.85, Allocations: 8},
	}
}

// Miss is a goal that Trove is past.
type Miss struct {
	// Workload is the name of the workload.
	Workload string
	// Text says by how much.
	Text string
}

// Misses returns the goals that Trove is past, among those of workloads that were measured.
func Misses(results measure.Results) (misses []Miss) {
	for _, g := range All() {
		trove, ok := results[contender.Trove][g.Workload]
		if !ok {
			continue
		}
		if ratio := results.Ratio(contender.Trove, contender.Reference, g.Workload); ratio > g.Ratio*Margin {
			misses = append(misses, Miss{g.Workload, fmt.Sprintf("takes %.2f of the reference's CPU time, more than %.2f", ratio, g.Ratio)})
		}
		if trove.Allocations > g.Allocations {
			misses = append(misses, Miss{g.Workload, fmt.Sprintf("allocates %d times, more than %d", trove.Allocations, g.Allocations)})
		}
	}
	return misses
}
