package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// service is the example, served on a free port for one test.
type service struct {
	t      *testing.T
	base   string
	client *http.Transport
}

// start runs the program as main does and waits until it says where it serves. It is
// stopped, and must end without an error, when the test ends.
func start(t *testing.T) service {
	t.Helper()
	return startWith(t, ":memory:")
}

// startWith runs the program with a database of that name and further flags.
func startWith(t *testing.T, db string, arguments ...string) service {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, append([]string{"-addr", "127.0.0.1:0", "-db", db}, arguments...), in)
		_ = in.Close()
	}()
	client := &http.Transport{}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		stop()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the service ended with %v", err)
			}
		case <-time.After(15 * time.Second):
			t.Error("the service does not end")
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, docs, ok := strings.Cut(lines.Text(), "Documentation: "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return service{t, strings.TrimSuffix(docs, "/api/docs"), client}
		}
	}
	t.Fatal("the service does not say where its documentation is")
	return service{}
}

type answer struct {
	t      *testing.T
	status int
	header http.Header
	body   string
}

// send sends "METHOD path" with a JSON body, "" for none.
func (s service) send(request, body string) answer {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	return s.ask(method, path, body)
}

// ask sends a request with header fields: name, value, name, value.
func (s service) ask(method, path, body string, header ...string) answer {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := s.client.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{s.t, response.StatusCode, response.Header, string(text)}
}

// is asserts the status, and fields of the body given as pairs of name and JSON value.
func (a answer) is(status int, members ...string) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("the status is %d, want %d: %s", a.status, status, a.body)
	}
	for i := 0; i+1 < len(members); i += 2 {
		if got := a.field(members[i]); got != members[i+1] {
			a.t.Errorf("%s is %s, want %s", members[i], got, members[i+1])
		}
	}
	return a
}

// field returns a field of the body as JSON, "" if it is absent.
func (a answer) field(name string) string {
	a.t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(a.body), &object); err != nil {
		a.t.Fatalf("the body is no JSON object: %v: %s", err, a.body)
	}
	value, ok := object[name]
	if !ok {
		return ""
	}
	text, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		a.t.Fatal(err)
	}
	return string(text)
}
