package measure

import (
	"fmt"
	"runtime"
	"time"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/workload"
)

// Rounds measures each workload with each contender once a round. What else the machine
// does then strikes all contenders alike, and the least of all rounds leaves it out.
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

// sample measures one workload with one contender, whose store is new: a workload that
// adds items adds as many to each.
func sample(items []catalog.Item, c *contender.Contender, w *workload.Workload) (result Result, err error) {
	handler, err := c.New(items)
	if err != nil {
		return result, err
	}
	exchange, err := NewExchange(handler, w)
	if err != nil {
		return result, err
	}
	result.Allocations, result.Bytes = allocations(exchange, w.Operations/10)
	result.CPU, err = cpu(exchange, w.Operations)
	return result, err
}

// cpu returns the CPU time of an operation.
func cpu(exchange *Exchange, operations uint32) (time.Duration, error) {
	runtime.GC()
	before, err := Usage()
	if err != nil {
		return 0, err
	}
	for range operations {
		exchange.Once()
	}
	after, err := Usage()
	return (after - before) / time.Duration(operations), err
}

// allocations returns how often an operation allocates, and how many bytes. Caches of the
// handler are warm.
func allocations(exchange *Exchange, operations uint32) (count, bytes uint64) {
	for range operations {
		exchange.Once()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range operations {
		exchange.Once()
	}
	runtime.ReadMemStats(&after)
	n := uint64(operations)
	return (after.Mallocs - before.Mallocs) / n, (after.TotalAlloc - before.TotalAlloc) / n
}
