// Command house prints the size, structure and build cost of the code.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	root := flag.String("root", "..", "the `directory` of the library")
	edit := flag.Bool("edit", false, "measure what an edit costs to build, too: some ten seconds")
	tests := flag.String("tests", "", "measure the tests of `packages` with an empty cache, too: some minutes for ./...")
	peaks := flag.String("tool", "", "run a tool of the go command and note in a `file` what it needs, on behalf of -tests")
	flag.Parse()
	ctx := context.Background()
	var err error
	if *peaks != "" {
		err = tool(ctx, *peaks, flag.Args())
	} else {
		err = report(ctx, os.Stdout, *root, *edit, *tests)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

// report writes the figures as a table.
func report(ctx context.Context, out io.Writer, root string, edit bool, tests string) error {
	h, err := read(root)
	if err != nil {
		return err
	}
	declared, fields, predicates := h.operation()
	cases, files := h.cases()
	chain := h.chain()
	all, public := h.exported()
	rows := [][2]string{
		{"fields that `compiled.Operation` declares / has with those of its groups / methods that return a bool", fmt.Sprintf("%d / %d / %d", declared, fields, predicates)},
		{"lines of the library / files", fmt.Sprintf("%d / %d", h.lines, len(h.files))},
		{"cases of a `model.Kind` / files", fmt.Sprintf("%d / %d", cases, files)},
		{"longest chain of imports", fmt.Sprintf("%d: %s", len(chain), strings.Join(chain, ", "))},
		{"exported names / those of public packages", fmt.Sprintf("%d / %d", all, public)},
	}
	if edit {
		cost, err := editCost(ctx, root)
		if err != nil {
			return err
		}
		rows = append(rows, [2]string{"compile and link examples/hoard after an edit, CPU", fmt.Sprintf("%.1f s", cost.Seconds())})
	}
	if tests != "" {
		cost, compiler, err := testCost(ctx, root, tests)
		if err != nil {
			return err
		}
		name := "`go test -short " + tests + "`, tests not cached, CPU / largest compiler"
		rows = append(rows, [2]string{name, fmt.Sprintf("%.0f s / %.1f GB", cost.Seconds(), compiler)})
	}
	_, err = fmt.Fprint(out, "| | |\n|---|---|\n")
	for _, row := range rows {
		if err == nil {
			_, err = fmt.Fprintf(out, "| %s | %s |\n", row[0], row[1])
		}
	}
	return err
}
