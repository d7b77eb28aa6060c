package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestTheFirstAdminSignsInWithThePasswordThatIsPrinted(t *testing.T) {
	t.Parallel()
	h, err := open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.db.Close() })
	h.accounts.Hasher = cheap
	var out bytes.Buffer
	if err := h.begin(t.Context(), false, "smaug@example.com", &out); err != nil {
		t.Fatal(err)
	}
	email, password := "", ""
	if _, err := fmt.Sscanf(out.String(), "Password of %s %s", &email, &password); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	out.Reset()
	if err := h.begin(t.Context(), false, "other@example.com", &out); err != nil || out.Len() > 0 {
		t.Errorf("a second time: %v, %s", err, &out)
	}
	if err := h.begin(t.Context(), true, "", io.Discard); err != nil {
		t.Error(err)
	}
	c := serveHoard(t, h)
	login := c.send("POST /api/login", `{"email":"smaug@example.com","password":"`+password+`"}`).is(204).has("Location", "/api/users/1")
	secret, _, _ := strings.Cut(strings.TrimPrefix(login.header.Get("Set-Cookie"), cookieName+"="), ";")
	c.in(secret).send("GET /api/users/1", "").is(200, `"roles":["admin"]`, `"username":"smaug"`)
	c.send("GET /api/users", "").is(200).has("X-Total-Count", "1") // the demo is for an empty database
	c.send("GET "+treasures, "").is(200, "[]")
}

func TestWhatIsPrinted(t *testing.T) {
	t.Parallel()
	var document, routes bytes.Buffer
	if err := run(t.Context(), []string{"-openapi"}, &document, io.Discard); err != nil || !json.Valid(document.Bytes()) {
		t.Errorf("-openapi: %v", err)
	}
	if err := run(t.Context(), []string{"-routes"}, &routes, io.Discard); err != nil || !strings.Contains(routes.String(), "/api/quests/{date}") {
		t.Errorf("-routes: %v: %s", err, &routes)
	}
	for name, want := range map[string]string{"": "the path is empty", "postgres://nobody:secret@127.0.0.1:1/none": "cannot connect"} {
		if err := run(t.Context(), []string{"-db", name}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-db %s: %v, want %s", name, err, want)
		}
	}
	if err := run(t.Context(), []string{"all", "-openapi"}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), `"all"`) {
		t.Errorf("all -openapi: %v, want it to name what is no flag", err) // flags after it are not parsed
	}
}

// lines hands on what is written, line by line.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		l <- line
	}
	return len(p), nil
}

func TestRequestsAreLoggedIfAFlagSaysSo(t *testing.T) {
	t.Parallel()
	ctx, end := context.WithCancel(t.Context())
	t.Cleanup(end)
	out, logs, ended := make(lines, 8), make(lines, 8), make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-demo", "-log", "-addr", "127.0.0.1:0", "-db", ":memory:"}, out, logs)
	}()
	base := ""
	for base == "" {
		select {
		case line := <-out:
			if _, docs, ok := strings.Cut(line, "Documentation: "); ok {
				base = strings.TrimSuffix(strings.TrimSpace(docs), "/api/docs")
			}
		case err := <-ended:
			t.Fatal(err)
		}
	}
	c := client{t: t, base: base}
	c.as("demo-ann").send("GET /api/users/1", "").is(200)
	line := <-logs
	for _, want := range []string{"operation=getUser", "status=200", "route=/api/users/{id}"} {
		if !strings.Contains(line, want) {
			t.Errorf("the log has %s, want %s", line, want)
		}
	}
	if strings.Contains(line, "demo-ann") {
		t.Errorf("the log has the token: %s", line)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
