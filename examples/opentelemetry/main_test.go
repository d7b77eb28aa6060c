package main

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestTheProgramWritesSpansAndMetricsWhenItEnds(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var out bytes.Buffer
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, listener, &out) }()

	address := "http://" + listener.Addr().String() + "/api/books"
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(`{"title":"Dune"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Errorf("the status is %d, want 201", response.StatusCode)
	}

	end()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`"Name":"POST /api/books"`, `"book.title.length"`, `"Name":"INSERT books"`, `"http.server.request.duration"`, `"db.client.operation.duration"`, `"bookshop"`} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the output has no %s:\n%s", text, &out)
		}
	}
}
