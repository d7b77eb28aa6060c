package report

import (
	"fmt"
	"io"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
)

// InProcess writes the CPU time of each contender and workload, relative to its reference, and the allocations in
// brackets.
func InProcess(out io.Writer, results measure.Results, contenders []contender.Contender, workloads []workload.Workload) error {
	return grid(out, contenders, workloads, func(c *contender.Contender, w string) string {
		cost, time := results[c.Name][w], ""
		if c.Name == contender.Reference || !results.Has(c.Reference(), w) {
			time = fmt.Sprintf("%d ns", cost.CPU.Nanoseconds())
		} else {
			time = fmt.Sprintf("%.2f", results.Ratio(c.Name, c.Reference(), w))
		}
		return fmt.Sprintf("%s (%d)", time, cost.Allocations)
	})
}

// grid writes a table with a row for each contender and a column for each workload.
func grid(out io.Writer, contenders []contender.Contender, workloads []workload.Workload, cell func(c *contender.Contender, w string) string) error {
	header := []string{""}
	for _, w := range workloads {
		header = append(header, w.Name+" "+w.About)
	}
	var rows [][]string
	for i := range contenders {
		c := &contenders[i]
		row := []string{c.Name}
		if c.Against != "" {
			row[0] += " (compared with " + c.Against + ")"
		}
		for _, w := range workloads {
			row = append(row, cell(c, w.Name))
		}
		rows = append(rows, row)
	}
	return table(out, header, rows)
}
