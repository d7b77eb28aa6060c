package breadth_test

import (
	"testing"

	"github.com/trove-api/trove/bench/breadth"
)

func TestEachNumberOfResourcesIsMeasured(t *testing.T) { //nolint:paralleltest // sets GOMAXPROCS
	results, err := breadth.Measure(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, count := range breadth.Counts() {
		if results[count] <= 0 {
			t.Errorf("%d resources: %v, want some time", count, results[count])
		}
	}
}
