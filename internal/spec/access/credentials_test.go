package access_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// gatehouse is an API with a scheme of each sort.
func gatehouse(t *testing.T, log *bytes.Buffer, schemes ...access.Scheme) spec.Client {
	t.Helper()
	anybody := func(_ context.Context, secret string) (*spec.Captain, access.Scopes, error) {
		if spec.Captains[secret] == nil {
			return nil, nil, access.ErrCredentials
		}
		return spec.Captains[secret], access.Unlimited, nil
	}
	if schemes == nil {
		schemes = []access.Scheme{
			spec.Bearer(),
			access.Basic("login", func(_ context.Context, name, password string) (*spec.Captain, access.Scopes, error) {
				if password != "secret:"+name {
					return nil, nil, access.ErrCredentials
				}
				return spec.Captains[name], access.Unlimited, nil
			}),
			access.APIKey("key", "X-API-Key", anybody),
			access.Cookie("session", "sid", anybody),
		}
	}
	whoami := func(ctx context.Context, _ *spec.Captain, _ struct{}) (spec.Captain, error) {
		req, _ := operation.RequestFrom(ctx)
		if req.Principal == nil {
			return spec.Captain{Name: "nobody"}, nil
		}
		if req.Principal != operation.PrincipalFrom(ctx) {
			t.Errorf("the context has the principal %v", operation.PrincipalFrom(ctx))
		}
		return *req.Principal.(*spec.Captain), nil
	}
	return spec.NewClient(t, resource.Config{Authentication: schemes, Logger: slog.New(slog.NewTextHandler(log, nil))}, resource.Of[spec.Captain]{
		Operations: []operation.Operation{
			operation.Get{Name: "who", URITemplate: "/who", Handler: operation.Handle(whoami), Access: access.Public},
			operation.Post{Name: "wave", URITemplate: "/wave", Handler: operation.Handle(whoami), Access: access.Authenticated},
		},
	})
}

func basic(text string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(text)) }

func TestSchemesIdentifyTheCaller(t *testing.T) {
	t.Parallel()
	c := gatehouse(t, &bytes.Buffer{})
	for name, test := range map[string]struct {
		want   string
		header []string
	}{
		"nobody":                   {"nobody", nil},
		"a token":                  {"ann", []string{"Authorization", "Bearer ann"}},
		"any case of the scheme":   {"ann", []string{"Authorization", "bEARER ann"}},
		"a name and a password":    {"bob", []string{"Authorization", basic("bob:secret:bob")}},
		"a key":                    {"root", []string{"X-API-Key", "root"}},
		"a cookie":                 {"ann", []string{"Cookie", "a=b; sid=ann; c=d"}},
		"the first scheme of two":  {"ann", []string{"Cookie", "sid=bob", "Authorization", "Bearer ann"}},
		"other cookies are passed": {"nobody", []string{"Cookie", "side=ann"}},
	} {
		t.Run(name, func(*testing.T) {
			c.Send("GET /api/who", "", test.header...).HasStatus(200).Mentions(`"name":"` + test.want + `"`)
		})
	}
}

