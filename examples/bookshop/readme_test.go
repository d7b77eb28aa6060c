package main_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// root is the module's root, seen from this package.
const root = "../.."

func TestReadmeShowsThePrograms(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"examples/bookshop/main.go", "examples/notes/main.go"} {
		program, err := os.ReadFile(root + "/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(program), programOfReadme(t, file)); diff != "" {
			t.Errorf("README.md differs from %s (-file +README.md):\n%s", file, diff)
		}
	}
}

// programOfReadme returns the Go block of README.md that a comment says is the file.
func programOfReadme(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, opened := strings.Cut(string(text), "<!-- code: "+file+" -->\n```go\n")
	program, _, closed := strings.Cut(rest, "```\n")
	if !opened || !closed {
		t.Fatalf("README.md has no Go block of %s", file)
	}
	return program
}
