package main

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/bench/goal"
)

func TestRunPrintsATableOfWhatIsChosen(t *testing.T) { //nolint:paralleltest // sets GOMAXPROCS
	var out strings.Builder
	if err := run(t.Context(), []string{"-rounds", "1", "-contenders", "chi,trove", "-workloads", "W2,W7"}, nil, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"|  | W2 | W7 |\n", "\n| chi | ", "\n| trove | "} {
		if strings.Count(out.String(), want) != 2 {
			t.Errorf("the tables of times and allocations have not both %q:\n%s", want, out.String())
		}
	}
}

func TestRunRefusesFlags(t *testing.T) {
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
	err := failure([]goal.Miss{{Workload: "W1", Text: "is slow"}, {Workload: "W2", Text: "is big"}})
	if want := "Trove is past its goals:\nW1 is slow\nW2 is big"; err == nil || err.Error() != want {
		t.Errorf("error = %v, want %q", err, want)
	}
}
