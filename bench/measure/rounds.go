package measure

import (
	"fmt"
	"runtime"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/workload"
)

// Rounds measures each workload with each contender once per round. So other work of the machine affects all contenders
// equally, and the minimum of all rounds excludes it.
func Rounds(rounds int, contenders []contender.Contender, workloads []workload.Workload) (Results, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	items, results := catalog.Seed(), Results{}
	for round := range rounds {
		for i := range workloads {
			w := &workloads[i]
			for n := range contenders {
				c := &contenders[(n+round)%len(contenders)]
				result, err := sample(items, c, w)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", c.Name, w.Name, err)
				}
				results.add(c.Name, w.Name, result)
			}
		}
	}
	return results, nil
}

// sample measures one workload with one contender and a new store, so a workload that adds items adds the same number
// for each contender.
func sample(items []catalog.Item, c *contender.Contender, w *workload.Workload) (result Result, err error) {
	handler, err := c.New(items)
	if err != nil {
		return result, err
	}
	exchange, err := NewExchange(handler, w)
	if err != nil {
		return result, err
	}
	result.Allocations, result.Bytes = exchange.Allocations(w.Operations / 10)
	result.CPU, err = exchange.CPU(w.Operations)
	return result, err
}
