// Command scale measures how the cost of requests grows with the rows of a database. For each number of rows it fills the
// tables, sends each request to an API in this process, runs the SQL that a program would write by hand through a pool of its
// own, in turn, and prints the times of both:
//
//	../.ci/postgres go run ./scale -rows 10000,100000,1000000,10000000
//	go run ./scale -rows 10000,100000 -database sqlite
//
// It drops the tables accounts and items of the database that TROVE_TEST_POSTGRES names.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	sizes := flags.String("rows", "10000,100000", "numbers of rows, separated by commas")
	name := flags.String("database", "postgres", "postgres or sqlite")
	budget := flags.Duration("for", time.Second, "how long a request is sent for each number of rows")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var all []size
	for text := range strings.SplitSeq(*sizes, ",") {
		rows, err := strconv.Atoi(text)
		if err != nil || rows < 1000 {
			return fmt.Errorf("-rows: %q is not a number from 1000", text)
		}
		measured, err := measureSize(ctx, *name, rows, *budget)
		if err != nil {
			return fmt.Errorf("%d rows: %w", rows, err)
		}
		all = append(all, measured)
	}
	return write(out, all)
}

// size is what was measured with a number of rows.
type size struct {
	rows  int
	costs []cost // of each question
}

// measureSize fills a database and measures all questions.
func measureSize(ctx context.Context, name string, rows int, budget time.Duration) (measured size, err error) {
	folder, err := os.MkdirTemp("", "scale")
	if err != nil {
		return measured, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	d, err := open(ctx, name, folder)
	if err != nil {
		return measured, err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	api, err := d.prepare(ctx, rows)
	if err != nil {
		return measured, err
	}
	measured.rows = rows
	for _, q := range questions(rows) {
		found, err := q.measure(ctx, api, d, budget)
		if err != nil {
			return measured, fmt.Errorf("%s: %w", q.name, err)
		}
		measured.costs = append(measured.costs, found)
	}
	return measured, nil
}
