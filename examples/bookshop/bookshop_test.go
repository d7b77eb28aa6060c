package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadmeProgramRunsInItsOwnModule(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program of a module of its own")
	}
	base := serve(t, programOfReadme(t, "examples/bookshop/main.go"))
	dune := `{"id":1,"title":"Dune","year":1965,"price":null}`
	steps := []struct {
		name, method, path, body string
		want                     response
	}{
		{"the collection is empty", http.MethodGet, "/api/books", "", response{200, "", `[]`}},
		{"a book is created", http.MethodPost, "/api/books", `{"title":"Dune","year":1965}`, response{201, "/api/books/1", dune}},
		{"the book is read", http.MethodGet, "/api/books/1", "", response{200, "", dune}},
		{"a wrong year is rejected", http.MethodPost, "/api/books", `{"title":"Dune","year":65}`, response{
			400, "", `{"type":"validation_error","title":"There was a validation error","errors":{"year":"year must be at least 1450"}}`,
		}},
		{"the collection has the one book", http.MethodGet, "/api/books", "", response{200, "", `[` + dune + `]`}},
	}
	for _, step := range steps {
		got := send(t, step.method, base+step.path, step.body)
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Fatalf("%s: the response differs (-want +got):\n%s", step.name, diff)
		}
	}
	if paths := documentedPaths(t, base); len(paths) != 2 || paths["/api/books"] == nil || paths["/api/books/{id}"] == nil {
		t.Errorf("the document has the paths %v, want /api/books and /api/books/{id}", paths)
	}
}

type response struct {
	Status         int
	Location, Body string
}

func send(t *testing.T, method, url, body string) response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{resp.StatusCode, resp.Header.Get("Location"), strings.TrimSpace(string(text))}
}

func documentedPaths(t *testing.T, base string) map[string]any {
	t.Helper()
	var document struct {
		Paths map[string]any `json:"paths"`
	}
	text := send(t, http.MethodGet, base+"/api/docs.json", "").Body
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return document.Paths
}

// root is the module's root, seen from this package.
const root = "../.."

func TestReadmeShowsThePrograms(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"examples/bookshop/main.go", "examples/notes/main.go"} {
		program, err := os.ReadFile(root + "/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(program), programOfReadme(t, file)); diff != "" {
			t.Errorf("README.md differs from %s (-file +README.md):\n%s", file, diff)
		}
	}
}

// programOfReadme returns the Go block of README.md that a comment says is the file.
func programOfReadme(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, opened := strings.Cut(string(text), "<!-- code: "+file+" -->\n```go\n")
	program, _, closed := strings.Cut(rest, "```\n")
	if !opened || !closed {
		t.Fatalf("README.md has no Go block of %s", file)
	}
	return program
}
