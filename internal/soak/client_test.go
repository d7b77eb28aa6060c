package soak_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// breath is how long a client waits after Retry-After. It is much shorter than requested, because there would be no
// load otherwise.
const breath = 10 * time.Millisecond

// client sends requests and checks the form of every response.
type client struct {
	http     *http.Client
	address  string
	findings *findings
	journal  *journal
	tally    *tally
}

// reply is a response; its status is 0 if there was none.
type reply struct {
	status int
	header http.Header
	body   []byte
	length int64 // Content-Length, or -1
	whole  bool  // the body was read to its end
	took   time.Duration
	err    error
}

func (a reply) ok() bool { return 200 <= a.status && a.status < 300 }

func newClient(s *service) *client {
	return &client{
		address: s.address, findings: s.findings, journal: s.journal, tally: &tally{statuses: map[int]int{}},
	}
}

// patient returns a client with a single connection, for one request after the other. Shared clients leave connections
// unused, which the server closes; a request at that moment gets no response.
func (c *client) patient() *client {
	return c.over(&http.Transport{MaxConnsPerHost: 1, DisableCompression: true})
}

// hasty returns a client for cancelled requests. Each has its own connection.
func (c *client) hasty() *client { return c.over(&http.Transport{DisableKeepAlives: true}) }

func (c *client) over(transport *http.Transport) *client {
	other := *c
	other.http = &http.Client{Transport: transport, Timeout: time.Minute}
	return &other
}

// send sends a request with a body ("" for none) and header fields, as name, value, name, value. The body is JSON
// unless Content-Type is given.
func (c *client) send(ctx context.Context, method, target, body string, header ...string) reply {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+c.address+target, reader)
	if err != nil {
		c.findings.add("%s %s cannot be sent: %v", method, target, err)
		return reply{}
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	began := time.Now()
	response, err := c.http.Do(r)
	a := reply{err: err}
	if err == nil {
		a = read(response)
	}
	a.took = time.Since(began)
	c.tally.count(a.status)
	c.judge(r, a)
	if a.status == http.StatusServiceUnavailable {
		pause(ctx, breath)
	}
	return a
}

// read reads a response to its end.
func read(response *http.Response) reply {
	defer response.Body.Close()
	var body bytes.Buffer
	_, err := body.ReadFrom(response.Body)
	return reply{
		status: response.StatusCode, header: response.Header, body: body.Bytes(),
		length: response.ContentLength, whole: err == nil, err: err,
	}
}

// tally counts responses.
type tally struct {
	mu       sync.Mutex
	statuses map[int]int // 0 means no response
	requests int
}

func (t *tally) count(status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.statuses[status]++
	t.requests++
}
