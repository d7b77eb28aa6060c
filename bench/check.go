package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/goal"
	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
)

// check returns an error if Trove misses its goals. It measures an apparent miss again, next to its reference alone,
// because other work of the machine may have caused it.
func check(results measure.Results, o *options) error {
	misses := goal.Misses(results)
	if len(misses) == 0 {
		return nil
	}
	contenders := slices.DeleteFunc(slices.Clone(o.contenders), func(c contender.Contender) bool {
		return !slices.ContainsFunc(o.contenders, func(other contender.Contender) bool {
			return other.Reference() == c.Name && isMissed(misses, other.Name)
		}) && !isMissed(misses, c.Name)
	})
	workloads := slices.DeleteFunc(slices.Clone(o.workloads), func(w workload.Workload) bool {
		return !slices.ContainsFunc(misses, func(m goal.Miss) bool { return m.Workload == w.Name })
	})
	again, err := measure.Rounds(o.rounds, contenders, workloads)
	if err != nil {
		return err
	}
	results.Add(again)
	return failure(goal.Misses(results))
}

// isMissed reports whether a contender misses a goal of its own.
func isMissed(misses []goal.Miss, name string) bool {
	return slices.ContainsFunc(misses, func(m goal.Miss) bool { return m.Contender == name })
}

// failure returns an error that lists the missed goals, or nil.
func failure(misses []goal.Miss) error {
	if len(misses) == 0 {
		return nil
	}
	var text strings.Builder
	for _, miss := range misses {
		text.WriteString("\n" + miss.Contender + ", " + miss.Workload + " " + miss.Text)
	}
	return fmt.Errorf("Trove is past its goals:%s", text.String())
}
