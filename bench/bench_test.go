package main

import (
	"strings"
	"testing"
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

func TestRunRefusesUnknownNames(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-contenders", "rails"}, {"-workloads", "W99"}, {"-serve", "rails"}, {"-unheard"}} {
		if err := run(t.Context(), args, nil, &strings.Builder{}); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
