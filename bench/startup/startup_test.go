package startup_test

import (
	"testing"

	"github.com/trove-api/trove/bench/startup"
)

func TestEveryProgramResponds(t *testing.T) {
	t.Chdir("..")
	results, err := startup.Measure(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range startup.Programs() {
		r := results[name]
		if r.First <= 0 || r.FirstMedian < r.First || r.Resident <= 0 || r.Binary <= 0 {
			t.Errorf("%s: %+v, want times and sizes", name, r)
		}
		documented := name == "huma" || name == "trove"
		if documented != (r.DocumentBytes > 0) || documented != (r.Document > 0) || documented != (r.DocumentAgain > 0) {
			t.Errorf("%s: %+v, want a document: %t", name, r, documented)
		}
	}
}
