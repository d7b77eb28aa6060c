package serve_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

var incident = regexp.MustCompile(`^urn:uuid:[0-9a-f-]{36}$`)

// TestEveryErrorIsTranslatedInOnePlace returns each kind of error from a handler.
func TestEveryErrorIsTranslatedInOnePlace(t *testing.T) {
	t.Parallel()
	const secret = "the vault of ada-secret is shut"
	errDomain := errors.New("a domain error")
	tests := map[string]struct {
		err    error // nil panics
		status int
		title  string
		detail string
		more   map[string]string // header fields
		logged bool              // it is the service's fault
		warned bool              // it is in the log, but not an incident
	}{
		"a user's error":               {err: operation.Error{Status: 418, Type: "/teapot", Title: "Teapot", Detail: "Short and stout."}, status: 418, title: "Teapot", detail: "Short and stout."},
		"a user's error, wrapped":      {err: fmt.Errorf("pouring: %w", operation.Error{Status: 409, Detail: "It is full."}), status: 409, title: "Conflict", detail: "It is full."},
		"a user's 401":                 {err: operation.Error{Status: 401, Detail: "Not you."}, status: 401, title: "Unauthorized", detail: "Not you.", more: map[string]string{"WWW-Authenticate": `Bearer realm="token"`}},
		"a user's 503 hides its words": {err: operation.Error{Status: 503, Detail: secret}, status: 503, title: "Service Unavailable", logged: true},
		"a user's error of no status":  {err: operation.Error{Detail: secret}, status: 500, title: "Internal Server Error", logged: true},
		"a user's error of a success":  {err: operation.Error{Status: 204, Detail: secret}, status: 500, title: "Internal Server Error", logged: true},
		"a missing record":             {err: store.ErrNotFound, status: 404, title: "Not Found", detail: "The coin does not exist."},
		"a missing record, wrapped":    {err: fmt.Errorf("%w: %s", store.ErrNotFound, secret), status: 404, title: "Not Found", detail: "The coin does not exist."},
		"a conflict":                   {err: fmt.Errorf("%w: %s", store.ErrConflict, secret), status: 409, title: "Conflict", detail: "The record was changed meanwhile. Reload it and try again."},
		"a rule of the database":       {err: fmt.Errorf("%w: %s", store.ErrConstraint, secret), status: 409, title: "Conflict", detail: "The change conflicts with a rule of the database.", warned: true},
		"a reference of a hook":        {err: store.ReferenceError{Field: secret}, status: 409, title: "Conflict", detail: "The change conflicts with another record."},
		"a taken value":                {err: store.UniqueError{Field: "name"}, status: 409, title: "Conflict", detail: "name is already in use."},
		"a taken value with a message": {err: store.UniqueError{Field: "mint"}, status: 409, title: "Conflict", detail: "This mint is known"},
		"a store out of reach":         {err: fmt.Errorf("%w: %s", store.ErrUnavailable, secret), status: 503, title: "Service Unavailable", detail: "The data store is unavailable. Try again later.", more: map[string]string{"Retry-After": "1"}, logged: true},
		"a deadline of the hook's own": {err: context.DeadlineExceeded, status: 500, title: "Internal Server Error", logged: true},
		"anything else":                {err: errors.New(secret), status: 500, title: "Internal Server Error", logged: true},
		"what MapError knows":          {err: fmt.Errorf("%w: %s", errDomain, secret), status: 402, title: "Payment Required", detail: "Pay."},
		"a panic":                      {status: 500, title: "Internal Server Error", logged: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			coins := failing(func(context.Context) error {
				if test.err == nil {
					panic(secret)
				}
				return test.err
			})
			coins.Access = access.Rules{Read: access.Public, Create: access.Public}
			b := newBench(t, resource.Config{
				Authentication: []access.Scheme{access.Bearer("token", authenticate)},
				MapError: func(err error) error {
					if errors.Is(err, errDomain) {
						return operation.Error{Status: 402, Detail: "Pay."}
					}
					return nil
				},
			}, coins)
			w := b.send("mint", "/api/mint", "")
			found := b.problemOf(w)
			kind := "about:blank"
			if own := (operation.Error{}); errors.As(test.err, &own) && own.Type != "" {
				kind = own.Type
			}
			detail, _ := found["detail"].(string)
			if w.Code != test.status || found["status"] != float64(test.status) || found["type"] != kind || found["title"] != test.title || detail != test.detail {
				t.Errorf("the response is %d %s, want %d, %q, %q", w.Code, w.Body, test.status, test.title, test.detail)
			}
			checkError(t, w)
			for field, value := range test.more {
				if w.Header().Get(field) != value {
					t.Errorf("%s is %q, want %q", field, w.Header().Get(field), value)
				}
			}
			if strings.Contains(w.Body.String(), "secret") {
				t.Errorf("the body tells the cause: %s", w.Body)
			}
			instance, _ := found["instance"].(string)
			if test.logged != incident.MatchString(instance) {
				t.Errorf("the instance is %q, logged: %v", instance, test.logged)
			}
			isLogged := instance != "" && strings.Contains(b.log.String(), strings.TrimPrefix(instance, "urn:uuid:"))
			if test.logged != isLogged || !test.logged && test.warned != (b.log.Len() > 0) {
				t.Errorf("the log is %s, want an entry: %v", b.log, test.logged)
			}
		})
	}
}

