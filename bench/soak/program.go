package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// program is examples/hoard in a process of its own.
type program struct {
	folder  string
	process *exec.Cmd
	base    string
}

var origin = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start builds the program and starts it with its demo, on a free port and without a limit of requests.
func start(ctx context.Context) (*program, error) {
	folder, err := os.MkdirTemp("", "soak")
	if err != nil {
		return nil, err
	}
	p := &program{folder: folder}
	if err := p.begin(ctx); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func (p *program) begin(ctx context.Context) error {
	binary := filepath.Join(p.folder, "hoard")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./examples/hoard") //nolint:gosec // a folder of its own
	build.Dir, build.Stdout, build.Stderr = "..", os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building examples/hoard: %w", err)
	}
	database := os.Getenv("TROVE_TEST_POSTGRES")
	if database == "" {
		database = filepath.Join(p.folder, "hoard.db")
	}
	p.process = exec.CommandContext(ctx, binary, "-demo", "-db", database, "-addr", "127.0.0.1:0", "-rate", "0") //nolint:gosec // see above
	p.process.Stderr = os.Stderr
	out, err := p.process.StdoutPipe()
	if err == nil {
		err = p.process.Start()
	}
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	for p.base == "" {
		if !lines.Scan() {
			return errors.New("examples/hoard has ended")
		}
		p.base = origin.FindString(lines.Text())
	}
	go func() { // ends with the program
		for lines.Scan() {
			continue // so that the program can write
		}
	}()
	return nil
}

// stop ends the program and removes its files.
func (p *program) stop() {
	if p.process != nil && p.process.Process != nil {
		_ = p.process.Process.Signal(os.Interrupt)
		time.AfterFunc(10*time.Second, func() { _ = p.process.Process.Kill() }) //nolint:mnd // it lets requests finish
		_ = p.process.Wait()
	}
	_ = os.RemoveAll(p.folder)
}

var (
	resident = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)
	highest  = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
)

// size returns the memory of the program in MB, and the number of its open files.
func (p *program) size() (memory, files int, err error) {
	if memory, err = p.status(resident); err != nil {
		return 0, 0, err
	}
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.process.Process.Pid))
	return memory, len(open), err
}

// peak returns the most memory that the program has needed, in MB.
func (p *program) peak() (int, error) { return p.status(highest) }

func (p *program) status(line *regexp.Regexp) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	found := line.FindSubmatch(text)
	if found == nil {
		return 0, errors.New("the memory of the program is unknown")
	}
	kB, err := strconv.Atoi(string(found[1]))
	const inMB = 1000 * 1000 / 1024
	return kB / inMB, err
}
