package sockets //nolint:testpackage // clients are not for other packages

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/workload"
)

func TestLoadCountsRightAnswers(t *testing.T) {
	t.Parallel()
	for _, w := range workload.All() {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			count, err := load(t.Context(), serve(t), &w, 20*time.Millisecond)
			if err != nil || count == 0 {
				t.Errorf("load = %d, %v; want some answers", count, err)
			}
		})
	}
}

func TestLoadFailsWithAWrongAnswer(t *testing.T) {
	t.Parallel()
	w := workload.All()[0]
	w.Target = "/nowhere"
	if _, err := load(t.Context(), serve(t), &w, time.Millisecond); err == nil || !strings.Contains(err.Error(), "status 404") {
		t.Errorf("error = %v, want one that names the status", err)
	}
}

func serve(t *testing.T) (address string) {
	t.Helper()
	handler, err := contender.All()[0].New(catalog.Seed())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}
