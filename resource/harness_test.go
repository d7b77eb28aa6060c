package resource_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
)

// DragonTreasure is the resource of most tests.
type DragonTreasure struct {
	ID          int64     `json:"id" api:"id"`
	Name        string    `json:"name" validate:"notblank,min=2,max=50"`
	Description *string   `json:"description"`
	Value       int       `json:"value" validate:"gte=0"`
	CoolFactor  *int      `json:"coolFactor" validate:"omitempty,gte=0,lte=10"`
	IsPublished bool      `json:"isPublished"`
	PlunderedAt time.Time `json:"plunderedAt" api:"readonly"`
}

// Programmer is a resource with an identifier of the client's.
type Programmer struct {
	Nickname     string `json:"nickname" api:"id" validate:"notblank" message:"notblank: Please enter a nickname"`
	AvatarNumber int    `json:"avatarNumber"`
	TagLine      string `json:"tagLine"`
	UserID       int64  `json:"userId" api:"readonly"`
}

// client sends requests to an API in the same process.
type client struct {
	t       testing.TB
	handler http.Handler
}

func newClient(t testing.TB, config resource.Config, declarations ...resource.Declaration) client {
	t.Helper()
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	api, err := resource.New(config, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return client{t, api}
}

// open is the rules of a resource on which everyone may do everything.
func open() access.Rules {
	return access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
}

// openBut is the same, with rules for some fields.
func openBut(fields map[string]access.Member) access.Rules {
	rules := open()
	rules.Members = fields
	return rules
}

// answer is what a request was answered with.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

// send sends a request: "GET /api/x", a body ("" for none), and header fields as name,
// value, name, value. A body is JSON unless Content-Type is given.
func (c client) send(request, body string, header ...string) answer {
	c.t.Helper()
	method, target, _ := strings.Cut(request, " ")
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(c.t.Context(), method, target, reader)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return answer{c.t, w.Code, w.Header(), w.Body.String()}
}

// is asserts the status and the body, which is compared as JSON. An empty body stands
// for none.
var incident = regexp.MustCompile(`,"instance":"urn:uuid:[0-9a-f-]{36}"`)

func (a answer) is(status int, body string) answer {
	a.t.Helper()
	a.hasStatus(status)
	said := incident.ReplaceAllString(a.body, "") // another one each time
	if got, want := canonical(a.t, said), canonical(a.t, body); got != want {
		a.t.Errorf("the body is\n\t%s\nwant\n\t%s", got, want)
	}
	return a
}

func (a answer) hasStatus(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("the status is %d, want %d; the body is %s", a.status, status, a.body)
	}
	return a
}

// has asserts a header field; "" asserts that there is none.
func (a answer) has(field, value string) answer {
	a.t.Helper()
	if got := a.header[http.CanonicalHeaderKey(field)]; len(got) > 1 || a.header.Get(field) != value {
		a.t.Errorf("%s is %q, want %q", field, got, value)
	}
	return a
}

// mentions asserts that the body has each of the texts in it.
func (a answer) mentions(texts ...string) answer {
	a.t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			a.t.Errorf("the body does not mention %q: %s", text, a.body)
		}
	}
	return a
}

// isProblem asserts a problem (RFC 9457) with that status.
func (a answer) isProblem(status int) answer {
	a.t.Helper()
	a.hasStatus(status).has("Content-Type", "application/problem+json")
	var problem struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
	}
	if err := json.Unmarshal([]byte(a.body), &problem); err != nil {
		a.t.Fatalf("the problem is not JSON: %v: %s", err, a.body)
	}
	if problem.Status != status || problem.Type == "" || problem.Title == "" {
		a.t.Errorf("the problem is %s, want type, title and the status %d", a.body, status)
	}
	return a
}

// isInvalid asserts the answer to a body that is not valid, with one message for each
// field given as name, message, name, message.
func (a answer) isInvalid(fields ...string) {
	a.t.Helper()
	errors := map[string]string{}
	for i := 0; i+1 < len(fields); i += 2 {
		errors[fields[i]] = fields[i+1]
	}
	want, err := json.Marshal(map[string]any{
		"type": "validation_error", "title": "There was a validation error", "errors": errors,
	})
	if err != nil {
		a.t.Fatal(err)
	}
	a.has("Content-Type", "application/problem+json").is(http.StatusBadRequest, string(want))
}

func canonical(t testing.TB, text string) string {
	t.Helper()
	if text == "" {
		return ""
	}
	value := jsontext.Value(text)
	if err := value.Canonicalize(); err != nil {
		t.Fatalf("not JSON: %v: %s", err, text)
	}
	return string(value)
}

// slowBody is a body that stops in its middle until it is told to go on.
type slowBody struct {
	first, rest io.Reader
	reached, on chan struct{}
	waited      bool
}

func newSlowBody(first, rest string) *slowBody {
	return &slowBody{
		first: strings.NewReader(first), rest: strings.NewReader(rest),
		reached: make(chan struct{}), on: make(chan struct{}),
	}
}

func (b *slowBody) Read(p []byte) (int, error) {
	if n, err := b.first.Read(p); err == nil {
		return n, nil
	}
	if !b.waited {
		b.waited = true
		close(b.reached)
		<-b.on
	}
	return b.rest.Read(p)
}

// awaitRead waits until the first half has been read.
func (b *slowBody) awaitRead() { <-b.reached }

func (b *slowBody) finish() { close(b.on) }

// sendReader sends a JSON body of unknown length.
func (c client) sendReader(request string, body io.Reader) answer {
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(c.t.Context(), method, target, body)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return answer{c.t, w.Code, w.Header(), w.Body.String()}
}

// canonicalString returns text as a JSON string.
func canonicalString(text string) string {
	quoted, _ := jsontext.AppendQuote(nil, text)
	return string(quoted)
}

// sendURL sends a request without a body to a URL that need not be well formed.
func (c client) sendURL(method string, target *url.URL) answer {
	r := (&http.Request{Method: method, URL: target, Header: http.Header{}}).WithContext(c.t.Context())
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return answer{c.t, w.Code, w.Header(), w.Body.String()}
}
