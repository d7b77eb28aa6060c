// Package startup measures how long programs take from their start to their first response.
package startup

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// Programs are the names of the programs in bench/fifty. All but the empty one have fifty resources with six operations
// each.
func Programs() []string { return []string{"empty", "chi", "huma", "trove"} }

// Result is what a program costs until just after its first response.
type Result struct {
	// First is the time from the start of the process to the first response.
	First, FirstMedian time.Duration
	// Resident is the size of the process in memory after that, in bytes.
	Resident int64
	// Binary is the size of the program's file, in bytes.
	Binary int64
	// Document is the time of the first GET of the document, and DocumentAgain the shortest of later ones. They are 0 if
	// there is no document.
	Document, DocumentAgain time.Duration
	// DocumentBytes is the size of the document.
	DocumentBytes int64
}

// Measure builds the programs and starts each of them in turn, many times. It runs in the directory of the module.
func Measure(ctx context.Context, rounds int) (map[string]Result, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is the system's directory for what nobody needs
	if err := build(ctx, dir); err != nil {
		return nil, err
	}
	runs := map[string][]run{}
	for range rounds {
		for _, name := range Programs() {
			r, err := start(ctx, filepath.Join(dir, name))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			runs[name] = append(runs[name], r)
		}
	}
	results := map[string]Result{}
	for name, all := range runs {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		results[name] = summary(all, info.Size())
	}
	return results, nil
}

func build(ctx context.Context, dir string) error {
	args := []string{"build", "-o", dir + string(filepath.Separator)}
	for _, name := range Programs() {
		args = append(args, "./fifty/"+name)
	}
	command := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are ours
	command.Stderr = os.Stderr
	return command.Run()
}

// summary returns the minimum of all runs, and the median of the fields named so.
func summary(runs []run, binary int64) Result {
	least := func(value func(run) time.Duration) time.Duration { return sorted(runs, value)[0] }
	first := func(r run) time.Duration { return r.first }
	slices.SortFunc(runs, func(a, b run) int { return int(a.resident - b.resident) })
	return Result{
		First: least(first), FirstMedian: sorted(runs, first)[len(runs)/2],
		Resident: runs[len(runs)/2].resident, Binary: binary,
		Document:      least(func(r run) time.Duration { return r.document }),
		DocumentAgain: least(func(r run) time.Duration { return r.again }),
		DocumentBytes: runs[0].bytes,
	}
}

func sorted(runs []run, value func(run) time.Duration) []time.Duration {
	values := make([]time.Duration, len(runs))
	for i, r := range runs {
		values[i] = value(r)
	}
	slices.Sort(values)
	return values
}
