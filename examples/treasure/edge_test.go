package main

import (
	"net/http"
	"strings"
	"testing"
)

func TestARateThatIsTooHighIsAProblem(t *testing.T) {
	t.Parallel()
	s := startWith(t, ":memory:", "-rate", "3")
	for range 3 {
		s.send("GET /api/programmers", "").is(200)
	}
	refused := s.send("GET /api/programmers", "").is(429, "title", `"Too Many Requests"`, "status", "429")
	if refused.header.Get("Content-Type") != "application/problem+json" || refused.header.Get("Retry-After") == "" {
		t.Errorf("the header is %v", refused.header)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		s.send("GET "+path, "").is(200)
	}
}

func TestTheDocumentSaysTheRate(t *testing.T) {
	t.Parallel()
	s := startWith(t, ":memory:", "-rate", "77")
	document := s.send("GET /api/docs.json", "").is(200).body
	if !strings.Contains(document, "77 requests within a minute") || strings.Count(document, "#/components/responses/TooManyRequests") != 12 {
		t.Error("the document does not have 429 at each of the twelve operations")
	}
}

func TestPagesOfOtherOriginsAreLetInByName(t *testing.T) {
	t.Parallel()
	s := startWith(t, ":memory:", "-origins", "https://a.example,https://b.example")
	preflight := func(origin string) http.Header {
		return s.ask("OPTIONS", "/api/programmers", "", "Origin", origin, "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "content-type,if-match").is(200).header
	}
	if got := preflight("https://b.example").Get("Access-Control-Allow-Origin"); got != "https://b.example" {
		t.Errorf("a page that may is answered %q", got)
	}
	if got := preflight("https://c.example").Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("a page that may not is answered %q", got)
	}
	shown := s.ask("GET", "/api/programmers", "", "Origin", "https://a.example").is(200).header
	if !strings.Contains(shown.Get("Access-Control-Expose-Headers"), "Etag") && !strings.Contains(shown.Get("Access-Control-Expose-Headers"), "ETag") {
		t.Errorf("a page does not see the ETag: %v", shown)
	}
	if without := s.ask("OPTIONS", "/api/programmers", "").is(204).header; without.Get("Allow") == "" {
		t.Errorf("OPTIONS of the path itself is answered %v", without)
	}
}
