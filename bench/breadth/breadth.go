// Package breadth measures whether a request costs more in an API with many resources.
package breadth

import (
	"fmt"
	"net/http"
	"runtime"
	"time"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Counts lists the numbers of resources to compare.
func Counts() []int { return []int{10, 1_000} }

// Measure returns the least CPU time to get an item of the last resource, by the number of
// resources.
func Measure(rounds int) (map[int]time.Duration, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	exchanges := map[int]*measure.Exchange{}
	for _, count := range Counts() {
		exchange, err := among(count)
		if err != nil {
			return nil, fmt.Errorf("%d resources: %w", count, err)
		}
		exchanges[count] = exchange
	}
	results := map[int]time.Duration{}
	for range rounds {
		for _, count := range Counts() {
			cost, err := exchanges[count].CPU(50_000)
			if err != nil {
				return nil, err
			}
			if least, ok := results[count]; !ok || cost < least {
				results[count] = cost
			}
		}
	}
	return results, nil
}

// among returns an API with a number of resources, and an exchange with the last one.
func among(count int) (*measure.Exchange, error) {
	declarations := make([]resource.Declaration, count)
	for i := range declarations {
		declarations[i] = resource.Of[catalog.Item]{ShortName: fmt.Sprintf("Item%04d", i+1)}
	}
	last := fmt.Sprintf("Item%04d", count)
	declarations[count-1] = resource.Of[catalog.Item]{ShortName: last, Store: memory.New(catalog.Seed()...)}
	api, err := resource.New(resource.Config{}, declarations...)
	if err != nil {
		return nil, err
	}
	w := workload.Workload{Method: http.MethodGet, Target: fmt.Sprintf("/api/item%04ds/4242", count)}
	exchange, err := measure.NewExchange(api, &w)
	if err != nil {
		return nil, err
	}
	if status := exchange.Once(); status != http.StatusOK {
		return nil, fmt.Errorf("%s: status %d", w.Target, status)
	}
	return exchange, nil
}
