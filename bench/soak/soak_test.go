package main

import (
	"strings"
	"testing"
)

func TestASoakChecksRecordsAndMemory(t *testing.T) {
	t.Setenv("TROVE_TEST_POSTGRES", "") // SQLite
	t.Chdir("..")
	var out strings.Builder
	if err := run(t.Context(), []string{"-for", "4s", "-limit", "1"}, &out); err == nil || !strings.Contains(err.Error(), "more than 1") {
		t.Errorf("a program of more than 1 MB is accepted: %v", err)
	}
	if !strings.Contains(out.String(), "records were acknowledged, and are there.") {
		t.Errorf("the output is %s", &out)
	}
}
