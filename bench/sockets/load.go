package sockets

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/trove-api/trove/bench/workload"
)

// connections is how many clients send requests at the same time.
const connections = 8

// load sends a workload to a server for a while and returns how many answers there were.
func load(ctx context.Context, address string, w *workload.Workload, period time.Duration) (count int, err error) {
	text, err := wire(w)
	if err != nil {
		return 0, err
	}
	type outcome struct {
		count int
		err   error
	}
	outcomes := make(chan outcome, connections)
	end := time.Now().Add(period)
	for range connections {
		go func() {
			n, err := talk(ctx, address, text, w, end)
			outcomes <- outcome{n, err}
		}()
	}
	for range connections {
		o := <-outcomes
		count += o.count
		err = errors.Join(err, o.err)
	}
	return count, err
}

// wire returns the request as it is sent.
func wire(w *workload.Workload) (string, error) {
	request, err := w.Request()
	if err != nil {
		return "", err
	}
	request.Body = io.NopCloser(strings.NewReader(w.Body))
	request.Header.Set("User-Agent", "bench")
	var text strings.Builder
	err = request.Write(&text)
	return text.String(), err
}

// talk sends the request over one connection, once and then again until the
// end.
func talk(ctx context.Context, address, text string, w *workload.Workload, end time.Time) (count int, err error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	answers := bufio.NewReader(conn)
	for ; count == 0 || time.Now().Before(end); count++ {
		if _, err := io.WriteString(conn, text); err != nil {
			return count, err
		}
		if err := receive(answers, w); err != nil {
			return count, err
		}
	}
	return count, nil
}

// receive reads one answer.
func receive(answers *bufio.Reader, w *workload.Workload) error {
	answer, err := http.ReadResponse(answers, nil)
	if err != nil {
		return err
	}
	if !w.Answered(answer.StatusCode) {
		err = fmt.Errorf("%s: status %d", w.Name, answer.StatusCode)
	}
	_, copied := io.Copy(io.Discard, answer.Body)
	return errors.Join(err, copied, answer.Body.Close())
}
