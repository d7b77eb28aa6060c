// Command walk prints the files, packages and functions of Trove that a request executes. It counts them
// with coverage counters.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/trove-api/trove/"

func main() {
	list := flag.String("list", "", "print the functions of a `request`, post or list, by file")
	record := flag.String("record", "", "send the requests and write their counters into a `directory`")
	flag.Parse()
	var err error
	if *record != "" {
		err = send(context.Background(), *record)
	} else {
		err = walk(context.Background(), os.Stdout, *list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "walk:", err)
		os.Exit(1)
	}
}

// walk builds this program with coverage counters, runs it, and prints the counts.
func walk(ctx context.Context, out io.Writer, list string) error {
	dir, err := os.MkdirTemp("", "walk")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "walk")
	// ClearCounters needs atomic counters.
	if _, err := run(ctx, "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+module+"...", "-o", program, module+"bench/walk"); err != nil {
		return err
	}
	if err := os.Setenv("GOCOVERDIR", dir); err != nil { // where the program writes what it counts until its end
		return err
	}
	if _, err := run(ctx, program, "-record", dir); err != nil {
		return err
	}
	if list == "" {
		_, err = fmt.Fprint(out, "| request | files | packages | functions |\n|---|---|---|---|\n")
	}
	for _, name := range names {
		if err != nil || list != "" && list != name {
			continue
		}
		var w way
		if w, err = wayOf(ctx, filepath.Join(dir, name)); err != nil {
			return err
		}
		if list != "" {
			return w.list(out)
		}
		_, err = fmt.Fprintf(out, "| %s | %d | %d | %d |\n", name, len(w.files), len(w.packages), len(w.functions))
	}
	return err
}

// way is the code that a request executed.
type way struct {
	functions       []function
	files, packages map[string]bool
}

// function is a function that ran. A function without a name counts as part of the one around it.
type function struct {
	file, name string
	line       int
}

// wayOf reads the counters in a directory.
func wayOf(ctx context.Context, dir string) (way, error) {
	blocks := filepath.Join(dir, "blocks")
	if _, err := run(ctx, "go", "tool", "covdata", "textfmt", "-i="+dir, "-o="+blocks); err != nil {
		return way{}, err
	}
	text, err := os.ReadFile(blocks)
	if err != nil {
		return way{}, err
	}
	functions, err := run(ctx, "go", "tool", "covdata", "func", "-i="+dir)
	return read(text, functions), err
}

// read parses the two reports of covdata: lines such as "a/b/c.go:12.3,14.2 4 1" (position,
// statements, count) and such as "a/b/c.go:12: name 80.0%".
func read(blocks, functions []byte) way {
	w := way{files: map[string]bool{}, packages: map[string]bool{}}
	for fields := range lines(blocks) {
		if file, ok := library(fields[0]); ok && len(fields) == 3 && fields[2] != "0" {
			w.files[file], w.packages[path.Dir(file)] = true, true
		}
	}
	for fields := range lines(functions) {
		file, ok := library(fields[0])
		if ok && len(fields) == 3 && fields[2] != "0.0%" {
			line, _ := strconv.Atoi(strings.Split(fields[0], ":")[1])
			w.functions = append(w.functions, function{file, fields[1], line})
		}
	}
	slices.SortFunc(w.functions, func(a, b function) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	return w
}

// lines yields the fields of each line.
func lines(text []byte) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for scanner := bufio.NewScanner(bytes.NewReader(text)); scanner.Scan(); {
			if fields := strings.Fields(scanner.Text()); len(fields) > 0 && !yield(fields) {
				return
			}
		}
	}
}

// library returns the file of a position from the module's root, and whether it is Trove's.
func library(position string) (string, bool) {
	file, _, _ := strings.Cut(position, ":")
	file, ours := strings.CutPrefix(file, module)
	return file, ours && !strings.HasPrefix(file, "bench/")
}

// list prints the functions by file.
func (w way) list(out io.Writer) error {
	last := ""
	for _, f := range w.functions {
		if f.file != last {
			if _, err := fmt.Fprintln(out, f.file); err != nil {
				return err
			}
			last = f.file
		}
		if _, err := fmt.Fprintf(out, "\t%d %s\n", f.line, f.name); err != nil {
			return err
		}
	}
	return nil
}

// run runs a command and returns its output.
func run(ctx context.Context, name string, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, name, args...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return out, err
}
