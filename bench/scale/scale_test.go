package main

import (
	"bytes"
	"strings"
	"testing"
)

// The figures of few rows say little, but each request and each statement works.
func TestEachQuestionHasAFigure(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-rows", "1000,2000", "-database", "sqlite", "-for", "0"}, &out); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(out.String(), "\n"), 2+len(questions(1000)); got != want || !strings.Contains(out.String(), "2,000 rows") {
		t.Errorf("%d lines, want %d:\n%s", got, want, out.String())
	}
}

func TestWrongFlagsAreErrors(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"-rows 10", "-rows many", "-database none -rows 1000"} {
		if err := run(t.Context(), strings.Fields(args), &bytes.Buffer{}); err == nil {
			t.Errorf("%s is allowed", args)
		}
	}
}
