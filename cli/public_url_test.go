package cli_test

import (
	"context"
	"flag"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/resource"
)

func TestAProgramAcceptsItsPublicHost(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{PublicURL: "https://books.example/shop"}, resource.Of[Book]{})
	if err != nil {
		t.Fatal(err)
	}
	common := cli.Define(flag.NewFlagSet("program", flag.ContinueOnError))
	common.Addr = "127.0.0.1:0"
	ctx, end := context.WithCancel(t.Context())
	out, ended := make(lines, 1), make(chan error, 1)
	go func() { ended <- common.Run(ctx, out, api, documentation) }()
	url, _, _ := strings.Cut(strings.TrimPrefix(<-out, "API:           "), "\n")
	for host, want := range map[string]int{"books.example": http.StatusOK, "evil.example": http.StatusMisdirectedRequest} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/books", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, response.StatusCode, want)
		}
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
