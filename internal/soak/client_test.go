package soak_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// judge checks what must be true for every response, regardless of the request.
func (c *client) judge(r *http.Request, a reply) {
	what := r.Method + " " + r.URL.RequestURI()
	left := r.Context().Err() != nil
	late := a.took >= readTimeout // the server may have dropped the connection
	streamed := strings.HasPrefix(a.header.Get("Content-Type"), "application/x-ndjson")
	switch {
	case a.status == 0:
		if !left && !late {
			c.findings.add("%s: no answer after %v: %v", what, a.took, a.err)
		}
	case !a.whole:
		// Only a stream with a fault may be incomplete.
		if !left && !late && !streamed {
			c.findings.add("%s: half an answer %d: %v: %s", what, a.status, a.err, shorten(a.body))
		}
	case r.Method == http.MethodHead:
	case a.status >= http.StatusBadRequest:
		c.judgeProblem(what, a)
	case streamed:
		c.judgeLines(what, a)
	case a.ok() && a.status != http.StatusNoContent:
		c.judgeBody(what, a)
	}
}

func (c *client) judgeBody(what string, a reply) {
	if !jsontext.Value(a.body).IsValid() {
		c.findings.add("%s: the answer %d is not JSON: %s", what, a.status, shorten(a.body))
	}
	if a.length != int64(len(a.body)) {
		c.findings.add("%s: the answer %d has %d bytes, and Content-Length %d", what, a.status, len(a.body), a.length)
	}
}

func (c *client) judgeLines(what string, a reply) {
	if len(a.body) > 0 && !bytes.HasSuffix(a.body, []byte("\n")) {
		c.findings.add("%s: the last line of the stream has no end: %s", what, shorten(a.body))
	}
	for line := range bytes.Lines(a.body) {
		if !jsontext.Value(line).IsValid() {
			c.findings.add("%s: a line of the stream is not JSON: %s", what, shorten(line))
			return
		}
	}
}

// judgeProblem checks an error response against RFC 9457, and a 500 against the log.
func (c *client) judgeProblem(what string, a reply) {
	var problem struct {
		Type     string `json:"type"`
		Title    string `json:"title"`
		Status   int    `json:"status"`
		Instance string `json:"instance"`
	}
	if kind := a.header.Get("Content-Type"); kind != "application/problem+json" {
		c.findings.add("%s: the answer %d is %q: %s", what, a.status, kind, shorten(a.body))
		return
	}
	c.judgeBody(what, a)
	if err := json.Unmarshal(a.body, &problem); err != nil || problem.Type == "" || problem.Title == "" {
		c.findings.add("%s: the answer %d is no problem: %v: %s", what, a.status, err, shorten(a.body))
		return
	}
	if problem.Status != a.status && problem.Type != "validation_error" {
		c.findings.add("%s: the answer %d says that it is %d", what, a.status, problem.Status)
	}
	incident, named := strings.CutPrefix(problem.Instance, "urn:uuid:")
	switch {
	case a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") == "":
		c.findings.add("%s: a 503 without Retry-After: %s", what, shorten(a.body))
	case a.status > http.StatusInternalServerError && a.status != http.StatusServiceUnavailable:
		c.findings.add("%s: an answer %d that nobody planted: %s", what, a.status, shorten(a.body))
	case a.status == http.StatusInternalServerError && !named:
		c.findings.add("%s: a 500 without an instance: %s", what, shorten(a.body))
	}
	if named && !c.journal.take(incident) {
		c.findings.add("%s: the log does not have the instance of %d: %s", what, a.status, shorten(a.body))
	}
}

// maxFindings is how many findings are reported in full.
const maxFindings = 20

// findings collects errors from many goroutines.
type findings struct {
	mu    sync.Mutex
	texts []string
	more  int
}

func (f *findings) add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.texts) == maxFindings {
		f.more++
		return
	}
	f.texts = append(f.texts, fmt.Sprintf(format, args...))
}

func (f *findings) report(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, text := range f.texts {
		t.Error(text)
	}
	if f.more > 0 {
		t.Errorf("and %d findings more", f.more)
	}
}

// shorten cuts a text that is quoted in a finding.
func shorten[T ~string | ~[]byte](text T) string {
	if len(text) > 300 {
		return string(text[:300]) + "…"
	}
	return string(text)
}
