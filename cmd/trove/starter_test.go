package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestANewProjectWorks writes a project into an empty folder and uses it as its page says: it builds and tests the program,
// prints its document and routes, starts it, and works with it as two users.
func TestANewProjectWorks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	parent := t.TempDir()
	if got := run(t, parent, "new "+source(t)+" example.com/shop"); got.status != succeeded {
		t.Fatalf("%+v", got)
	}
	folder := filepath.Join(parent, "shop")
	write(t, filepath.Join(folder, "go.sum"), read(t, root+"/go.sum")) // go mod tidy would load it from the network
	shell(t, folder, "go", "vet", ".")
	if got := shell(t, folder, "gofmt", "-l", "."); got != "" {
		t.Errorf("gofmt changes %s", got)
	}
	shell(t, folder, "go", "test", ".")
	document := run(t, folder, "openapi . -db :memory:")
	if !json.Valid([]byte(document.out)) || !strings.Contains(document.out, `"title": "Shop"`) || document.status != succeeded {
		t.Errorf("openapi: %+v", document)
	}
	if got := run(t, folder, "routes . -db :memory:"); got.status != succeeded || !strings.Contains(got.out, "\nGET     /api/notes       listNotes") {
		t.Errorf("routes: %+v", got)
	}
	if got := run(t, folder, "migrate . -db new.db"); got.status != succeeded || !strings.Contains(got.out, "wrote migrations") {
		t.Errorf("migrate: %+v", got)
	}
	if got := names(t, filepath.Join(folder, "migrations")); len(got) != 1 || !strings.HasSuffix(got[0], "_trove.sql") {
		t.Errorf("migrate writes %q", got)
	}
	if got := run(t, folder, "routes . -unknown"); got.status != failed || !strings.Contains(got.errors, "unknown flag -unknown") {
		t.Errorf("routes of a program that fails: %+v", got)
	}
	shell(t, folder, "go", "build", "-o", "program", ".")
	useProgram(t, folder)
	if _, err := os.Stat(filepath.Join(folder, "shop.db")); err != nil {
		t.Error(err)
	}
}

// shell runs a command without a network, and returns what it prints.
func shell(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOPROXY=off")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, output)
	}
	return string(output)
}

// useProgram starts the program in a folder, and works with it as ann, as bob and without credentials.
func useProgram(t *testing.T, folder string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	program := exec.CommandContext(ctx, "./program", "-addr", "127.0.0.1:0")
	program.Dir, program.Stderr = folder, t.Output()
	out, err := program.StdoutPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { stop(); _ = program.Wait() }()
	lines := bufio.NewScanner(out)
	lines.Scan()
	_, url, found := strings.Cut(lines.Text(), "http://")
	if !found {
		t.Fatalf("the program prints %q", lines.Text())
	}
	server := "http://" + strings.TrimSuffix(url, "/api")
	ann, bob, anonymous := newBrowser(t, server), newBrowser(t, server), newBrowser(t, server)
	for name, browser := range map[string]browser{"ann": ann, "bob": bob} {
		credentials := `{"username":"` + name + `","password":"correct horse battery"}`
		browser.send("POST /api/users", credentials, http.StatusCreated)
		browser.send("POST /api/login", strings.ReplaceAll(credentials, "correct", "wrong"), http.StatusUnauthorized)
		browser.send("POST /api/login", credentials, http.StatusNoContent)
	}
	ann.send("POST /api/notes", `{"title":"Groceries","text":"Milk"}`, http.StatusCreated)
	ann.send("PATCH /api/notes/1", `{"done":true}`, http.StatusOK)
	for _, request := range []string{"GET /api/notes/1", "PATCH /api/notes/1", "PUT /api/notes/1", "DELETE /api/notes/1"} {
		bob.send(request, "{}", http.StatusNotFound)
		anonymous.send(request, "{}", http.StatusUnauthorized)
	}
	if got := bob.send("GET /api/notes", "", http.StatusOK); got != "[]" {
		t.Errorf("bob sees %s", got)
	}
	if got := ann.send("GET /api/users", "", http.StatusOK); strings.Contains(got, "bob") || strings.Contains(got, "assword") {
		t.Errorf("ann sees %s", got)
	}
	for _, path := range []string{"/api/docs", "/admin"} {
		if got := anonymous.send("GET "+path, "", http.StatusOK); !strings.Contains(got, "<html") {
			t.Errorf("%s is not a page: %s", path, got)
		}
	}
	ann.send("POST /api/password", `{"current":"correct horse battery","new":"staple battery"}`, http.StatusNoContent)
	ann.send("GET /api/notes/1", "", http.StatusOK)
	ann.send("POST /api/logout", "", http.StatusNoContent)
	ann.send("GET /api/notes/1", "", http.StatusUnauthorized)
}

// browser sends requests of one user, with their cookies.
type browser struct {
	t      *testing.T
	server string
	client *http.Client
}

func newBrowser(t *testing.T, server string) browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return browser{t, server, &http.Client{Jar: localJar{jar}, Timeout: time.Minute}}
}

// localJar sends Secure cookies to the same machine without TLS, as browsers and curl do.
type localJar struct{ http.CookieJar }

func (j localJar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.CookieJar.SetCookies(&url.URL{Scheme: "https", Host: u.Host, Path: u.Path}, cookies)
}

func (j localJar) Cookies(u *url.URL) []*http.Cookie {
	return j.CookieJar.Cookies(&url.URL{Scheme: "https", Host: u.Host, Path: u.Path})
}

// send sends a request such as "GET /api/notes", checks the status, and returns the body of the response.
func (b browser) send(request, body string, want int) string {
	b.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.server+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != want {
		b.t.Errorf("%s returns %d, want %d: %s (%v)", request, response.StatusCode, want, got, err)
	}
	return string(got)
}