func TestInvalidCredentialsAreRejectedEverywhere(t *testing.T) {
	t.Parallel()
	log := &bytes.Buffer{}
	c := gatehouse(t, log)
	long := strings.Repeat("a", 100<<10)
	for name, header := range map[string][]string{
		"an empty Authorization":      {"Authorization", ""},
		"a scheme alone":              {"Authorization", "Bearer"},
		"an empty token":              {"Authorization", "Bearer "},
		"two spaces":                  {"Authorization", "Bearer  ann"},
		"a space behind":              {"Authorization", "Bearer ann "},
		"a list":                      {"Authorization", "Bearer ann, Bearer bob"},
		"a forged token":              {"Authorization", "Bearer forged"},
		"a very long token":           {"Authorization", "Bearer " + long},
		"a token that is not ASCII":   {"Authorization", "Bearer änn"},
		"a token with NUL":            {"Authorization", "Bearer a\x00nn"},
		"another scheme":              {"Authorization", "Digest username=\"ann\""},
		"a token without a scheme":    {"Authorization", "ann"},
		"only padding":                {"Authorization", "Bearer ==="},
		"no base64":                   {"Authorization", "Basic !!!"},
		"base64 without padding":      {"Authorization", strings.TrimRight(basic("bob:secret:bob "), "=")},
		"no colon":                    {"Authorization", basic("bob")},
		"a control character":         {"Authorization", basic("bob\x00:secret:bob")},
		"no UTF-8":                    {"Authorization", basic("bob\xff:secret:bob")},
		"a wrong password":            {"Authorization", basic("bob:secret")},
		"an empty name and password":  {"Authorization", basic(":")},
		"a very long name":            {"Authorization", basic(long + ":x")},
		"an empty key":                {"X-API-Key", ""},
		"a forged key":                {"X-API-Key", "forged"},
		"a key that is not ASCII":     {"X-API-Key", "änn"},
		"a very long key":             {"X-API-Key", long},
		"an empty cookie":             {"Cookie", "sid="},
		"a forged cookie":             {"Cookie", "sid=forged"},
		"a bad one before a good one": {"Authorization", "Bearer forged", "X-API-Key", "ann"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, request := range []string{"GET /api/who", "POST /api/wave"} {
				got := c.Send(request, "", header...).IsProblem(401)
				if len(got.Header.Values("WWW-Authenticate")) != 4 {
					t.Errorf("the challenges are %q", got.Header.Values("WWW-Authenticate"))
				}
			}
		})
	}
	if log.Len() > 0 {
		t.Errorf("bad credentials are logged: %.200s", log)
	}
}

