package report

import (
	"fmt"
	"io"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
)

// InProcess writes the CPU time and the allocations of each contender and workload.
func InProcess(out io.Writer, results measure.Results, contenders []contender.Contender, workloads []workload.Workload) error {
	if _, err := fmt.Fprintf(out, "CPU time of an operation, and its ratio to that of its reference (%s if not named):\n\n", contender.Reference); err != nil {
		return err
	}
	err := grid(out, contenders, workloads, func(c *contender.Contender, w string) string {
		cpu := results[c.Name][w].CPU.Nanoseconds()
		if !results.Has(c.Reference(), w) {
			return fmt.Sprintf("%d ns", cpu)
		}
		return fmt.Sprintf("%d ns, %.2f", cpu, results.Ratio(c.Name, c.Reference(), w))
	})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(out, "Allocations of an operation, and their bytes:\n\n"); err != nil {
		return err
	}
	return grid(out, contenders, workloads, func(c *contender.Contender, w string) string {
		return fmt.Sprintf("%d (%d)", results[c.Name][w].Allocations, results[c.Name][w].Bytes)
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
			row[0] += " (beside " + c.Against + ")"
		}
		for _, w := range workloads {
			row = append(row, cell(c, w.Name))
		}
		rows = append(rows, row)
	}
	return table(out, header, rows)
}
