package access_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
)

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
				t.Errorf("%s: %q is answered %d %s, want one of %d", way.field, line, w.Code, w.Body, request.statuses)
			}
			if told := w.Body.String() + fmt.Sprint(w.Header()) + log.String(); len(text) > 16 && strings.Contains(told, text) {
				t.Errorf("%s: %q is told: %s", way.field, line, told)
			}
		}
	})
}
