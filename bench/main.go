// Command bench measures Trove beside programs that do the same by hand and with other
// libraries. README.md says how to read what it prints.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/goal"
	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/report"
	"github.com/trove-api/trove/bench/workload"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are what the flags say.
type options struct {
	rounds     int
	contenders string
	workloads  string
	check      bool
}

func run(args []string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&o.rounds, "rounds", 6, "how often each contender does each workload")
	flags.StringVar(&o.contenders, "contenders", "", "names of contenders, separated by commas (default: all)")
	flags.StringVar(&o.workloads, "workloads", "", "names of workloads, separated by commas (default: all)")
	flags.BoolVar(&o.check, "check", false, "fail where Trove is past its goals")
	if err := flags.Parse(args); err != nil {
		return err
	}
	contenders, err := chosen(contender.All(), func(c contender.Contender) string { return c.Name }, o.contenders)
	if err != nil {
		return err
	}
	workloads, err := chosen(workload.All(), func(w workload.Workload) string { return w.Name }, o.workloads)
	if err != nil {
		return err
	}
	results, err := measure.Rounds(o.rounds, contenders, workloads)
	if err != nil {
		return err
	}
	if err := report.InProcess(out, results, contenders, workloads); err != nil {
		return err
	}
	if misses := goal.Misses(results); o.check && len(misses) > 0 {
		return fmt.Errorf("Trove is past its goals:\n%s", strings.Join(misses, "\n"))
	}
	return nil
}

// chosen returns those whose names are listed, or all.
func chosen[T any](all []T, name func(T) string, list string) ([]T, error) {
	if list == "" {
		return all, nil
	}
	var found []T
	for wanted := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(all, func(t T) bool { return name(t) == wanted })
		if i < 0 {
			return nil, fmt.Errorf("there is no %q", wanted)
		}
		found = append(found, all[i])
	}
	return found, nil
}
