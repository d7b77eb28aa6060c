package soak_test

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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
