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

func TestLoadCountsRightAnswers(t *testing.T) {
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

func TestLoadFailsWithWrongAnswers(t *testing.T) {
	t.Parallel()
	address := serve(t)
	for _, w := range workload.All() {
		if w.Target = "/nowhere"; w.Name == "W7" {
			w.Target = "/api/items/1"
		}
		if w.Name == "W4" {
			continue // a refusal is as good as another one to wrk
		}
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			if _, err := load(t.Context(), address, &w, time.Second); err == nil || !strings.Contains(err.Error(), "are wrong") {
				t.Errorf("error = %v, want one that says how many answers are wrong", err)
			}
		})
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
