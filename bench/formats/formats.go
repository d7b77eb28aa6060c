// Package formats measures the cost of each format compared with plain JSON: of pages, of pages with embedded records,
// and what other formats cost clients that request JSON.
package formats

import (
	"fmt"
	"net/http"
	"runtime"
	"time"

	"github.com/trove-api/trove/bench/measure"
	"github.com/trove-api/trove/bench/workload"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Row is a request in a format, and its cost.
type Row struct {
	// Name describes the request and the format.
	Name string
	// Against is the name of the row to compare with, "" for none.
	Against string
	// Goal is the maximum CPU time as a multiple of that row's, 0 for no goal.
	Goal float64
	// CPU is the minimum of all rounds.
	CPU time.Duration
	// Allocations is the number of allocations of a request.
	Allocations uint64

	handler    http.Handler
	target     string
	operations uint32
}

// Measure sends each request in each format, in turn, for several rounds.
func Measure(rounds int) ([]*Row, error) {
	rows, err := ways()
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

// api returns an API of the records with formats in addition to the standard ones.
func api(formats ...format.Format) (http.Handler, error) {
	return resource.New(resource.Config{Formats: append(format.Standard(), formats...)},
		resource.Of[Maker]{Store: memory.New(generate(makers, newMaker)...)},
		resource.Of[Coin]{Store: memory.New(generate(records, newCoin)...)},
		resource.Of[Item]{Store: memory.New(generate(records, newItem)...)},
		resource.Of[Letter]{Store: memory.New(generate(records, newLetter)...)})
}

// ways creates the requests to measure.
func ways() ([]*Row, error) {
	alone, err := api()
	if err != nil {
		return nil, err
	}
	all, err := api(jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
	if err != nil {
		return nil, err
	}
	rows := []*Row{
		{Name: "get, JSON alone", handler: alone, target: "/api/items/42", operations: 5000},
		{Name: "get, JSON", Against: "get, JSON alone", Goal: 1, handler: all, target: "/api/items/42", operations: 5000},
		{Name: "page, JSON alone", handler: alone, target: "/api/items?page=3", operations: 400},
		{Name: "page, JSON", Against: "page, JSON alone", Goal: 1, handler: all, target: "/api/items?page=3", operations: 400},
	}
	for _, of := range []string{"coins", "items", "letters"} {
		rows = append(rows, pages(all, of)...)
	}
	return rows, nil
}

// pages requests 30 records in each format: a page, or a shelf in formats that stream, because they have no pages.
func pages(handler http.Handler, of string) []*Row {
	var rows []*Row
	rows = append(rows, &Row{Name: of + " of a shelf, JSON", handler: handler, target: "/api/" + of + "?shelf=3", operations: 400})
	for _, in := range []struct {
		name, suffix, expand string
		goal                 float64
	}{
		{name: "JSON", suffix: ".json", expand: "expand=maker"},
		{name: "JSON-LD", suffix: ".jsonld", expand: "expand=maker", goal: 1.6},
		{name: "HAL", suffix: ".jsonhal", expand: "expand=maker", goal: 1.6},
		{name: "JSON:API", suffix: ".jsonapi", expand: "include=maker", goal: 1.6},
		{name: "NDJSON", suffix: ".ndjson"},
		{name: "CSV", suffix: ".csv", goal: 1.2},
	} {
		query, what := "?page=3", of
		if in.expand == "" {
			query, what = "?shelf=3", of+" of a shelf"
		}
		row := &Row{Name: what + ", " + in.name, Goal: in.goal, handler: handler, target: "/api/" + of + in.suffix + query, operations: 400}
		rows = append(rows, row)
		if in.name != "JSON" {
			row.Against = what + ", JSON"
		}
		if in.expand == "" {
			continue
		}
		expanded := *row
		expanded.Name, expanded.target = of+" expanded, "+in.name, row.target+"&"+in.expand
		if in.name != "JSON" {
			expanded.Against = of + " expanded, JSON"
		}
		rows = append(rows, &expanded)
	}
	return rows
}

// measure sends the request some hundred times.
func (r *Row) measure() error {
	exchange, err := measure.NewExchange(r.handler, &workload.Workload{Method: http.MethodGet, Target: r.target})
	if err != nil {
		return err
	}
	if status := exchange.Once(); status != http.StatusOK {
		return fmt.Errorf("%s: status %d", r.Name, status)
	}
	r.Allocations, _ = exchange.Allocations(20)
	cpu, err := exchange.CPU(r.operations)
	if r.CPU == 0 || cpu < r.CPU {
		r.CPU = cpu
	}
	return err
}