// checkError checks what all errors have in common.
func checkError(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	want := map[string]string{
		"Content-Type": "application/problem+json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Content-Length": strconv.Itoa(w.Body.Len()), "Etag": "", "Location": "", "Last-Modified": "",
	}
	for name, value := range want {
		if got := w.Header().Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
}

func TestBrokenRulesAreNamedInEitherShape(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		shape  validation.Shape
		status int
		body   string
	}{
		"as a map":     {validation.Map, 400, `{"type":"validation_error","title":"There was a validation error","errors":{"name":"Too shiny"}}`},
		"as a problem": {validation.Problem, 422, `{"type":"validation_error","title":"There was a validation error","status":422,"violations":[{"pointer":"/name","code":"invalid","message":"Too shiny"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, resource.Config{Errors: test.shape}, failing(func(context.Context) error { return validation.Fail("name", "Too shiny") }))
			w := b.send("mint", "/api/mint", "")
			if b.is(w, test.status); w.Body.String() != test.body {
				t.Errorf("the body is %s, want %s", w.Body, test.body)
			}
			checkError(t, w)
		})
	}
}

func TestCredentialsThatDoNotHold(t *testing.T) {
	t.Parallel()
	config, coins := guarded(resource.Of[Coin]{})
	config.Authentication = append(config.Authentication, access.Basic("login", func(context.Context, string, string) (*collector, access.Scopes, error) {
		return nil, nil, access.ErrCredentials
	}), access.APIKey("key", "X-Key", authenticate))
	const ask = `Bearer realm="token"|Basic realm="login", charset="UTF-8"|ApiKey realm="key"`
	const invalid = `Bearer realm="token", error="invalid_token"|Basic realm="login", charset="UTF-8"|ApiKey realm="key"`
	for name, test := range map[string]struct {
		fields    []string
		status    int
		challenge string
	}{
		"none at all":              {nil, 401, ask},
		"an unknown token":         {[]string{"Authorization", "Bearer zzz"}, 401, invalid},
		"a malformed token":        {[]string{"Authorization", "Bearer a b"}, 401, invalid},
		"an unknown word":          {[]string{"Authorization", "Digest x"}, 401, ask},
		"an empty field":           {[]string{"Authorization", ""}, 401, ask},
		"a wrong password":         {[]string{"Authorization", "Basic QWRhOng="}, 401, ask},
		"no password at all":       {[]string{"Authorization", "Basic QWRh"}, 401, ask},
		"an unknown key":           {[]string{"X-Key", "zzz"}, 401, ask},
		"a scheme out of reach":    {[]string{"Authorization", "Bearer broken"}, 503, ""},
		"a scheme without an end":  {[]string{"Authorization", "Bearer nothing"}, 500, ""},
		"a token, and a good one":  {[]string{"Authorization", "Bearer Ada"}, 403, ""}, // of an owner who may not give it away
		"a key in place of tokens": {[]string{"X-Key", "Ada"}, 403, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, config, coins)
			w := b.send("POST", "/api/coins", `{"name":"Florin","owner":"Bob"}`, test.fields...)
			if got := strings.Join(w.Header().Values("WWW-Authenticate"), "|"); w.Code != test.status || got != test.challenge {
				t.Errorf("the response is %d with %q, want %d with %q: %s", w.Code, got, test.status, test.challenge, w.Body)
			}
			checkError(t, w)
			if strings.Contains(w.Body.String(), "secret") {
				t.Errorf("the body tells why: %s", w.Body)
			}
		})
	}
}

func TestCredentialsTwiceAreRejected(t *testing.T) {
	t.Parallel()
	config, coins := guarded(resource.Of[Coin]{})
	b := newBench(t, config, coins)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/coins/1", http.NoBody)
	r.Header["Authorization"] = []string{"Bearer Ada", "Bearer Bob"}
	w := httptest.NewRecorder()
	b.servers["GET"].ServeHTTP(w, r)
	if want := `Bearer realm="token", error="invalid_request"`; w.Code != 400 || w.Header().Get("WWW-Authenticate") != want {
		t.Errorf("the response is %d %v", w.Code, w.Header())
	}
}

// strict is a writer that takes one status, and nothing before it.
type strict struct {
	*httptest.ResponseRecorder

	t     *testing.T
	begun bool
}

func (s *strict) WriteHeader(status int) {
	if s.begun {
		s.t.Errorf("a second status, %d, is sent", status)
	}
	s.begun = true
	s.ResponseRecorder.WriteHeader(status)
}

func (s *strict) Write(text []byte) (int, error) {
	if !s.begun {
		s.t.Errorf("%q is sent before the status", text)
	}
	return s.ResponseRecorder.Write(text)
}

// Stamp cannot be written if it says so.
type Stamp string

// MarshalText fails for a stamp that is torn.
func (s Stamp) MarshalText() ([]byte, error) {
	if s == "torn" {
		return nil, errors.New("a torn stamp has no text")
	}
	return []byte(s), nil
}

// UnmarshalText reads a stamp.
func (s *Stamp) UnmarshalText(text []byte) error {
	*s = Stamp(text)
	return nil
}

func TestNothingIsSentOrSavedBeforeAnError(t *testing.T) {
	t.Parallel()
	coins := memory.New(Coin{Name: "Ducat"})
	type shown struct {
		Name  string `json:"name"`
		Stamp Stamp  `json:"stamp"`
	}
	b := newBench(t, resource.Config{}, resource.Of[Coin]{
		Store: coins,
		Prepare: func(_ context.Context, req *operation.Request, _ *Coin) error {
			req.ResponseHeader.Set("X-Late", "yes")
			return nil
		},
		Output: operation.Output(func(_ context.Context, c *Coin) (shown, error) { return shown{c.Name, Stamp(c.Mint)}, nil }),
	})
	for name, test := range map[string]struct{ operation, target, body string }{
		"a Post":  {"POST", "/api/coins", `{"name":"Florin","mint":"torn"}`},
		"a Patch": {"PATCH", "/api/coins/1", `{"mint":"torn"}`},
	} {
		w := &strict{ResponseRecorder: httptest.NewRecorder(), t: t}
		b.serve(w, test.operation, test.target, test.body)
		b.is(w.ResponseRecorder, 500)
		checkError(t, w.ResponseRecorder)
		if w.Header().Get("X-Late") != "" || w.Header().Get("Content-Location") != "" || strings.Contains(w.Body.String(), "Florin") {
			t.Errorf("%s: the error has something of the success: %v %s", name, w.Header(), w.Body)
		}
	}
	page, err := coins.List(t.Context(), store.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*Coin{{ID: 1, Name: "Ducat"}}, page.Items); diff != "" {
		t.Errorf("what could not be sent is saved (-want +got):\n%s", diff)
	}
}

func TestAHandlerCanDropTheConnection(t *testing.T) {
	t.Parallel()
	b := newBench(t, resource.Config{}, failing(func(context.Context) error { panic(http.ErrAbortHandler) }))
	defer func() {
		if cause := recover(); cause != http.ErrAbortHandler { //nolint:errorlint // as net/http compares it
			t.Errorf("what is left of the panic is %v", cause)
		}
		if b.log.Len() > 0 {
			t.Errorf("it is logged as a fault: %s", b.log)
		}
	}()
	b.send("mint", "/api/mint", "")
}
