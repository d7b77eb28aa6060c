package measure_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
)

func TestEachRoundCreatesNewStoresAndTakesTurns(t *testing.T) { //nolint:paralleltest // sets GOMAXPROCS
	var made []string
	contenders := []contender.Contender{counting("a", &made), counting("b", &made)}
	workloads := []workload.Workload{{Name: "X", Method: http.MethodGet, Target: "/", Operations: 100}}
	results, err := measure.Rounds(2, contenders, workloads)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a", "b", "b", "a"}; !slices.Equal(made, want) {
		t.Errorf("stores are made in the order %v, want %v", made, want)
	}
	if got := results["b"]["X"].Allocations; got != 1 {
		t.Errorf("allocations = %d, want 1", got)
	}
}

func counting(name string, made *[]string) contender.Contender {
	return contender.Contender{Name: name, New: func([]catalog.Item) (http.Handler, error) {
		*made = append(*made, name)
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Answer", "yes") // allocates once
		}), nil
	}}
}
