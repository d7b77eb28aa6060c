package startup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// run is the result of one run of a program.
type run struct {
	first, document, again time.Duration
	resident, bytes        int64
}

// start runs a program once and measures it.
func start(ctx context.Context, program string) (r run, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // there is nothing to wait for
	if err != nil {
		return r, err
	}
	socket, err := listener.(*net.TCPListener).File()
	if err != nil {
		return r, errors.Join(err, listener.Close())
	}
	address := listener.Addr().String()
	command := exec.CommandContext(ctx, program)
	command.ExtraFiles = []*os.File{socket}
	command.Stderr = os.Stderr
	began := time.Now()
	err = command.Start()
	// Only the program may accept connections.
	if err = errors.Join(err, listener.Close(), socket.Close()); err != nil {
		return r, err
	}
	defer func() {
		err = errors.Join(err, command.Process.Kill())
		_ = command.Wait() // says that it was killed
	}()
	return r, r.visit(ctx, "http://"+address, command.Process.Pid, began)
}

// visit requests a first response and the document from the program.
func (r *run) visit(ctx context.Context, address string, pid int, began time.Time) error {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	status, _, err := get(ctx, client, address+"/api/item50s")
	if err != nil {
		return err
	}
	r.first = time.Since(began)
	if status != http.StatusOK {
		return fmt.Errorf("the first answer has the status %d", status)
	}
	if r.resident, err = resident(pid); err != nil {
		return err
	}
	return r.read(ctx, client, address+"/api/docs.json")
}

// read requests the document several times.
func (r *run) read(ctx context.Context, client *http.Client, target string) error {
	var times []time.Duration
	for range 20 {
		began := time.Now()
		status, size, err := get(ctx, client, target)
		if err != nil {
			return err
		}
		if status != http.StatusOK || size == 0 {
			return nil // there is no document
		}
		times, r.bytes = append(times, time.Since(began)), size
	}
	r.document, r.again = times[0], slices.Min(times[1:])
	return nil
}

// get sends a GET and reads the whole response.
func get(ctx context.Context, client *http.Client, target string) (status int, size int64, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
	if err != nil {
		return 0, 0, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	size, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, size, errors.Join(err, answer.Body.Close())
}

// resident returns the resident memory of a process on Linux.
func resident(pid int) (int64, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, fmt.Errorf("statm of process %d is %q", pid, text)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}
