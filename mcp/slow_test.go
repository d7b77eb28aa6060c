package mcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// limited serves gems to agents, with a time for each operation.
func limited(t *testing.T, within time.Duration, handler func(context.Context, *Gem, struct{}) (int, error)) *httptest.Server {
	t.Helper()
	api, err := resource.New(resource.Config{Timeout: within, MaxConcurrent: 1}, resource.Of[Gem]{
		Operations: []operation.Operation{operation.Get{Name: "count", URITemplate: "/gem-count", Handler: operation.Handle(handler)}},
	}, resource.Of[Keeper]{})
	if err != nil {
		t.Fatal(err)
	}
	if err := mcp.Mount(api, mcp.Config{}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return server
}

func TestABodyThatArrivesTooSlowlyIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	server := limited(t, 50*time.Millisecond, func(context.Context, *Gem, struct{}) (int, error) { return 7, nil })
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	_, err = fmt.Fprintf(connection, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{", server.Listener.Addr())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil) // the rest of the body never comes
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(body), "did not arrive in time") {
		t.Errorf("answered %d %s, %v", answer.StatusCode, body, err)
	}
}

func TestACallThatTakesTooLongIsEnded(t *testing.T) {
	t.Parallel()
	server := limited(t, 50*time.Millisecond, func(ctx context.Context, _ *Gem, _ struct{}) (int, error) {
		<-ctx.Done()
		return 0, context.Cause(ctx)
	})
	s := &service{t: t, url: server.URL}
	status, text, _ := s.exchange("", "POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"countGem","arguments":{}}}`, "Accept", "application/json, text/event-stream")
	if status != http.StatusOK || !strings.Contains(text, `"isError":true`) || !strings.Contains(text, "503") {
		t.Errorf("answered %d %s", status, text)
	}
	// The place of MaxConcurrent is free again.
	if again, text, _ := s.exchange("", "GET /api/keepers", ""); again != http.StatusOK {
		t.Errorf("the next request is answered %d %s", again, text)
	}
}
