// Package relations measures the cost of references in a page: as paths, and with embedded records, compared with a
// join written by hand.
package relations

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"time"

	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
	"github.com/trove-api/trove/resource"
)

// Row is one way to serve a page, and its cost.
type Row struct {
	// Name describes the store, and how references are shown.
	Name string
	// Against is the name of the row to compare with, "" for none.
	Against string
	// Goal is the maximum CPU time as a multiple of that row's.
	Goal float64
	// CPU is the minimum of all rounds. If a server has the records, it is that of this process alone. Elapsed is the
	// minimum of the elapsed times.
	CPU, Elapsed time.Duration
	// Allocations is the number of allocations of a request.
	Allocations uint64

	handler http.Handler
	target  string
}

const (
	page     = "/api/treasures?page=3"
	expanded = page + "&expand=owner,tags"
)

// Measure serves pages of 30 records in each of the ways, in turn, many times. It needs a folder for files. If the DSN
// is not "", it also uses PostgreSQL, and drops tables of the same names there.
func Measure(ctx context.Context, rounds int, dsn string) (rows []*Row, err error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	rows, done, err := ways(ctx, dir, dsn)
	defer func() { err = errors.Join(err, done()) }()
	if err != nil {
		return nil, err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for round := range rounds {
		for i := range rows {
			if err := rows[(i+round)%len(rows)].measure(); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// ways creates the services to measure, and returns a function that closes them.
func ways(ctx context.Context, dir, dsn string) (rows []*Row, done func() error, err error) {
	var open []*database
	done = func() (err error) {
		for _, d := range open {
			err = errors.Join(err, d.close())
		}
		return err
	}
	kept := inMemory()
	plain, err := kept.api(resource.Identifiers)
	if err != nil {
		return nil, done, err
	}
	linked, err := kept.api(resource.Paths)
	if err != nil {
		return nil, done, err
	}
	rows = []*Row{
		{Name: "memory, identifiers", handler: plain, target: page},
		{Name: "memory, paths", Against: "memory, identifiers", Goal: 1.25, handler: linked, target: page},
		{Name: "memory, expanded", Against: "memory, paths", Goal: 2.2, handler: linked, target: expanded},
	}
	kinds := []struct {
		name string
		open func() (*database, error)
	}{
		{"SQLite", func() (*database, error) { return onSQLite(ctx, dir) }},
		{"PostgreSQL", func() (*database, error) { return onPostgres(ctx, dsn) }},
	}
	if dsn == "" {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		d, err := kind.open()
		if err != nil {
			return nil, done, err
		}
		open = append(open, d)
		in, err := inTables(ctx, d.db)
		if err != nil {
			return nil, done, err
		}
		api, err := in.api(resource.Paths)
		if err != nil {
			return nil, done, err
		}
		rows = append(rows,
			&Row{Name: kind.name + ", paths", handler: api, target: page},
			&Row{Name: kind.name + ", join by hand", handler: d.hand, target: expanded},
			&Row{Name: kind.name + ", expanded", Against: kind.name + ", join by hand", Goal: 1.3, handler: api, target: expanded})
	}
	return rows, done, nil
}

// measure sends the request some hundred times.
func (r *Row) measure() error {
	w := workload.Workload{Method: http.MethodGet, Target: r.target}
	exchange, err := measure.NewExchange(r.handler, &w)
	if err != nil {
		return err
	}
	if status := exchange.Once(); status != http.StatusOK {
		return fmt.Errorf("%s: status %d", r.Name, status)
	}
	r.Allocations, _ = exchange.Allocations(20)
	began := time.Now()
	cpu, err := exchange.CPU(operations)
	if elapsed := time.Since(began) / operations; r.Elapsed == 0 || elapsed < r.Elapsed {
		r.Elapsed = elapsed
	}
	if r.CPU == 0 || cpu < r.CPU {
		r.CPU = cpu
	}
	return err
}

const operations = 200
