package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/sockets"
	"github.com/trove-api/trove/bench/workload"
)

// Sockets writes the CPU time of a request over sockets.
func Sockets(out io.Writer, results sockets.Results, contenders []contender.Contender, workloads []workload.Workload) error {
	_, err := fmt.Fprintf(out, "CPU time of the server for a request over sockets, that of its reference (%s if not named), the ratio:\n\n", contender.Reference)
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(contenders), func(c contender.Contender) bool { return c.Name == contender.Reference })
	return grid(out, others, workloads, func(c *contender.Contender, w string) string {
		r := results[c.Name][w]
		return fmt.Sprintf("%.1f µs, %.1f µs, %.2f", float64(r.CPU)/1e3, float64(r.Reference)/1e3, r.Ratio)
	})
}
