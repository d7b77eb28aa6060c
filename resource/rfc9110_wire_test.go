package resource_test

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
)

// wire is an API on a socket, and a client that speaks one version of HTTP with it.
type wire struct {
	t      testing.TB
	host   string // "127.0.0.1:4711"
	client *http.Client
	major  int // 1 or 2
}

// overTheWire plays a story over HTTP/1.1 and over HTTP/2, each with an API of its own.
func overTheWire(t *testing.T, api func(t testing.TB) client, story func(w wire)) {
	t.Helper()
	for major, name := range map[int]string{1: "HTTP 1.1", 2: "HTTP 2"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(newWire(t, api(t).handler, major))
		})
	}
}

func newWire(t testing.TB, handler http.Handler, major int) wire {
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
	return wire{t, listener.Addr().String(), &http.Client{Transport: transport, CheckRedirect: follow}, major}
}

// send sends a request: "GET /api/x", a body ("" for none), and lines of the header as
// name, value, name, value. A body is JSON unless Content-Type is given.
func (w wire) send(request, body string, header ...string) answer {
	w.t.Helper()
	return w.do(w.request(request, body, header...))
}

func (w wire) request(request, body string, header ...string) *http.Request {
	w.t.Helper()
	method, target, _ := strings.Cut(request, " ")
	var reader io.Reader = http.NoBody
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(w.t.Context(), method, "http://"+w.host+target, reader)
	if err != nil {
		w.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	if body != "" && r.Header["Content-Type"] == nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func (w wire) do(r *http.Request) answer {
	w.t.Helper()
	response, err := w.client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if response.ProtoMajor != w.major {
		w.t.Errorf("the answer came by %s", response.Proto)
	}
	return answer{w.t, response.StatusCode, response.Header, string(body)}
}

// edge is a request and what it must be answered with.
type edge struct {
	rule, request, body string
	header              []string // name, value, name, value
	status              int
	fields              []string // of the answer: name, value, name, value
	mentions            []string // in the body
}

// play sends the request of an edge. What is refused must be a problem, and must change
// nothing in the collection.
func (e edge) play(w wire, collection string) {
	w.t.Helper()
	before := w.send("GET "+collection, "").hasStatus(200).body
	a := w.send(e.request, e.body, e.header...).hasStatus(e.status).mentions(e.mentions...)
	for i := 0; i+1 < len(e.fields); i += 2 {
		a.has(e.fields[i], e.fields[i+1])
	}
	if e.status < 400 {
		return
	}
	if !strings.HasPrefix(e.request, "HEAD ") && !strings.Contains(a.body, "validation_error") {
		a.isProblem(e.status)
	}
	a.has("Content-Type", "application/problem+json").has("X-Content-Type-Options", "nosniff")
	w.send("GET "+collection, "").is(200, before)
}

// header is short for the lines of a header.
func header(lines ...string) []string { return lines }
