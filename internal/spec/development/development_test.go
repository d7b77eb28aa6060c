// Package development_test holds that the cause of an error is for the developer alone.
package development_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/html"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type lamp struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank"`
}

// cause is in the error of a hook. No response but the developer's has it.
const cause = "the wire is broken"

// newAPI returns an API whose lamps cannot be saved. The token of a caller is part of the error.
func newAPI(t *testing.T, config resource.Config, log io.Writer) *resource.API {
	t.Helper()
	config.Logger = slog.New(slog.NewTextHandler(log, nil))
	config.Authentication = []access.Scheme{access.Bearer("token", func(_ context.Context, token string) (string, access.Scopes, error) {
		if token == "panics" {
			panic(cause)
		}
		return token, nil, nil
	})}
	api, err := resource.New(config, resource.Of[lamp]{
		ShortName: "Lamp", Access: access.Only(access.Public),
		Prepare: func(_ context.Context, req *operation.Request, l *lamp) error {
			switch l.Name {
			case "panics":
				panic(cause)
			case "unavailable":
				return operation.Error{Status: 502, Detail: cause}
			case "refused":
				return operation.Error{Status: 409, Detail: "Another lamp burns."}
			}
			return fmt.Errorf("prepare: %w", errors.Join(errors.New(cause), fmt.Errorf("as %v", req.Principal)))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// local is a request of a developer: to localhost, over a loopback connection.
func local(t *testing.T, body string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/lamps", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Host, r.RemoteAddr = "localhost:8000", "127.0.0.1:50000"
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8000}))
}

// send returns the fields of the problem that a request gets.
func send(t *testing.T, api http.Handler, r *http.Request) (status int, fields map[string]any, body string) {
	t.Helper()
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &fields); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	if got := w.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control is %q, want no-store", got)
	}
	return w.Code, fields, w.Body.String()
}

func TestADeveloperSeesTheCauseAndTheSteps(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	api := newAPI(t, resource.Config{Development: true}, &log)
	steps := []any{"credentials", "negotiate", "parameters", "preconditions", "receive", "preconditions", "deserialize", "prepare"}
	for name, test := range map[string]struct {
		body, token string
		status      int
		cause       any
		steps       any
	}{
		"an error":           {`{"name":"x"}`, "s3cret", 500, "prepare: " + cause + "\nas …", steps},
		"a panic":            {`{"name":"panics"}`, "", 500, "panic: " + cause, steps},
		"a 5xx of a hook":    {`{"name":"unavailable"}`, "", 502, cause, steps},
		"a panic of scheme":  {`{"name":"x"}`, "panics", 500, "panic: " + cause, steps[:1]},
		"an error of theirs": {`{"name":"refused"}`, "", 409, nil, nil},
		"an invalid body":    {`{"nam":"x"}`, "", 400, nil, nil},
	} {
		r := local(t, test.body)
		if test.token != "" {
			r.Header.Set("Authorization", "Bearer "+test.token)
		}
		status, fields, body := send(t, api, r)
		if status != test.status {
			t.Errorf("%s: the status is %d, want %d: %s", name, status, test.status, body)
		}
		if !cmp.Equal(fields["cause"], test.cause) || !cmp.Equal(fields["steps"], test.steps) {
			t.Errorf("%s: the response is %s\nwant cause %v, steps %v", name, body, test.cause, test.steps)
		}
		if incident, _ := fields["instance"].(string); (incident != "") != (test.cause != nil) || !strings.Contains(log.String(), strings.TrimPrefix(incident, "urn:uuid:")) {
			t.Errorf("%s: the incident is %q", name, incident)
		}
	}
	if strings.Contains(log.String(), "s3cret") {
		t.Error("the log has credentials")
	}
	if !strings.Contains(log.String(), "Config.Development is set") {
		t.Error("New logs no warning")
	}
}

func TestNoOneElseSeesTheCause(t *testing.T) {
	t.Parallel()
	here := func(r *http.Request, ip string) *http.Request {
		return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.ParseIP(ip), Port: 8000}))
	}
	header := func(name, value string) func(*http.Request) *http.Request {
		return func(r *http.Request) *http.Request { r.Header.Set(name, value); return r }
	}
	host := func(host string) func(*http.Request) *http.Request {
		return func(r *http.Request) *http.Request { r.Host = host; return r }
	}
	peer := func(address string) func(*http.Request) *http.Request {
		return func(r *http.Request) *http.Request { r.RemoteAddr = address; return r }
	}
	api := newAPI(t, resource.Config{Development: true}, io.Discard)
	for name, test := range map[string]struct {
		change func(*http.Request) *http.Request
		shows  bool
	}{
		"a developer":                         {host("localhost:8000"), true},
		"by an IPv4 address":                  {host("127.0.0.1:8000"), true},
		"by another loopback address":         {host("127.8.8.8"), true},
		"by an IPv6 address":                  {host("[::1]:8000"), true},
		"by an IPv6 address without port":     {host("[::1]"), true},
		"from IPv6":                           {peer("[::1]:50000"), true},
		"from IPv4 in IPv6":                   {peer("[::ffff:127.0.0.1]:50000"), true},
		"from a page of the service":          {header("Sec-Fetch-Site", "same-origin"), true},
		"from the location bar":               {header("Sec-Fetch-Site", "none"), true},
		"from an origin of the service":       {header("Origin", "http://localhost:8000"), true},
		"from the network":                    {peer("192.168.1.7:50000"), false},
		"from the Internet":                   {peer("203.0.113.9:50000"), false},
		"from nowhere":                        {peer(""), false},
		"from a Unix socket":                  {peer("@"), false},
		"by a middleware's word":              {peer("127.0.0.1"), false},
		"to the network's interface":          {func(r *http.Request) *http.Request { return here(r, "192.168.1.2") }, false},
		"to a public name":                    {host("api.example.com"), false},
		"to a name that resolves here":        {host("localhost.example.com:8000"), false},
		"to a subdomain":                      {host("evil.localhost"), false},
		"to a name that begins like ours":     {host("127.0.0.1.nip.io"), false},
		"to an address of the network":        {host("192.168.1.2:8000"), false},
		"to any address":                      {host("0.0.0.0:8000"), false},
		"without Host":                        {host(""), false},
		"through a proxy (Forwarded)":         {header("Forwarded", "for=127.0.0.1"), false},
		"through a proxy (X-Forwarded-For)":   {header("X-Forwarded-For", "127.0.0.1"), false},
		"through a proxy (X-Forwarded-Proto)": {header("X-Forwarded-Proto", "https"), false},
		"through a proxy (X-Forwarded-Host)":  {header("X-Forwarded-Host", "localhost"), false},
		"through a proxy (empty)":             {header("X-Forwarded-For", ""), false},
		"through a proxy (X-Arr-Log-Id)":      {header("X-Arr-Log-Id", "1"), false},
		"through a proxy (Via)":               {header("Via", "1.1 proxy"), false},
		"through a proxy (X-Real-IP)":         {header("X-Real-IP", "127.0.0.1"), false},
		"through a tunnel":                    {header("Cf-Connecting-Ip", "127.0.0.1"), false},
		"through a silent proxy":              {func(r *http.Request) *http.Request { r.Proto, r.ProtoMinor = "HTTP/1.0", 0; return r }, false},
		"from a page of another site":         {header("Sec-Fetch-Site", "cross-site"), false},
		"from a page of another port":         {header("Sec-Fetch-Site", "same-site"), false},
		"from another origin":                 {header("Origin", "http://evil.example"), false},
		"from no origin":                      {header("Origin", "null"), false},
	} {
		_, fields, body := send(t, api, test.change(local(t, `{"name":"x"}`)))
		if shows := strings.Contains(body, cause) && fields["steps"] != nil; shows != test.shows || !shows && (strings.Contains(body, "wire") || fields["cause"] != nil || fields["steps"] != nil) {
			t.Errorf("%s: the response is %s; want the cause: %v", name, body, test.shows)
		}
	}
}

func TestTheCauseIsHiddenByDefault(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	api := newAPI(t, resource.Config{}, &log)
	_, fields, body := send(t, api, local(t, `{"name":"x"}`))
	if fields["cause"] != nil || fields["steps"] != nil || strings.Contains(body, cause) {
		t.Errorf("the response is %s", body)
	}
	if strings.Contains(log.String(), "Development") {
		t.Errorf("New logs a warning: %s", log.String())
	}
}

func TestOverARealConnection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newAPI(t, resource.Config{Development: true}, io.Discard))
	t.Cleanup(server.Close)
	for path, want := range map[string]bool{"": true, "proxied": false} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/lamps", strings.NewReader(`{"name":"x"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if path == "proxied" {
			r.Header.Set("Via", "1.1 proxy")
		}
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || strings.Contains(string(body), cause) != want {
			t.Errorf("%q: the response is %s, %v", path, body, err)
		}
	}
}

// A page for people shows what the problem has, and nothing of it to others.
func TestAPageShowsTheCauseToADeveloper(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{Development: true, Formats: append(format.Standard(), html.Format)}, io.Discard)
	for host, shows := range map[string]bool{"localhost:8000": true, "shop.example.com": false} {
		r := local(t, "name=x")
		r.Host = host
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Accept", "text/html")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if page := w.Body.String(); w.Code != 500 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || strings.Contains(page, cause) != shows || strings.Contains(page, "deserialize") != shows {
			t.Errorf("at %s the page is %d with the cause: %v, want %v", host, w.Code, strings.Contains(page, cause), shows)
		}
	}
}
