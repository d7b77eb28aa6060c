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
	"slices"
	"strings"
)

const cliPackage = "github.com/trove-api/trove/cli"

// print returns a command that prints what a program prints with a flag.
func (t *trove) print(option string) func(context.Context, *flag.FlagSet, []string) error {
	return func(ctx context.Context, flags *flag.FlagSet, args []string) error {
		if err := parse(flags, args); err != nil {
			return err
		}
		return t.ask(ctx, option, flags.Args(), "-"+option)
	}
}

// ask runs a program of the user for a command, with options for package cli. The arguments of the command are the path of
// the program, and what else to pass to it.
func (t *trove) ask(ctx context.Context, command string, args []string, options ...string) error {
	path, rest := ".", args
	if len(rest) > 0 {
		path, rest = rest[0], rest[1:]
	}
	if strings.Contains(path, "...") {
		return usageError{fmt.Sprintf("%s: %s can be several packages; name one, such as ./cmd/shop", command, path)}
	}
	err := t.checkProgram(ctx, path, command, options[0])
	if err == nil {
		err = t.runProgram(ctx, path, append(options, rest...))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}

// checkProgram returns an error unless the package at a path is a program with the flags of package cli.
func (t *trove) checkProgram(ctx context.Context, path, command, option string) error {
	const facts = "{{.Name}}\n{{.ImportPath}}\n{{range .Deps}}{{.}}\n{{end}}"
	list := exec.CommandContext(ctx, "go", "list", "-f", facts, "--", path) //nolint:gosec // the user's package
	var complaints bytes.Buffer
	list.Dir, list.Stderr = t.folder, &complaints
	output, err := list.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("the command go is missing; install Go from https://go.dev/dl")
	}
	if err != nil {
		return fmt.Errorf("cannot load the package at %s: %s", path, strings.TrimSpace(complaints.String()))
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	switch {
	case len(lines) < 2:
		return fmt.Errorf("there is no package at %s", path)
	case lines[0] != "main":
		return fmt.Errorf("%s is not a program but package %s; add the path of a program, such as: trove %s ./cmd/shop", lines[1], lines[0], command)
	case !slices.Contains(lines, cliPackage):
		return fmt.Errorf("%s does not use the package %s, which defines the flag %s; call cli.Main in its main function: https://pkg.go.dev/%s",
			lines[1], cliPackage, option, cliPackage)
	}
	return nil
}

// runProgram builds the program at a path and runs it. It is not "go run", which adds lines of its own to the output.
func (t *trove) runProgram(ctx context.Context, path string, args []string) (err error) {
	folder, err := os.MkdirTemp("", "trove-program-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, "program.exe")                             // Windows needs the suffix
	build := exec.CommandContext(ctx, "go", "build", "-o", file, "--", path) //nolint:gosec // the user's package
	build.Dir, build.Stderr = t.folder, t.errors
	if err := build.Run(); err != nil {
		return fmt.Errorf("cannot build the program at %s: %w", path, err)
	}
	program := exec.CommandContext(ctx, file, args...) //nolint:gosec // the user's program
	program.Dir, program.Stdout, program.Stderr = t.folder, t.out, t.errors
	if err := program.Run(); err != nil {
		return fmt.Errorf("the program at %s failed: %w", path, err)
	}
	return nil
}
