// Package formattest sends requests in a format to an API, in tests of formats.
package formattest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Client sends requests to an API in the same process.
type Client struct {
	T         testing.TB
	API       http.Handler
	MediaType string // of bodies
}

// Send sends a request, "GET /api/x", with a body ("" for none) in the format, unless Content-Type
// is among the header fields: name, value, name, value.
func (c Client) Send(request, body string, fields ...string) Response {
	c.T.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(c.T.Context(), method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", c.MediaType)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	c.API.ServeHTTP(w, r)
	return Response{c.T, w.Code, w.Header(), w.Body.String()}
}

// Response is the response to a request.
type Response struct {
	T      testing.TB
	Status int
	Header http.Header
	Body   string
}

// Is compares the status and the body, byte for byte.
func (a Response) Is(status int, body string) Response {
	a.T.Helper()
	if a.Status != status || a.Body != body {
		a.T.Errorf("the response is %d\n%q\nwant %d\n%q", a.Status, a.Body, status, body)
	}
	return a
}

// Has compares a header field, "" for none.
func (a Response) Has(field, value string) Response {
	a.T.Helper()
	if got := a.Header.Get(field); got != value {
		a.T.Errorf("%s is %q, want %q", field, got, value)
	}
	return a
}

// Mentions compares the status, and checks that the body contains the texts.
func (a Response) Mentions(status int, texts ...string) Response {
	a.T.Helper()
	if a.Status != status {
		a.T.Errorf("the status is %d, want %d; the body is %s", a.Status, status, a.Body)
	}
	for _, text := range texts {
		if !strings.Contains(a.Body, text) {
			a.T.Errorf("the body lacks %s: %s", text, a.Body)
		}
	}
	return a
}
