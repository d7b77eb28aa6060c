package sockets

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// child is a server in a process of its own.
type child struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
	address string
}

// start runs this program again, as the server of a contender on one CPU.
func start(ctx context.Context, name string) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{command: exec.CommandContext(ctx, program, "-serve", name)} //nolint:gosec // it is this program
	c.command.Env = append(os.Environ(), "GOMAXPROCS=1")
	c.command.Stderr = os.Stderr
	if c.stdin, err = c.command.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.stdout = bufio.NewReader(stdout)
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	if c.address, err = c.line(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s does not start: %w", name, err), c.stop())
	}
	return c, nil
}

// usage returns the CPU time that the server has used.
func (c *child) usage() (time.Duration, error) { return c.ask(askUsage) }

// reset replaces the store of the server with a new one.
func (c *child) reset() error {
	_, err := c.ask(askReset)
	return err
}

func (c *child) ask(command string) (time.Duration, error) {
	if _, err := fmt.Fprintln(c.stdin, command); err != nil {
		return 0, err
	}
	answer, err := c.line()
	if err != nil {
		return 0, err
	}
	nanoseconds, err := strconv.ParseInt(answer, 10, 64)
	return time.Duration(nanoseconds), err
}

func (c *child) line() (string, error) {
	text, err := c.stdout.ReadString('\n')
	return strings.TrimSpace(text), err
}

// stop closes the input of the server, which ends it.
func (c *child) stop() error {
	return errors.Join(c.stdin.Close(), c.command.Wait())
}
