package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/goal"
	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
)

func TestRunPrintsATableOfWhatIsChosen(t *testing.T) { //nolint:paralleltest // sets GOMAXPROCS
	var out strings.Builder
	if err := run(t.Context(), []string{"-rounds", "1", "-contenders", "chi,trove", "-workloads", "W2,W7"}, nil, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"|  | W2 page | W7 missing |\n", "\n| chi | ", "\n| trove | "} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("the table does not have one %q:\n%s", want, out.String())
		}
	}
}

func TestRunRejectsFlags(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"of unknown contenders":            {"-contenders", "rails"},
		"of unknown workloads":             {"-workloads", "W99"},
		"of an unknown contender to serve": {"-serve", "rails"},
		"of no round":                      {"-rounds", "0"},
		"of goals without the reference":   {"-check", "-contenders", "trove"},
		"of goals without Trove":           {"-check", "-contenders", "chi"},
		"of goals for what there are none": {"-check", "-sockets"},
		"that do not exist":                {"-unheard"},
	}
	for name, args := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := run(t.Context(), args, nil, &strings.Builder{}); err == nil {
				t.Errorf("%v: no error", args)
			}
		})
	}
}

func TestCheckNamesWhatIsPastItsGoal(t *testing.T) {
	t.Parallel()
	if err := failure(nil); err != nil {
		t.Errorf("error = %v, want none without a miss", err)
	}
	err := failure([]goal.Miss{
		{Contender: "trove", Workload: "W1", Text: "is slow"}, {Contender: "trove+hook", Workload: "W2", Text: "is big"},
	})
	if want := "Trove is past its goals:\ntrove, W1 is slow\ntrove+hook, W2 is big"; err == nil || err.Error() != want {
		t.Errorf("error = %v, want %q", err, want)
	}
}

// TestTroveAllocatesWithinItsGoals runs on busy machines too, because allocations do not vary.
func TestTroveAllocatesWithinItsGoals(t *testing.T) { //nolint:paralleltest // counts the allocations of the whole process
	for _, g := range goal.All() {
		c := contender.All()[slices.IndexFunc(contender.All(), func(c contender.Contender) bool { return c.Name == g.Contender })]
		w := workload.All()[slices.IndexFunc(workload.All(), func(w workload.Workload) bool { return w.Name == g.Workload })]
		handler, err := c.New(catalog.Seed())
		if err != nil {
			t.Fatal(err)
		}
		exchange, err := measure.NewExchange(handler, &w)
		if err != nil {
			t.Fatal(err)
		}
		if count, _ := exchange.Allocations(1000); count > g.Allocations {
			t.Errorf("%s: %s allocates %d times, more than %d", c.Name, w.Name, count, g.Allocations)
		}
	}
}
