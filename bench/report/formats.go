package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/trove-api/trove/bench/formats"
)

// Formats writes the cost of each format compared with JSON.
func Formats(out io.Writer, rows []*formats.Row) error {
	var lines [][]string
	for _, row := range rows {
		ratio, goal := "", ""
		if i := slices.IndexFunc(rows, func(other *formats.Row) bool { return other.Name == row.Against }); i >= 0 {
			ratio = fmt.Sprintf("%.2f", float64(row.CPU)/float64(rows[i].CPU))
		}
		if row.Goal > 0 {
			goal = strconv.FormatFloat(row.Goal, 'f', 1, 64)
		}
		lines = append(lines, []string{row.Name, fmt.Sprintf("%.1f", float64(row.CPU)/1e3), strconv.FormatUint(row.Allocations, 10), ratio, goal})
	}
	return table(out, []string{"", "CPU, µs", "allocations", "CPU relative to JSON", "goal"}, lines)
}
