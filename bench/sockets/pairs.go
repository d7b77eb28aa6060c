package sockets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/workload"
)

// slice is how long a server is measured before the other one.
const slice = 2 * time.Second

// Result is the cost of a request of a workload.
type Result struct {
	// CPU is the minimum of all slices, and Reference that of the reference that runs next to it.
	CPU, Reference time.Duration
	// Ratio is the median of the ratios of neighbouring slices.
	Ratio float64
}

// Results holds the results by contender and workload.
type Results map[string]map[string]Result

// Pairs measures one contender after the other. The contender and the reference run at the same time and take turns, so
// that other work of the machine affects both.
func Pairs(ctx context.Context, pairs int, contenders []contender.Contender, workloads []workload.Workload) (Results, error) {
	results := Results{}
	for i := range contenders {
		c := &contenders[i]
		if c.Name == contender.Reference {
			continue
		}
		result, err := beside(ctx, pairs, c, workloads)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		results[c.Name] = result
	}
	return results, nil
}

// beside measures a contender and its reference in alternation.
func beside(ctx context.Context, pairs int, c *contender.Contender, workloads []workload.Workload) (results map[string]Result, err error) {
	reference, err := start(ctx, c.Reference())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reference.stop()) }()
	other, err := start(ctx, c.Name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, other.stop()) }()
	results = map[string]Result{}
	for i := range workloads {
		if results[workloads[i].Name], err = compare(ctx, pairs, reference, other, &workloads[i]); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// compare measures a workload in alternating slices.
func compare(ctx context.Context, pairs int, reference, other *child, w *workload.Workload) (Result, error) {
	var references, others []time.Duration
	var ratios []float64
	for range pairs {
		r, err := reference.cost(ctx, w)
		if err != nil {
			return Result{}, err
		}
		o, err := other.cost(ctx, w)
		if err != nil {
			return Result{}, err
		}
		references, others = append(references, r), append(others, o)
		ratios = append(ratios, float64(o)/float64(r))
	}
	slices.Sort(ratios)
	return Result{CPU: slices.Min(others), Reference: slices.Min(references), Ratio: ratios[len(ratios)/2]}, nil
}

// cost returns the CPU time of a request in a slice. The slice begins with a new store.
func (c *child) cost(ctx context.Context, w *workload.Workload) (time.Duration, error) {
	if err := c.reset(); err != nil {
		return 0, err
	}
	before, err := c.usage()
	if err != nil {
		return 0, err
	}
	count, err := load(ctx, c.address, w, slice)
	if err != nil {
		return 0, err
	}
	after, err := c.usage()
	return (after - before) / time.Duration(count), err
}
