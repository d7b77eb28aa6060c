package spec

import (
	"cmp"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
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

// Client sends requests to an API in the same process.
type Client struct {
	T         testing.TB
	Handler   http.Handler
	MediaType string // of bodies, "" for JSON
}

// NewClient makes an API and a client of it.
func NewClient(t testing.TB, config resource.Config, declarations ...resource.Declaration) Client {
	t.Helper()
	return Client{T: t, Handler: NewAPI(t, config, declarations...)}
}

// NewAPI compiles declarations.
func NewAPI(t testing.TB, config resource.Config, declarations ...resource.Declaration) *resource.API {
	t.Helper()
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	api, err := resource.New(config, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// Open is the rules of a resource on which everyone may do everything.
func Open() access.Rules {
	return access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
}

// OpenBut is the same, with rules for some fields.
func OpenBut(fields map[string]access.Field) access.Rules {
	rules := Open()
	rules.Fields = fields
	return rules
}

// Response is the response to a request.
type Response struct {
	T      testing.TB
	Status int
	Header http.Header
	Body   string
}

// Send sends a request: "GET /api/x", a body ("" for none), and header fields as name, value, name, value. A body has the
// media type of the client unless Content-Type is given.
func (c Client) Send(request, body string, header ...string) Response {
	c.T.Helper()
	if body == "" {
		return c.SendReader(request, nil, header...)
	}
	return c.SendReader(request, strings.NewReader(body), header...)
}

// SendReader sends a request with a body that is read from a reader, nil for none.
func (c Client) SendReader(request string, body io.Reader, header ...string) Response {
	c.T.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(c.T.Context(), method, target, body)
	if body != nil {
		r.Header.Set("Content-Type", cmp.Or(c.MediaType, "application/json"))
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return c.Do(r)
}

// Do sends a request that the test has made.
func (c Client) Do(r *http.Request) Response {
	w := httptest.NewRecorder()
	c.Handler.ServeHTTP(w, r)
	return Response{c.T, w.Code, w.Header(), w.Body.String()}
}

// Incident matches the instance of a problem, which is another one each time.
var Incident = regexp.MustCompile(`,"instance":"urn:uuid:[0-9a-f-]{36}"`)

// Is asserts the status and the body, which is compared as JSON, "" for an empty body.
func (a Response) Is(status int, body string) Response {
	a.T.Helper()
	a.HasStatus(status)
	said := Incident.ReplaceAllString(a.Body, "") // another one each time
	if got, want := Canonical(a.T, said), Canonical(a.T, body); got != want {
		a.T.Errorf("the body is\n\t%s\nwant\n\t%s", got, want)
	}
	return a
}

// HasStatus asserts the status.
func (a Response) HasStatus(status int) Response {
	a.T.Helper()
	if a.Status != status {
		a.T.Fatalf("the status is %d, want %d; the body is %s", a.Status, status, a.Body)
	}
	return a
}

// Has asserts a header field; "" asserts its absence.
func (a Response) Has(field, value string) Response {
	a.T.Helper()
	if got := a.Header[http.CanonicalHeaderKey(field)]; len(got) > 1 || a.Header.Get(field) != value {
		a.T.Errorf("%s is %q, want %q", field, got, value)
	}
	return a
}

// Mentions asserts that the body has each of the texts in it.
func (a Response) Mentions(texts ...string) Response {
	a.T.Helper()
	for _, text := range texts {
		if !strings.Contains(a.Body, text) {
			a.T.Errorf("the body does not mention %q: %s", text, a.Body)
		}
	}
	return a
}

// IsProblem asserts a problem (RFC 9457) with that status.
func (a Response) IsProblem(status int) Response {
	a.T.Helper()
	a.HasStatus(status).Has("Content-Type", "application/problem+json")
	var problem struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
	}
	if err := json.Unmarshal([]byte(a.Body), &problem); err != nil {
		a.T.Fatalf("the problem is not JSON: %v: %s", err, a.Body)
	}
	if problem.Status != status || problem.Type == "" || problem.Title == "" {
		a.T.Errorf("the problem is %s, want type, title and the status %d", a.Body, status)
	}
	return a
}

// IsInvalid asserts a validation error with one message for each field, given as pairs of field and message.
func (a Response) IsInvalid(fields ...string) {
	a.T.Helper()
	errors := map[string]string{}
	for i := 0; i+1 < len(fields); i += 2 {
		errors[fields[i]] = fields[i+1]
	}
	want, err := json.Marshal(map[string]any{
		"type": "validation_error", "title": "There was a validation error", "errors": errors,
	})
	if err != nil {
		a.T.Fatal(err)
	}
	a.Has("Content-Type", "application/problem+json").Is(http.StatusBadRequest, string(want))
}

// Canonical returns a JSON text in one form.
func Canonical(t testing.TB, text string) string {
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

// CanonicalString returns text as a JSON string.
func CanonicalString(text string) string {
	quoted, _ := jsontext.AppendQuote(nil, text)
	return string(quoted)
}
