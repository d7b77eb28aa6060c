package spec

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
)

// Wire is an API on a socket, and a client that speaks one version of HTTP with it.
type Wire struct {
	T      testing.TB
	Host   string // "127.0.0.1:4711"
	Client *http.Client
	major  int // 1 or 2
}

// OverTheWire plays a story over HTTP/1.1 and over HTTP/2, each with an API of its own.
func OverTheWire(t *testing.T, api func(t testing.TB) Client, story func(w Wire)) {
	t.Helper()
	for major, name := range map[int]string{1: "HTTP 1.1", 2: "HTTP 2"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(NewWire(t, api(t).Handler, major))
		})
	}
}

// NewWire serves a handler over HTTP/1.1 or HTTP/2.
func NewWire(t testing.TB, handler http.Handler, major int) Wire {
	t.Helper()
	protocols := new(http.Protocols)
	protocols.SetHTTP1(major == 1)
	protocols.SetUnencryptedHTTP2(major == 2)
	var listening net.ListenConfig
	listener, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler, Protocols: protocols, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	transport := &http.Transport{Protocols: protocols, DisableCompression: true}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener) // it ends with the test
	}()
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		<-served
	})
	follow := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return Wire{t, listener.Addr().String(), &http.Client{Transport: transport, CheckRedirect: follow}, major}
}

// Send sends a request: "GET /api/x", a body ("" for none), and lines of the header as
// name, value, name, value. A body is JSON unless Content-Type is given.
func (w Wire) Send(request, body string, header ...string) Response {
	w.T.Helper()
	return w.Do(w.Request(request, body, header...))
}

// Request makes a request.
func (w Wire) Request(request, body string, header ...string) *http.Request {
	w.T.Helper()
	method, target, _ := strings.Cut(request, " ")
	var reader io.Reader = http.NoBody
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(w.T.Context(), method, "http://"+w.Host+target, reader)
	if err != nil {
		w.T.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	if body != "" && r.Header["Content-Type"] == nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// Do sends a request.
func (w Wire) Do(r *http.Request) Response {
	w.T.Helper()
	response, err := w.Client.Do(r)
	if err != nil {
		w.T.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	if response.ProtoMajor != w.major {
		w.T.Errorf("the response came over %s", response.Proto)
	}
	return Response{w.T, response.StatusCode, response.Header, string(body)}
}

// Header is short for the lines of a header.
func Header(lines ...string) []string { return lines }
