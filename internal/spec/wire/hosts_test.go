package wire_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/resource"
)

// post sends a change with a Host to a program, and returns the status.
func post(t *testing.T, address, host, path, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got := response.Header.Get("Content-Type"); response.StatusCode == http.StatusMisdirectedRequest && got != "application/problem+json" {
		t.Errorf("the error has the type %s", got)
	}
	return response.StatusCode
}

// A page can let its own name resolve to a loopback address. Its requests then come from the same origin.
func TestAProgramOnLoopbackAcceptsOnlyItsOwnNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		listen   string
		hosts    []string
		accepted string
		rejected string
	}{
		{
			"127.0.0.1:0", nil, "localhost localhost:1 LOCALHOST. shop.localhost:80 127.0.0.1 127.8.9.10:80 [::1]:80 [::1]",
			"evil.example evil.example:80 localhost.evil.example notlocalhost 127.0.0.1.evil.example 192.0.2.1 0.0.0.0 shop.example",
		},
		{"[::1]:0", []string{"shop.example"}, "localhost shop.example SHOP.example:443", "evil.example www.shop.example"},
		{"127.0.0.1:0", []string{"*"}, "localhost evil.example", ""},
		{"0.0.0.0:0", nil, "localhost evil.example 192.0.2.1:80", ""},
	} {
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", test.listen)
		if err != nil {
			t.Skipf("the machine has no address such as %s: %v", test.listen, err)
		}
		api, err := resource.New(resource.Config{}, resource.Of[spec.Vessel]{})
		if err == nil {
			err = mcp.Mount(api, mcp.Config{})
		}
		if err != nil {
			t.Fatal(err)
		}
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- resource.Serve(ctx, listener, api, test.hosts...) }()
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		address := net.JoinHostPort(strings.Trim(strings.TrimSuffix(strings.Replace(test.listen, "0.0.0.0", "127.0.0.1", 1), ":0"), "[]"), port)
		for want, names := range map[int]string{http.StatusCreated: test.accepted, http.StatusMisdirectedRequest: test.rejected} {
			for host := range strings.FieldsSeq(names) {
				if got := post(t, address, host, "/api/vessels", `{"name":"Argo"}`); got != want {
					t.Errorf("%s with %q: the host %s gets %d, want %d", test.listen, test.hosts, host, got, want)
				}
			}
		}
		if len(test.hosts) > 0 { // it is a name for agents too
			if got := post(t, address, "shop.example", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); got != http.StatusOK {
				t.Errorf("%s with %q: an agent gets %d", test.listen, test.hosts, got)
			}
		}
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
