package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// editCost returns the CPU time to build examples/hoard, which has seven resources, after an edit
// of one of its files: the minimum of three edits.
func editCost(ctx context.Context, root string) (least time.Duration, err error) {
	dir, err := os.MkdirTemp("", "house")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	edited, err := filepath.Abs(filepath.Join(root, "examples/hoard/treasure.go"))
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(edited)
	if err != nil {
		return 0, err
	}
	copied, overlay := filepath.Join(dir, "treasure.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {edited: copied}})
	if err == nil {
		err = os.WriteFile(overlay, replace, 0o600)
	}
	for edit := 0; err == nil && edit <= 3; edit++ { // the first build is of the libraries, too
		changed := fmt.Sprintf("%s\nconst edit = %d\n", text, time.Now().UnixNano())
		if err = os.WriteFile(copied, []byte(changed), 0o600); err != nil {
			break
		}
		command := exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "-o="+filepath.Join(dir, "hoard"), "./examples/hoard")
		command.Dir = root
		var cost time.Duration
		cost, err = cpu(command)
		if edit == 1 || edit > 1 && cost < least {
			least = cost
		}
	}
	return least, err
}

// testCost returns the CPU time of the short tests of packages, and the memory of the largest compiler process in GB.
// It first builds the packages and their libraries in a cache of its own.
func testCost(ctx context.Context, root, packages string) (cost time.Duration, compiler float64, err error) {
	dir, err := os.MkdirTemp("", "house")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	self, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	peaks := filepath.Join(dir, "peaks")
	for _, task := range []string{"build", "test -short"} { // the last one counts
		command := exec.CommandContext(ctx, "go", append(strings.Fields(task), "-toolexec="+self+" -tool "+peaks, packages)...)
		command.Dir, command.Env = root, append(os.Environ(), "GOCACHE="+filepath.Join(dir, "cache"))
		if cost, err = cpu(command); err != nil {
			return 0, 0, err
		}
	}
	text, err := os.ReadFile(peaks)
	for line := range strings.FieldsSeq(string(text)) {
		if kilobytes, _ := strconv.ParseFloat(line, 64); kilobytes/1e6 > compiler {
			compiler = kilobytes / 1e6
		}
	}
	return cost, compiler, err
}

// tool runs a tool of the go command and, if it is a compiler, appends the memory that it needed in kB to a file.
func tool(ctx context.Context, peaks string, args []string) error {
	command := exec.CommandContext(ctx, args[0], args[1:]...)
	command.Stdin, command.Stdout = os.Stdin, os.Stdout
	if _, err := cpu(command); err != nil || filepath.Base(args[0]) != "compile" {
		return err
	}
	file, err := os.OpenFile(peaks, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	usage, _ := command.ProcessState.SysUsage().(*syscall.Rusage)
	_, err = fmt.Fprintln(file, usage.Maxrss)
	return errors.Join(err, file.Close())
}

// cpu runs a command and returns the CPU time of the command and its child processes.
func cpu(command *exec.Cmd) (time.Duration, error) {
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w", strings.Join(command.Args, " "), err)
	}
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime(), nil
}
