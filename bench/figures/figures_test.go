package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const page = "Lines:\n\n<!-- figures: go run ./count -->\nold\n<!-- /figures -->\n\nTimes:\n<!-- figures: go run . -fast -->\n1 ns\n<!-- /figures -->\n"

func TestFiguresReplaceOnlyTheirBlock(t *testing.T) {
	t.Parallel()
	got, err := replace(page, func(command string) (string, bool, error) {
		return command + " printed\nthis\n", strings.HasSuffix(command, "count"), nil
	})
	want := "Lines:\n\n<!-- figures: go run ./count -->\ngo run ./count printed\nthis\n\n<!-- /figures -->\n\nTimes:\n" +
		"<!-- figures: go run . -fast -->\n1 ns\n<!-- /figures -->\n"
	if err != nil || got != want {
		t.Errorf("the page is %q (%v), want %q", got, err, want)
	}
	failure := errors.New("does not compile")
	if got, err := replace(page, func(string) (string, bool, error) { return "", true, failure }); !errors.Is(err, failure) || got != page {
		t.Errorf("the page is %q (%v) after an error, want it unchanged", got, err)
	}
}

func TestOldFiguresAreAnError(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("bench/go.mod", "module bench\n\ngo 1.26\n")
	write("bench/count/main.go", "package main\n\nimport \"os\"\n\nfunc main() { _, _ = os.Stdout.WriteString(\"7 lines\\n\") }\n")
	write("README.md", page)
	if err := update(t.Context(), root, "README.md", true, ""); err == nil || !strings.Contains(err.Error(), "make figures") {
		t.Errorf("old figures: error %v, want one that names make figures", err)
	}
	if err := update(t.Context(), root, "README.md", false, ""); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(root, "README.md")); err != nil || !strings.Contains(string(text), "\n7 lines\n") || !strings.Contains(string(text), "\n1 ns\n") {
		t.Errorf("the page is %q (%v), want new lines and the old times", text, err)
	}
	if err := update(t.Context(), root, "README.md", true, ""); err != nil {
		t.Errorf("new figures: error %v", err)
	}
}
