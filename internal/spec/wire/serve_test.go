package wire_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// servedAt serves a handler at a free port. It returns the network address, a function that stops the server, and
// its result.
func servedAt(t *testing.T, handler http.HandlerFunc) (address string, end func(), ended <-chan error) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	t.Cleanup(end)
	result := make(chan error, 1)
	go func() { result <- resource.Serve(ctx, listener, handler) }()
	return listener.Addr().String(), end, result
}

func TestAServerLetsRequestsInHandFinish(t *testing.T) {
	t.Parallel()
	begun, goOn := make(chan struct{}), make(chan struct{})
	address, end, ended := servedAt(t, func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-goOn
		_, _ = io.WriteString(w, "done")
	})
	body := make(chan string, 1)
	go func() {
		response, err := http.Get("http://" + address) //nolint:noctx // ends with the server
		if err != nil {
			body <- err.Error()
			return
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		body <- string(text)
	}()
	<-begun
	end()
	select {
	case err := <-ended:
		t.Fatalf("the server has ended before the request: %v", err)
	default:
	}
	close(goOn)
	if got := <-body; got != "done" {
		t.Errorf("the answer is %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("the end is %v", err)
	}
	if _, err := net.Dial("tcp", address); err == nil { //nolint:noctx // refused at once
		t.Error("the server still listens")
	}
}

func TestAServerRejectsLongHeaders(t *testing.T) {
	t.Parallel()
	address, _, _ := servedAt(t, func(http.ResponseWriter, *http.Request) { t.Error("it is served") })
	connection, err := net.Dial("tcp", address) //nolint:noctx // ends with the server
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	go func() {
		_, _ = io.WriteString(connection, "GET / HTTP/1.1\r\nHost: x\r\nX-Long: "+strings.Repeat("x", 64<<10)+"\r\n\r\n")
	}()
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("the status is %d", response.StatusCode)
	}
}

func TestAServerTakesHeadersOf16KiB(t *testing.T) {
	t.Parallel()
	address, _, _ := servedAt(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Long", strings.Repeat("x", 15<<10))
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusNoContent {
		t.Errorf("the status is %d", response.StatusCode)
	}
}

// TestAServerEndsStreams has a stream whose client reads nothing. The server returns an error after its grace
// period.
func TestAServerEndsStreams(t *testing.T) {
	t.Parallel()
	letters := make([]spec.Letter, 10_000)
	for i := range letters {
		letters[i].Text = strings.Repeat("x", 3000)
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Letter]{Store: memory.New(letters...)})
	address, end, ended := servedAt(t, c.Handler.ServeHTTP)
	response := spec.Get(t.Context(), t, "http://"+address+"/api/letters.ndjson")
	defer response.Body.Close()
	first, err := bufio.NewReader(response.Body).ReadString('\n')
	if err != nil || !strings.HasPrefix(first, `{"id":1,`) {
		t.Fatalf("the stream begins with %.20q, %v", first, err)
	}
	end()
	if err := <-ended; err != nil {
		t.Errorf("the end is %v", err)
	}
	if rest, err := io.ReadAll(response.Body); err == nil {
		t.Errorf("the stream ends as if it were complete, after %d bytes", len(rest))
	}
}

func TestAServerWhoseListenerFailsSaysSo(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := resource.Serve(t.Context(), listener, http.NotFoundHandler()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the error is %v", err)
	}
}

func TestAURLIsNotAHost(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	err = resource.Serve(t.Context(), listener, http.NotFoundHandler(), "api.example.com", "https://shop.example.com/")
	if err == nil || err.Error() != `resource.Serve: the host is "https://shop.example.com/"; write only the name, such as api.example.com` {
		t.Errorf("the error is %v", err)
	}
	if _, err := listener.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener is open: %v", err)
	}
}
