package report

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/trove-api/trove/bench/breadth"
	"github.com/trove-api/trove/bench/startup"
)

// Startup writes the cost of starting each program.
func Startup(out io.Writer, results map[string]startup.Result) error {
	if _, err := fmt.Fprint(out, "50 resources of 6 operations, from the start of the process:\n\n"); err != nil {
		return err
	}
	var rows [][]string
	for _, name := range startup.Programs() {
		r := results[name]
		rows = append(rows, []string{
			name, milliseconds(r.FirstMedian), milliseconds(r.First), mebibytes(r.Resident), mebibytes(r.Binary),
			milliseconds(r.Document), milliseconds(r.DocumentAgain), strconv.FormatInt(r.DocumentBytes, 10),
		})
	}
	return table(out, []string{
		"", "first 200, median, ms", "least, ms", "resident, MiB", "binary, MiB",
		"document, first, ms", "document, later, ms", "document, bytes",
	}, rows)
}

// Breadth writes the cost of a request by the number of resources.
func Breadth(out io.Writer, results map[int]time.Duration) error {
	if _, err := fmt.Fprint(out, "CPU time to get an item, by the number of resources:\n\n"); err != nil {
		return err
	}
	var rows [][]string
	for _, count := range breadth.Counts() {
		rows = append(rows, []string{strconv.Itoa(count), fmt.Sprintf("%d ns", results[count].Nanoseconds())})
	}
	return table(out, []string{"resources", "trove"}, rows)
}

func milliseconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(d)/1e6, 'f', 2, 64)
}

func mebibytes(size int64) string { return strconv.FormatFloat(float64(size)/(1<<20), 'f', 1, 64) }