func TestCredentialsGivenTwiceAreABadRequest(t *testing.T) {
	t.Parallel()
	c := gatehouse(t, &bytes.Buffer{})
	for field, values := range map[string][]string{
		"Authorization": {"Bearer ann", "Bearer ann"}, "X-Api-Key": {"ann", "bob"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/who", nil)
		r.Header[field] = values
		w := httptest.NewRecorder()
		c.Handler.ServeHTTP(w, r)
		if w.Code != 400 {
			t.Errorf("two of %s: %d %s", field, w.Code, w.Body)
		}
		if got := w.Header().Get("WWW-Authenticate"); field == "Authorization" && got != `Bearer realm="token", error="invalid_request"` {
			t.Errorf("the challenge is %q", got)
		}
	}
}

// A page of a sibling domain can add cookies to those that the service has set, of any value and in any order.
func TestACookieOfAnotherOriginIsNotALockOut(t *testing.T) {
	t.Parallel()
	c := gatehouse(t, &bytes.Buffer{})
	for cookies, want := range map[string]int{
		"sid=evil; sid=ann": 200, "sid=ann; sid=evil": 200, "sid=; sid=ann": 200, "sid=ann; sid=" + strings.Repeat("x", 40<<10): 200,
		"sid=ann; sid=bob": 401, "sid=evil; sid=devil": 401, "sid=" + strings.Repeat("evil; sid=", 8) + "ann": 401,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/who", nil)
		r.Header.Set("Cookie", cookies)
		w := httptest.NewRecorder()
		c.Handler.ServeHTTP(w, r)
		if w.Code != want || w.Code == 200 && !strings.Contains(w.Body.String(), "ann") {
			t.Errorf("%.40s returns %d %s, want %d", cookies, w.Code, w.Body, want)
		}
		r = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/wave", nil)
		r.Header = http.Header{"Cookie": {cookies}, "Origin": {"https://evil.example"}, "Sec-Fetch-Site": {"cross-site"}}
		w = httptest.NewRecorder()
		c.Handler.ServeHTTP(w, r)
		if w.Code != 403 {
			t.Errorf("%.40s from another origin returns %d %s", cookies, w.Code, w.Body)
		}
	}
}

func TestChallengesNameEveryScheme(t *testing.T) {
	t.Parallel()
	c := gatehouse(t, &bytes.Buffer{})
	got := c.Send("POST /api/wave", "").IsProblem(401).Header.Values("WWW-Authenticate")
	want := []string{`Bearer realm="token"`, `Basic realm="login", charset="UTF-8"`, `ApiKey realm="key"`, `Cookie realm="session"`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the challenges are %q, want %q", got, want)
	}
}

func TestFailingAuthenticationDisclosesNothing(t *testing.T) {
	t.Parallel()
	log := &bytes.Buffer{}
	c := gatehouse(t, log)
	c.As("outage", "GET /api/who", "").IsProblem(503).Has("Retry-After", "1").Has("WWW-Authenticate", "")
	c.As("panic", "GET /api/who", "").IsProblem(500).Mentions("urn:uuid:")
	c.As("nothing", "GET /api/who", "").IsProblem(500)
	text := log.String()
	if !strings.Contains(text, "the directory does not respond about …") || !strings.Contains(text, "cannot look up …") ||
		!strings.Contains(text, "neither a principal nor an error") {
		t.Errorf("the log lacks a cause, or shows credentials: %s", text)
	}
}

func TestAPageOfAnotherOriginDoesNothingWithACookie(t *testing.T) {
	t.Parallel()
	c := gatehouse(t, &bytes.Buffer{})
	cross := []string{"Cookie", "sid=ann", "Sec-Fetch-Site", "cross-site"}
	c.Send("POST /api/wave", "", cross...).IsProblem(403)
	c.Send("POST /api/wave", "", "Cookie", "sid=ann", "Origin", "https://evil.example").IsProblem(403)
	c.Send("GET /api/who", "", cross...).HasStatus(200).Mentions("ann")
	c.Send("POST /api/wave", "", "Cookie", "sid=ann", "Sec-Fetch-Site", "same-origin").HasStatus(200)
	c.Send("POST /api/wave", "", append(cross, "Authorization", "Bearer bob")...).HasStatus(200).Mentions("bob")
}

// Browsers send Basic credentials for any page too, but other origins need a preflight for most requests.
func TestAPageOfAnotherOriginDoesNothingWithThePasswordOfABrowser(t *testing.T) {
	t.Parallel()
	c := gatehouse(t, &bytes.Buffer{})
	basic := basic("ann:secret:ann")
	for _, mediaType := range []string{"", "text/plain", "application/x-www-form-urlencoded; x", "multipart/form-data; boundary=x"} {
		c.Send("POST /api/wave", "", "Authorization", basic, "Content-Type", mediaType, "Sec-Fetch-Site", "cross-site").IsProblem(403)
		c.Send("POST /api/wave", "", "Authorization", basic, "Content-Type", mediaType, "Origin", "https://evil.example").IsProblem(403)
		c.Send("POST /api/wave", "", "Authorization", basic, "Content-Type", mediaType, "Sec-Fetch-Site", "same-origin").HasStatus(200)
		c.Send("POST /api/wave", "", "Authorization", basic, "Content-Type", mediaType).HasStatus(200)
	}
	c.Send("POST /api/wave", "", "Authorization", basic, "Content-Type", "application/json", "Sec-Fetch-Site", "cross-site").HasStatus(200)
	c.Send("GET /api/who", "", "Authorization", basic, "Sec-Fetch-Site", "cross-site").HasStatus(200)
}

func TestTokenSchemesAreTriedInOrder(t *testing.T) {
	t.Parallel()
	only := func(name string) func(context.Context, string) (*spec.Captain, access.Scopes, error) {
		return func(_ context.Context, token string) (*spec.Captain, access.Scopes, error) {
			if token != name {
				return nil, nil, access.ErrCredentials
			}
			return spec.Captains[name], nil, nil
		}
	}
	c := gatehouse(t, &bytes.Buffer{}, access.Bearer("first", only("ann")),
		access.OAuth2("second", access.Flows{ClientCredentials: &access.Flow{TokenURL: "https://x.example/token"}}, only("bob")),
		access.OpenIDConnect("third", "https://x.example/.well-known/openid-configuration", only("root")))
	for _, who := range []string{"ann", "bob", "root"} {
		c.As(who, "GET /api/who", "").HasStatus(200).Mentions(who)
	}
	c.As("eve", "GET /api/who", "").IsProblem(401)
}

// readsTokens authenticates the token "abc".
func readsTokens(_ context.Context, token string) (*spec.Captain, access.Scopes, error) {
	if token != "abc" {
		return nil, nil, access.ErrCredentials
	}
	return spec.Captains["ann"], nil, nil
}

func TestATokenSchemeHasItsOwnWordInTheAuthorizationField(t *testing.T) {
	t.Parallel()
	rules := access.Rules{Read: access.Authenticated, Create: access.Public, Update: access.Public, Delete: access.Public}
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
		access.Bearer("jwt", readsTokens), access.Token("token", "Token", readsTokens),
	}}, resource.Of[spec.Pennant]{Access: rules})
	for header, want := range map[string]int{
		"Token abc": 200, "token abc": 200, "Bearer abc": 200, "Token": 401, "Token ": 401, "Token other": 401, "Tokens abc": 401, "abc": 401, "Token abc\x7f": 401,
	} {
		if got := c.Send("GET /api/pennants", "", "Authorization", header); got.Status != want {
			t.Errorf("%q returns %d, want %d", header, got.Status, want)
		}
	}
	got := c.Send("GET /api/pennants", "")
	challenges := got.Header.Values("WWW-Authenticate")
	if got.Status != 401 || len(challenges) != 2 || challenges[1] != `Token realm="token"` {
		t.Errorf("without credentials: %d with %q", got.Status, challenges)
	}
}

