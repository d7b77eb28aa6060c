package sockets

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/bench/workload"
)

// connections is the number of concurrent requests. One thread sends them, which is still faster than any server. A
// server that waits for its clients would spend its time on sleeping and waking up.
const connections = 16

// load lets wrk send a workload to a server for some seconds, and returns the number of responses. It checks the status
// first, because wrk only distinguishes errors from successes.
func load(ctx context.Context, address string, w *workload.Workload, period time.Duration) (count int, err error) {
	if err := check(ctx, address, w); err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "request.lua")
	text, err := script(w)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		return 0, err
	}
	var report strings.Builder
	wrk := exec.CommandContext(ctx, "wrk", "-t1", fmt.Sprint("-c", connections), //nolint:gosec // nothing of it is a user's
		"-d"+strconv.Itoa(int(period.Seconds())), "-s", path, "http://"+address+w.Target)
	wrk.Stdout, wrk.Stderr = &report, &report
	if err := wrk.Run(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, report.String())
	}
	return answers(report.String(), w)
}

// check sends a workload once, and returns an error if the response has a wrong status.
func check(ctx context.Context, address string, w *workload.Workload) error {
	pattern, err := w.Request()
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, w.Method, "http://"+address+w.Target, strings.NewReader(w.Body))
	if err != nil {
		return err
	}
	request.Header, request.Close = pattern.Header, true
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	if !w.Answered(answer.StatusCode) {
		err = fmt.Errorf("%s: status %d", w.Name, answer.StatusCode)
	}
	return errors.Join(err, answer.Body.Close())
}

// script returns the request of a workload as a Lua script for wrk.
func script(w *workload.Workload) (string, error) {
	request, err := w.Request()
	if err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "wrk.method = %q\nwrk.body = [==[%s]==]\n", request.Method, w.Body)
	for name := range request.Header {
		fmt.Fprintf(&text, "wrk.headers[%q] = %q\n", name, request.Header.Get(name))
	}
	return text.String(), nil
}

var (
	counted = regexp.MustCompile(`(\d+) requests in`)
	refused = regexp.MustCompile(`Non-2xx or 3xx responses: (\d+)`)
)

// answers returns the number of responses in the report of wrk. It returns an error if any is wrong.
func answers(report string, w *workload.Workload) (int, error) {
	all, wrong := number(counted, report), number(refused, report)
	if w.Answered(http.StatusBadRequest) || w.Answered(http.StatusNotFound) {
		wrong = all - wrong
	}
	if all == 0 || wrong > 0 || strings.Contains(report, "Socket errors") {
		return 0, fmt.Errorf("%s: %d of %d answers are wrong: %s", w.Name, wrong, all, report)
	}
	return all, nil
}

// number returns the number that a pattern matches, or 0.
func number(pattern *regexp.Regexp, text string) int {
	found := pattern.FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(found[1]) // the pattern matches only digits
	return n
}
