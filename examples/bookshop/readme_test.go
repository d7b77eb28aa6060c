package main_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// root is the module's root, seen from this package.
const root = "../.."

func TestReadmeShowsThisProgram(t *testing.T) {
	t.Parallel()
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(program), readmeProgram(t)); diff != "" {
		t.Errorf("the first Go block of README.md differs from examples/bookshop/main.go (-main.go +README.md):\n%s", diff)
	}
}

// readmeProgram returns the first Go block of README.md.
func readmeProgram(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, opened := strings.Cut(string(text), "\n```go\n")
	program, _, closed := strings.Cut(rest, "```\n")
	if !opened || !closed {
		t.Fatal("README.md has no Go block")
	}
	return program
}
