package openapitest

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
)

// request is one request that is sent.
type request struct {
	method, path string // the path with its variables
	query        url.Values
	header       http.Header
	body         string
	mediaType    string // of the body; "" for none

	valid   bool // by the document
	exactly bool // the document says all of what is valid
}

// with returns the request with another body.
func (r request) with(body string, valid, exactly bool) request {
	r.body, r.valid, r.exactly = body, valid, exactly
	return r
}

// asking returns the request with one more parameter.
func (r request) asking(in, name, text string) request {
	if in == "header" {
		r.header = r.header.Clone()
		if r.header == nil {
			r.header = http.Header{}
		}
		r.header.Set(name, text)
		return r
	}
	query := maps.Clone(r.query)
	if query == nil {
		query = url.Values{}
	}
	query[name] = []string{text}
	r.query = query
	return r
}

// send sends the request to a handler.
func (r request) send(ctx context.Context, handler http.Handler) *httptest.ResponseRecorder {
	target := r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	sent := httptest.NewRequestWithContext(ctx, r.method, target, strings.NewReader(r.body))
	maps.Copy(sent.Header, r.header)
	if r.mediaType != "" {
		sent.Header.Set("Content-Type", r.mediaType)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, sent)
	return w
}

// maxShown is how much of a body a command shows.
const maxShown = 500

// shortened returns the beginning of a long text.
func shortened(text string) string {
	if len(text) > maxShown {
		return text[:maxShown] + "…"
	}
	return text
}

// curl writes the request as a command.
func (r request) curl() string {
	quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	target := "http://localhost" + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	command := "curl -X " + r.method + " " + quote(target)
	for _, name := range slices.Sorted(maps.Keys(r.header)) {
		command = strings.Join([]string{command, "-H", quote(name + ": " + strings.Join(r.header[name], ", "))}, " ")
	}
	if r.mediaType != "" {
		command += " -H " + quote("Content-Type: "+r.mediaType)
	}
	if r.body != "" {
		command += " -d " + quote(shortened(r.body))
	}
	return command
}