func TestMistakesInTheWordOfATokenScheme(t *testing.T) {
	t.Parallel()
	open := resource.Of[spec.Pennant]{Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}}
	for _, word := range []string{"", "Bearer", "basic", "two words", "é"} {
		_, err := resource.New(resource.Config{Authentication: []access.Scheme{access.Token("token", word, readsTokens)}}, open)
		spec.WantLine(t, err, `" is not allowed; use letters and digits (RFC 9110), or access.Bearer or access.Basic for their own words`)
	}
	_, err := resource.New(resource.Config{Authentication: []access.Scheme{
		access.Token("a", "Token", readsTokens), access.Token("b", "token", readsTokens),
	}}, open)
	spec.WantLine(t, err, `Authentication: two schemes use the word "token" before the token, and the second would never be called`)
}

// TestBadCredentialsAreRejectedBeforeContinue guards that bad credentials are rejected before the client sends
// the body (RFC 9110, section 10.1.1).
func TestBadCredentialsAreRejectedBeforeContinue(t *testing.T) {
	t.Parallel()
	long := `{"name":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, test := range []struct {
		rule, request, body string
		header              []string
		status              int
		continues           bool
	}{
		{"nobody", "POST /api/hoards", long, nil, 401, false},
		{"a forged token", "POST /api/hoards", long, spec.Header("Authorization", "Bearer forged"), 401, false},
		{"a malformed token", "PATCH /api/hoards/1", long, spec.Header("Authorization", "Bearer"), 401, false},
		{"a forged token, where all may write", "POST /api/captains", long, spec.Header("Authorization", "Bearer forged"), 401, false},
		{"a missing scope", "POST /api/hoards", long, spec.Header("Authorization", "Bearer ann-plain"), 403, false},
		{"good credentials", "POST /api/hoards", `{"name":"x","owner":1}`, spec.Header("Authorization", "Bearer ann"), 201, true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			api := func(t testing.TB) spec.Client {
				t.Helper()
				return spec.NewCrew(t, resource.Of[spec.Hoard]{}, resource.Of[spec.Captain]{}).Client
			}
			spec.OverTheWire(t, api, func(w spec.Wire) {
				var continued atomic.Bool
				w.Client.Transport.(*http.Transport).ExpectContinueTimeout = time.Minute
				r := w.Request(test.request, test.body, append(test.header, "Expect", "100-continue")...)
				trace := &httptrace.ClientTrace{Got100Continue: func() { continued.Store(true) }}
				got := w.Do(r.WithContext(httptrace.WithClientTrace(r.Context(), trace))).HasStatus(test.status)
				if continued.Load() != test.continues {
					w.T.Errorf("100 Continue: %v, want %v", continued.Load(), test.continues)
				}
				if test.status == 401 && got.Header.Get("WWW-Authenticate") == "" {
					w.T.Errorf("the answer has no challenge: %v", got.Header)
				}
			})
		})
	}
}

// asSent are the ways in which a text can be the credentials of a request, with what it then is:
// the one that is good, or not.
var asSent = []struct {
	field  string
	line   func(text string) string
	isGood func(line string) bool
}{
	{"Authorization", func(text string) string { return text }, isGoodField},
	{"Authorization", func(text string) string { return "Bearer " + text }, isGoodField},
	{"Authorization", func(text string) string { return "Basic " + text }, isGoodField},
	{"Authorization", basic, isGoodField},
	{"X-Api-Key", func(text string) string { return text }, func(line string) bool { return line == "good" }},
	{"Cookie", func(text string) string { return "sid=" + text }, isGoodCookie},
	{"Cookie", func(text string) string { return text }, isGoodCookie},
}

func isGoodField(line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	switch strings.ToLower(word) {
	case "bearer":
		return rest == "good"
	case "basic":
		decoded, err := base64.StdEncoding.DecodeString(rest)
		return err == nil && string(decoded) == "ann:good"
	}
	return false
}

func isGoodCookie(line string) bool {
	r := &http.Request{Header: http.Header{"Cookie": {line}}}
	named, good := r.CookiesNamed("sid"), 0
	for _, cookie := range named {
		if cookie.Value == "good" {
			good++
		}
	}
	return good == 1 && len(named) <= 8
}

// FuzzCredentials sends any bytes as credentials of each scheme. Only valid ones are accepted, and no response shows
// them.
func FuzzCredentials(f *testing.F) {
	for _, text := range []string{
		"good", "", " ", "good ", "=", "ann:good", "Bearer good", "Basic " + base64.StdEncoding.EncodeToString([]byte("ann:good")), "bearer  good",
		"sid=good", "sid=good; sid=good", "sid=bad; sid=good", "sid=\"good\"", "a=b;sid=good", "\x00\xff", "gööd", "a,b", strings.Repeat("a", 40<<10), "Digest username=\"ann\"",
		"the-secret-of-somebody-else", "YW5uOmdvb2Q", "good\r\nX-Evil: 1",
	} {
		for way := range asSent {
			f.Add(uint8(way), text)
		}
	}
	f.Fuzz(func(t *testing.T, number uint8, text string) {
		way := asSent[int(number)%len(asSent)]
		line, log := way.line(text), &bytes.Buffer{}
		find := func(_ context.Context, secret string) (*spec.Captain, access.Scopes, error) {
			if secret != "good" {
				return nil, nil, fmt.Errorf("nobody has %q, %s: %w", secret, secret, access.ErrCredentials)
			}
			return spec.Captains["ann"], access.Unlimited, nil
		}
		c := gatehouse(t, log, access.Bearer("token", find), access.Basic("login", func(ctx context.Context, name, password string) (*spec.Captain, access.Scopes, error) {
			if name != "ann" {
				return nil, nil, access.ErrCredentials
			}
			return find(ctx, password)
		}), access.APIKey("key", "X-API-Key", find), access.Cookie("session", "sid", find))
		for _, request := range []struct {
			method, path string
			statuses     []int
		}{{http.MethodGet, "/api/who", []int{200, 400, 401}}, {http.MethodPost, "/api/wave", []int{400, 401}}} {
			if way.isGood(line) {
				request.statuses = []int{200}
			}
			r := httptest.NewRequestWithContext(t.Context(), request.method, request.path, nil)
			r.Header[way.field] = []string{line}
			w := httptest.NewRecorder()
			c.Handler.ServeHTTP(w, r)
			if !slices.Contains(request.statuses, w.Code) {
				t.Errorf("%s: %q gets %d %s, want one of %d", way.field, line, w.Code, w.Body, request.statuses)
			}
			if told := w.Body.String() + fmt.Sprint(w.Header()) + log.String(); len(text) > 16 && strings.Contains(told, text) {
				t.Errorf("%s: %q says: %s", way.field, line, told)
			}
		}
	})
}
