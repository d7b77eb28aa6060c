package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/trove-api/trove/bench/relations"
)

// Relations writes the cost of references in a page.
func Relations(out io.Writer, rows []*relations.Row) error {
	if _, err := fmt.Fprint(out, "A page of 30 records with an owner and two tags each, of 10,000:\n\n"); err != nil {
		return err
	}
	var lines [][]string
	for _, row := range rows {
		ratio, goal := "", ""
		if i := slices.IndexFunc(rows, func(other *relations.Row) bool { return other.Name == row.Against }); i >= 0 {
			ratio = fmt.Sprintf("%.2f of %s", float64(row.CPU)/float64(rows[i].CPU), row.Against)
			goal = strconv.FormatFloat(row.Goal, 'f', 2, 64)
		}
		lines = append(lines, []string{
			row.Name, fmt.Sprintf("%.1f", float64(row.CPU)/1e3), fmt.Sprintf("%.1f", float64(row.Elapsed)/1e3),
			strconv.FormatUint(row.Allocations, 10), ratio, goal,
		})
	}
	return table(out, []string{"", "CPU, µs", "elapsed, µs", "allocations", "CPU relative to", "goal"}, lines)
}
