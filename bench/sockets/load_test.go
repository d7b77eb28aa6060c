package sockets //nolint:testpackage // the load is not for other packages

import (
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/workload"
)

func TestLoadCountsCorrectResponses(t *testing.T) {
	t.Parallel()
	address := serve(t)
	for _, w := range workload.All() {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			count, err := load(t.Context(), address, &w, time.Second)
			if err != nil || count == 0 {
				t.Errorf("load = %d, %v; want some answers", count, err)
			}
		})
	}
}

func TestLoadFailsOnWrongResponses(t *testing.T) {
	t.Parallel()
	address := serve(t)
	for _, w := range workload.All() {
		want := "status 404"
		if w.Target = "/nowhere"; w.Name == "W7" {
			w.Target, want = "/api/items/1", "status 200"
		}
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			if _, err := load(t.Context(), address, &w, time.Second); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error = %v, want one that says %s", err, want)
			}
		})
	}
}

func TestOnlyExpectedResponsesAreCorrect(t *testing.T) {
	t.Parallel()
	get, missing := workload.All()[0], workload.All()[7]
	for report, wrong := range map[string]map[*workload.Workload]bool{
		"  90 requests in 1.00s, 2MB read\n":                                     {&get: false, &missing: true},
		"  90 requests in 1.00s, 2MB read\n  Non-2xx or 3xx responses: 1\n":      {&get: true, &missing: true},
		"  90 requests in 1.00s, 2MB read\n  Non-2xx or 3xx responses: 90\n":     {&get: true, &missing: false},
		"  90 requests in 1.00s, 2MB read\n  Socket errors: connect 0, read 1\n": {&get: true, &missing: true},
		"  0 requests in 1.00s, 0MB read\n":                                      {&get: true, &missing: true},
	} {
		for w, isWrong := range wrong {
			if _, err := answers(report, w); (err != nil) != isWrong {
				t.Errorf("%s: %q: error %v, want one: %v", w.Name, report, err, isWrong)
			}
		}
	}
}

func serve(t *testing.T) (address string) {
	t.Helper()
	if _, err := exec.LookPath("wrk"); err != nil {
		t.Skip(err)
	}
	handler, err := contender.All()[0].New(catalog.Seed())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}
