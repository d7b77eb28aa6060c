package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/openapi/openapitest"
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

const treasuresPath = "/api/dragon_treasures"

func TestTreasuresCanBeCreatedReadUpdatedAndDeleted(t *testing.T) {
	t.Parallel()
	s := start(t)
	if list := s.send("GET "+treasuresPath, "").is(200); list.header.Get("X-Total-Count") != "12" {
		t.Errorf("the service begins with %s treasures, want twelve", list.header.Get("X-Total-Count"))
	}
	s.send("GET "+treasuresPath+".json", "").is(200)

	created := s.send("POST "+treasuresPath, `{"name":"Mirror","value":7,"plunderedAt":"1999-01-01T00:00:00Z"}`).
		is(201, "id", "13", "name", `"Mirror"`, "description", "null", "value", "7", "coolFactor", "null", "isPublished", "false")
	at, err := time.Parse(`"`+time.RFC3339Nano+`"`, created.field("plunderedAt"))
	if err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("plunderedAt is %v (%v), want the time of the request", at, err)
	}
	location := created.header.Get("Location")
	if location != treasuresPath+"/13" {
		t.Errorf("Location is %q", location)
	}
	plundered := created.field("plunderedAt")

	s.send("GET "+location, "").is(200, "name", `"Mirror"`)
	s.send("GET "+location+".json", "").is(200, "name", `"Mirror"`)
	s.send("PUT "+location, `{"coolFactor":9}`).is(200, "name", `"Mirror"`, "coolFactor", "9", "plunderedAt", plundered)
	s.send("PATCH "+location, `{"coolFactor":null,"isPublished":true,"value":0}`).
		is(200, "coolFactor", "null", "isPublished", "true", "value", "0", "name", `"Mirror"`)
	if gone := s.send("DELETE "+location, "").is(204); gone.body != "" {
		t.Errorf("Delete answers %q, want no data", gone.body)
	}
	s.send("GET "+location, "").is(404, "status", "404")
	s.send("PATCH "+location, `{}`).is(404)
	s.send("PUT "+location, `{}`).is(404)
	s.send("DELETE "+location, "").is(404)
}

const (
	programmersPath = "/api/programmers"
	enterNickname   = `{"nickname":"Please enter a nickname"}`
)

func TestProgrammersCanBeCreatedReadUpdatedAndDeleted(t *testing.T) {
	t.Parallel()
	s := start(t)
	created := s.send("POST "+programmersPath, `{"nickname":"grace","avatarNumber":5,"tagLine":"Hi","userId":99}`).
		is(201, "nickname", `"grace"`, "avatarNumber", "5", "tagLine", `"Hi"`, "userId", "1")
	if location := created.header.Get("Location"); location != programmersPath+"/grace" {
		t.Errorf("Location is %q", location)
	}
	s.send("PUT "+programmersPath+"/grace", `{"nickname":"grace","avatarNumber":6,"userId":99}`).
		is(200, "avatarNumber", "6", "tagLine", `""`, "userId", "1")
	s.send("PATCH "+programmersPath+"/grace", `{"tagLine":"Ho"}`).is(200, "avatarNumber", "6", "tagLine", `"Ho"`, "userId", "1")
	s.send("GET "+programmersPath+"/grace.json", "").is(200, "tagLine", `"Ho"`)
	s.send("DELETE "+programmersPath+"/grace", "").is(204)
	s.send("GET "+programmersPath+"/grace", "").is(404)
}

func TestANicknameIsRequiredAndNotBlank(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.send("POST "+programmersPath, `{"nickname":"ada","avatarNumber":1}`).is(201)
	for _, body := range []string{
		`{"avatarNumber":5}`, `{"nickname":"","avatarNumber":5}`, `{"nickname":"  \t","avatarNumber":5}`, `{"nickname":null,"avatarNumber":5}`,
	} {
		for _, request := range []string{"POST " + programmersPath, "PUT " + programmersPath + "/ada"} {
			refused := s.send(request, body).
				is(400, "type", `"validation_error"`, "title", `"There was a validation error"`, "errors", enterNickname)
			if got := refused.header.Get("Content-Type"); got != "application/problem+json" {
				t.Errorf("Content-Type is %q", got)
			}
		}
	}
	s.send("PATCH "+programmersPath+"/ada", `{"nickname":" "}`).is(400, "errors", enterNickname)
	s.send("GET "+programmersPath+"/ada", "").is(200, "avatarNumber", "1")
}

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
		t.Errorf("a page that may read sees %q", got)
	}
	if got := preflight("https://c.example").Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("a page that may not read sees %q", got)
	}
	shown := s.ask("GET", "/api/programmers", "", "Origin", "https://a.example").is(200).header
	if !strings.Contains(shown.Get("Access-Control-Expose-Headers"), "Etag") && !strings.Contains(shown.Get("Access-Control-Expose-Headers"), "ETag") {
		t.Errorf("a page does not see the ETag: %v", shown)
	}
	if without := s.ask("OPTIONS", "/api/programmers", "").is(204).header; without.Get("Allow") == "" {
		t.Errorf("OPTIONS of the path itself returns %v", without)
	}
}

var _ = flag.Bool("update", false, "write the golden files anew")

func TestTheServiceIsAsItsDocumentSays(t *testing.T) {
	t.Parallel()
	db, err := open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	api, err := newAPI(db, 0)
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(1000))
	openapitest.Golden(t, api, "testdata/openapi.json")
}

func TestHelpIsNotAnErrorAndErrorsAreReportedOnce(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"-h", "-help", "--help"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{flag}, &out); err != nil {
			t.Errorf("%s ends with %v", flag, err)
		}
		for _, want := range []string{"Usage of treasure:", "-addr", "-db", "-routes"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s prints %s, which does not have %s", flag, out.String(), want)
			}
		}
	}
	for flag, want := range map[string]string{"-openapi": "/api/programmers/{nickname}", "-routes": "deleteProgrammer"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{flag}, &out); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s ends with %v and prints %s, which does not have %s", flag, err, out.String(), want)
		}
	}
	for arguments, want := range map[string]string{
		"-adr":     `unknown flag -adr; did you mean "-addr"?; -h lists the flags`,
		"-rate=x":  `invalid value "x" for flag -rate: parse error; -h lists the flags`,
		"serve -h": `unexpected argument "serve"; -h lists the flags`,
	} {
		if err := run(t.Context(), strings.Fields(arguments), io.Discard); err == nil || err.Error() != want {
			t.Errorf("%s ends with %v, want %s", arguments, err, want)
		}
	}
}
