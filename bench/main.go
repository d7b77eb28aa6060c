// Command bench compares Trove with programs that do the same by hand and with other libraries. README.md explains the
// output.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/trove-api/trove/bench/breadth"
	"github.com/trove-api/trove/bench/formats"
	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/relations"
	"github.com/trove-api/trove/bench/report"
	"github.com/trove-api/trove/bench/sockets"
	"github.com/trove-api/trove/bench/startup"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	switch {
	case o.serve != nil:
		return sockets.Serve(o.serve, in, out)
	case o.sockets:
		return overSockets(ctx, out, o)
	case o.startup:
		return startUp(ctx, out, o)
	case o.relations:
		return relate(ctx, out, o)
	case o.formats:
		return inFormats(out, o)
	}
	return inProcess(out, o)
}

func inProcess(out io.Writer, o *options) error {
	stop, err := profile(o.profile)
	if err != nil {
		return err
	}
	results, err := measure.Rounds(o.rounds, o.contenders, o.workloads)
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	if err := report.InProcess(out, results, o.contenders, o.workloads); err != nil {
		return err
	}
	if o.check {
		return check(results, o)
	}
	return nil
}

func relate(ctx context.Context, out io.Writer, o *options) error {
	stop, err := profile(o.profile)
	if err != nil {
		return err
	}
	rows, err := relations.Measure(ctx, o.rounds, os.Getenv("TROVE_TEST_POSTGRES"))
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	return report.Relations(out, rows)
}

func inFormats(out io.Writer, o *options) error {
	stop, err := profile(o.profile)
	if err != nil {
		return err
	}
	rows, err := formats.Measure(o.rounds)
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	return report.Formats(out, rows)
}

func startUp(ctx context.Context, out io.Writer, o *options) error {
	results, err := startup.Measure(ctx, o.rounds)
	if err != nil {
		return err
	}
	if err := report.Startup(out, results); err != nil {
		return err
	}
	costs, err := breadth.Measure(o.rounds)
	if err != nil {
		return err
	}
	return report.Breadth(out, costs)
}

func overSockets(ctx context.Context, out io.Writer, o *options) error {
	results, err := sockets.Pairs(ctx, o.rounds, o.contenders, o.workloads)
	if err != nil {
		return err
	}
	return report.Sockets(out, results, o.contenders, o.workloads)
}
