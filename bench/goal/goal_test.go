package goal_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/goal"
	"github.com/trove-api/trove/bench/measure"
)

func TestMisses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		trove measure.Result
		want  string
	}{
		"on the goal":                    {measure.Result{CPU: 750, Allocations: 7}, ""},
		"past the goal, in the margin":   {measure.Result{CPU: 860, Allocations: 7}, ""},
		"past the margin":                {measure.Result{CPU: 870, Allocations: 7}, "W1 takes 0.87"},
		"one allocation is too many":     {measure.Result{CPU: 1, Allocations: 8}, "W1 allocates 8 times"},
		"both, in a line of their own":   {measure.Result{CPU: 870, Allocations: 8}, "W1 takes 0.87 of the reference's CPU time, more than 0.75\nW1 allocates"},
		"without Trove there is no goal": {},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			results := measure.Results{contender.Reference: {"W1": {CPU: 1000}}}
			if test.trove.CPU > 0 {
				results[contender.Trove] = map[string]measure.Result{"W1": test.trove}
			}
			got := strings.Join(goal.Misses(results), "\n")
			if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
				t.Errorf("Misses = %q, want %q", got, test.want)
			}
		})
	}
}
