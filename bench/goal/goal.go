// Package goal declares the limits of what Trove may cost.
package goal

import (
	"fmt"
	"slices"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/measure"
)

// Goal is the limit of a workload.
type Goal struct {
	// Contender is the name of the contender: Trove as it is, or with a hook, or with both.
	Contender string
	// Workload is the name of the workload.
	Workload string
	// Ratio is the maximum CPU time, as a multiple of the reference's.
	Ratio float64
	// Allocations is the maximum number of allocations of an operation.
	Allocations uint64
}

// Margin is the factor by which a ratio may exceed its goal, because CPU times vary from run to run. Allocations do
// not.
const Margin = 1.15

// All returns the goals.
func All() []Goal {
	return []Goal{
		{contender.Trove, "W1", 0.42, 3},
		{contender.Trove, "W2", 0.33, 4},
		{contender.Trove, "W3", 0.45, 16},
		{contender.Trove, "W4", 0.42, 10},
		{contender.Trove, "W5", 0.45, 12},
		{contender.Trove, "W6", 0.42, 16},
		{contender.Trove, "W7", 0.35, 1},

		{contender.Hooked, "W1", 0.46, 3},
		{contender.Hooked, "W2", 0.34, 4},
		{contender.Hooked, "W3", 0.50, 18},
		{contender.Hooked, "W4", 0.46, 12},
		{contender.Hooked, "W5", 0.55, 16},
		{contender.Hooked, "W6", 0.50, 20},
		{contender.Hooked, "W7", 0.36, 1},

		{contender.Both, "W1", 0.65, 5},
		{contender.Both, "W2", 0.38, 6},
		{contender.Both, "W3", 0.53, 20},
		{contender.Both, "W4", 0.50, 14},
		{contender.Both, "W5", 0.60, 18},
		{contender.Both, "W6", 0.53, 22},
		{contender.Both, "W7", 0.60, 3},
	}
}

// Miss is a goal that Trove exceeds.
type Miss struct {
	// Contender and Workload are their names.
	Contender, Workload string
	// Text describes the difference.
	Text string
}

// Has reports whether a contender has goals.
func Has(name string) bool {
	return slices.ContainsFunc(All(), func(g Goal) bool { return g.Contender == name })
}

// Misses returns the goals that Trove exceeds, among those measured together with their reference.
func Misses(results measure.Results) (misses []Miss) {
	for _, c := range contender.All() {
		for _, g := range All() {
			if g.Contender != c.Name || !results.Has(c.Name, g.Workload) || !results.Has(c.Reference(), g.Workload) {
				continue
			}
			if ratio := results.Ratio(c.Name, c.Reference(), g.Workload); ratio > g.Ratio*Margin {
				misses = append(misses, Miss{c.Name, g.Workload, fmt.Sprintf("takes %.2f of the reference's CPU time, more than %.2f", ratio, g.Ratio)})
			}
			if allocations := results[c.Name][g.Workload].Allocations; allocations > g.Allocations {
				misses = append(misses, Miss{c.Name, g.Workload, fmt.Sprintf("allocates %d times, more than %d", allocations, g.Allocations)})
			}
		}
	}
	return misses
}
