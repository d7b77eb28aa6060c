// Command soak loads examples/hoard, in a process of its own, for a long time at a moderate rate, and prints how its memory and
// the times of its requests develop. It fails if the memory exceeds a limit, if a response is a fault, or if an acknowledged
// record is missing at the end:
//
//	../.ci/postgres go run ./soak -for 1h
//
// The database is the one that TROVE_TEST_POSTGRES names, else a file of SQLite. It works on Linux only.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

// clients is how many requests are sent at the same time at most.
const clients = 8

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	lasts := flags.Duration("for", time.Minute, "how long the load lasts")
	rate := flags.Int("rate", 50, "requests in a second")
	limit := flags.Int("limit", 60, "the most memory of the program in MB")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *lasts < 4*time.Second || *rate < clients {
		return fmt.Errorf("-for is at least 4s, and -rate at least %d", clients)
	}
	program, err := start(ctx)
	if err != nil {
		return err
	}
	defer program.stop()
	l := &load{base: program.base, client: http.Client{Timeout: 30 * time.Second}}
	table := bytes.NewBufferString("| minutes | requests | p50 ms | p99 ms | memory MB | files |\n| ---: | ---: | ---: | ---: | ---: | ---: |\n")
	const quarters = 4
	for quarter := range quarters {
		if err := l.send(ctx, *lasts/quarters, *rate); err != nil {
			return err
		}
		memory, files, err := program.size()
		if err != nil {
			return err
		}
		times := l.taken()
		fmt.Fprintf(table, "| %.1f | %d | %.1f | %.1f | %d | %d |\n", (time.Duration(quarter+1) * *lasts / quarters).Minutes(), len(times),
			times[len(times)/2].Seconds()*1000, times[len(times)*99/100].Seconds()*1000, memory, files)
	}
	if err := l.check(ctx); err != nil {
		return err
	}
	most, err := program.peak()
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%s\nAt most %d MB. %d records were acknowledged, and are there.\n", table, most, len(l.records)); err != nil {
		return err
	}
	if most > *limit {
		return fmt.Errorf("the program needed %d MB, more than %d", most, *limit)
	}
	return nil
}

// load sends requests, and knows what must be stored.
type load struct {
	base   string
	client http.Client

	mu      sync.Mutex
	times   []time.Duration
	records []string // the URLs of records that were acknowledged and not deleted
}

// send sends requests at a rate, until one of them is a fault.
func (l *load) send(ctx context.Context, lasts time.Duration, rate int) error {
	timed, stop := context.WithTimeout(ctx, lasts)
	defer stop()
	var all sync.WaitGroup
	var once sync.Once
	var failed error
	for n := range clients {
		all.Go(func() {
			turns := time.NewTicker(time.Second * clients / time.Duration(rate))
			defer turns.Stop()
			for turn := n; ; turn += clients {
				select {
				case <-timed.Done():
					return
				case <-turns.C:
				}
				began := time.Now()
				if err := l.one(ctx, turn); err != nil {
					once.Do(func() { failed = err })
					stop()
				}
				l.mu.Lock()
				l.times = append(l.times, time.Since(began))
				l.mu.Unlock()
			}
		})
	}
	all.Wait()
	return failed
}

// taken returns the times of the requests since the last call, in order of size.
func (l *load) taken() []time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	times := l.times
	l.times = nil
	slices.Sort(times)
	return times
}
