package goal_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/goal"
	"github.com/trove-api/trove/bench/measure"
)

func TestMisses(t *testing.T) {
	t.Parallel()
	slow := goal.Miss{Contender: contender.Trove, Workload: "W1", Text: "takes 0.49 of the reference's CPU time, more than 0.42"}
	wasteful := goal.Miss{Contender: contender.Trove, Workload: "W1", Text: "allocates 4 times, more than 3"}
	tests := map[string]struct {
		trove measure.Result
		want  []goal.Miss
	}{
		"on the goal":                  {measure.Result{CPU: 420, Allocations: 3}, nil},
		"past the goal, in the margin": {measure.Result{CPU: 480, Allocations: 3}, nil},
		"past the margin":              {measure.Result{CPU: 490, Allocations: 3}, []goal.Miss{slow}},
		"one allocation is too many":   {measure.Result{CPU: 1, Allocations: 4}, []goal.Miss{wasteful}},
		"both are reported":            {measure.Result{CPU: 490, Allocations: 4}, []goal.Miss{slow, wasteful}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := goal.Misses(measure.Results{
				contender.Reference: {"W1": {CPU: 1000}},
				contender.Trove:     {"W1": test.trove},
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTroveWithAHookIsComparedWithChiWithAHook(t *testing.T) {
	t.Parallel()
	results := measure.Results{
		contender.Reference: {"W1": {CPU: 1}},
		"chi+hook":          {"W1": {CPU: 1000}},
		contender.Hooked:    {"W1": {CPU: 400}},
	}
	if got := goal.Misses(results); got != nil {
		t.Errorf("misses = %v, want none", got)
	}
}

func TestWhatIsNotMeasuredHasNoGoal(t *testing.T) {
	t.Parallel()
	if got := goal.Misses(measure.Results{contender.Reference: {"W1": {CPU: 1000}}}); got != nil {
		t.Errorf("misses = %v, want none", got)
	}
}
