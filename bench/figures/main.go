// Command figures writes the figures of the documentation. It runs the command of each block
//
//	<!-- figures: go run ./house -->
//	<!-- /figures -->
//
// in the folder bench, and puts the output between the two lines.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// pages are the files with blocks of figures.
var pages = []string{"README.md", "ARCHITECTURE.md", "docs/performance.md"}

// exact is the beginning of commands that print the same on every machine. Others measure time.
const exact = "go run ./"

var block = regexp.MustCompile(`(?s)(<!-- figures: (.+?) -->\n).*?(<!-- /figures -->)`)

func main() {
	root := flag.String("root", "..", "the `directory` of the library")
	check := flag.Bool("check", false, "fail if exact figures are old, and write nothing")
	times := flag.String("times", "", "write the times of commands that contain this `text`, too; \"go run\" is all of them")
	flag.Parse()
	var err error
	for _, page := range pages {
		err = errors.Join(err, update(context.Background(), *root, page, *check, *times))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// update writes the figures of a page, or returns an error if one is old.
func update(ctx context.Context, root, page string, check bool, times string) error {
	name := filepath.Join(root, page)
	before, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	after, err := replace(string(before), func(command string) (string, bool, error) {
		isExact := strings.HasPrefix(command, exact)
		if !isExact && (check || times == "" || !strings.Contains(command, times)) {
			return "", false, nil
		}
		out, err := run(ctx, root, command)
		if err == nil && !isExact {
			out = strings.TrimRight(out, "\n") + "\n\n" + origin(ctx, root) + "\n"
		}
		return out, true, err
	})
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", page, err)
	case check && after != string(before):
		return fmt.Errorf("%s has old figures: run make figures", page)
	case after == string(before):
		return nil
	}
	return os.WriteFile(name, []byte(after), 0o644) //nolint:gosec // a page of the documentation
}

// replace returns a page with new figures where figures returns true.
func replace(page string, figures func(command string) (string, bool, error)) (string, error) {
	var failed error
	page = block.ReplaceAllStringFunc(page, func(old string) string {
		part := block.FindStringSubmatch(old)
		text, isNew, err := figures(part[2])
		failed = errors.Join(failed, err)
		if !isNew || err != nil {
			return old
		}
		return part[1] + strings.TrimRight(text, "\n") + "\n\n" + part[3]
	})
	return page, failed
}

// run runs a command in the folder bench and returns its output.
func run(ctx context.Context, root, command string) (string, error) {
	cmd := exec.CommandContext(ctx, "bash", "-c", command) //nolint:gosec // the commands are those of the documentation
	cmd.Dir, cmd.Stderr = filepath.Join(root, "bench"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	return string(out), nil
}

// origin says when and where times were measured.
func origin(ctx context.Context, root string) string {
	commit, _ := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "--short", "HEAD").Output()
	return fmt.Sprintf("Measured on %s at commit %s, %d × %s, %s.",
		time.Now().Format(time.DateOnly), bytes.TrimSpace(commit), runtime.NumCPU(), processor(), runtime.Version())
}

var model = regexp.MustCompile(`(?m)^model name\s*: (.+)$`)

// processor returns the name of the processor, or of its architecture.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	if name := model.FindSubmatch(text); name != nil {
		return string(name[1])
	}
	return runtime.GOARCH
}
