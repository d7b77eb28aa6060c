package soak_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	idleConnections = 10_000
	// spareDescriptors is how many descriptors a process needs in addition to the idle connections.
	spareDescriptors = 1_000
	// holdAddress passes the network address to the process that holds the idle connections.
	holdAddress = "TROVE_SOAK_HOLD"
	opening     = 2 * time.Minute
)

// holder is a process that holds idle connections. Their client ends are not descriptors of the tested process.
type holder struct {
	command *exec.Cmd
	input   io.WriteCloser
	lines   *bufio.Scanner
}

// holdIdle opens the idle connections and uses each once. It returns nil if the system does not allow as many.
func holdIdle(t *testing.T, address string) *holder {
	t.Helper()
	if err := allowDescriptors(idleConnections + spareDescriptors); err != nil {
		t.Logf("SKIPPED: %d idle connections are not held, for the system does not allow so many: %v", idleConnections, err)
		return nil
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	t.Cleanup(cancel)
	command := exec.CommandContext(ctx, program, "-test.run=^TestHoldIdleConnections$", "-test.v")
	command.Env = append(os.Environ(), holdAddress+"="+address)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	h := &holder{command: command, input: input, lines: bufio.NewScanner(output)}
	began := time.Now()
	if n := h.next(); n != idleConnections {
		t.Errorf("%d idle connections are open, want %d", n, idleConnections)
	}
	took, now := time.Since(began), measure()
	t.Logf("%d idle connections opened in %v; with them: goroutines %d, descriptors %d, heap %.1f MiB",
		idleConnections, took.Round(time.Millisecond), now.goroutines, now.descriptors, mib(now.heap))
	return h
}

// next returns the next number that the process prints, or -1.
func (h *holder) next() int {
	for h.lines.Scan() {
		if text, ok := strings.CutPrefix(h.lines.Text(), "connections: "); ok {
			n, err := strconv.Atoi(text)
			if err == nil {
				return n
			}
		}
	}
	return -1
}

// ask uses each connection once more.
func (h *holder) ask(t *testing.T) {
	t.Helper()
	if h == nil {
		return
	}
	_, _ = io.WriteString(h.input, "ask\n")
	alive := h.next()
	t.Logf("%d of %d idle connections answered at the end", alive, idleConnections)
	if alive != idleConnections {
		t.Errorf("%d idle connections were lost", idleConnections-alive)
	}
}

// end ends the process. The server has closed its connections by now.
func (h *holder) end(t *testing.T) {
	t.Helper()
	if h == nil {
		return
	}
	_ = h.input.Close()
	for h.lines.Scan() { // until the process ends
	}
	if err := h.command.Wait(); err != nil {
		t.Errorf("the process that held the idle connections: %v", err)
	}
}

// TestHoldIdleConnections is the process that holds them. It ends when its input does.
func TestHoldIdleConnections(t *testing.T) {
	t.Parallel()
	address := os.Getenv(holdAddress)
	if address == "" {
		t.Skip("is run by TestSoak")
	}
	if err := allowDescriptors(idleConnections + spareDescriptors); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(opening)
	held := make([]*idle, 0, idleConnections)
	for range idleConnections {
		if conn := openIdle(t, address, deadline); conn != nil {
			held = append(held, conn)
		}
	}
	fmt.Printf("connections: %d\n", len(held))
	input := bufio.NewReader(os.Stdin)
	_, _ = input.ReadString('\n')
	deadline, alive := time.Now().Add(opening), 0
	for _, conn := range held {
		if err := conn.ask(deadline); err != nil {
			t.Logf("an idle connection: %v", err)
			continue
		}
		alive++
	}
	fmt.Printf("connections: %d\n", alive)
	_, _ = io.Copy(io.Discard, input)
	for _, conn := range held {
		hangUp(conn)
	}
}

// idle is a connection that is kept alive and hardly used.
type idle struct {
	net.Conn

	reader *bufio.Reader
}

func openIdle(t *testing.T, address string, deadline time.Time) *idle {
	t.Helper()
	conn, err := (&net.Dialer{Deadline: deadline}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Logf("opening an idle connection: %v", err)
		return nil
	}
	opened := &idle{conn, bufio.NewReaderSize(conn, 1<<10)}
	if err := opened.ask(deadline); err != nil {
		t.Logf("using an idle connection: %v", err)
		hangUp(conn)
		return nil
	}
	return opened
}

// ask sends a request over the connection. A busy service is a valid response too.
func (i *idle) ask(deadline time.Time) error {
	if err := i.SetDeadline(deadline); err != nil {
		return err
	}
	if _, err := io.WriteString(i, "GET /api/volumes/1 HTTP/1.1\r\nHost: idle\r\n\r\n"); err != nil {
		return err
	}
	response, err := http.ReadResponse(i.reader, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.Close || !oneOf(response.StatusCode, http.StatusOK, http.StatusServiceUnavailable) {
		return fmt.Errorf("status %d, closed %v", response.StatusCode, response.Close)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
