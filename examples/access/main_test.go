package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"flag"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/openapi/openapitest"
)

var _ = flag.Bool("update", false, "write golden files")

// signer signs tokens of a service in tests.
type signer struct {
	*service

	t       *testing.T
	private ed25519.PrivateKey
}

func newSigner(t *testing.T) signer {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := signer{newService(), t, private}
	s.keys.Replace(map[string]ed25519.PublicKey{"first": public})
	return s
}

// header returns the header of a user's requests, with a token.
func (s signer) header(user int64, scope string) http.Header {
	s.t.Helper()
	token, err := signed(s.private, "first", user, scope, time.Hour)
	if err != nil {
		s.t.Fatal(err)
	}
	return http.Header{"Authorization": {"Bearer " + token}}
}

func TestAccessIsAsInTheTable(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	api, err := newAPI(s.service)
	if err != nil {
		t.Fatal(err)
	}
	accesstest.Matrix(t, api, "access.golden",
		accesstest.Callers{
			{Name: "anonymous"},
			{Name: "ann", Header: s.header(1, "treasure:write")},
			{Name: "ann-reading", Header: s.header(1, "")},
			{Name: "bob", Header: s.header(2, "treasure:write")},
			{Name: "root", Header: s.header(3, "treasure:write")},
		},
		accesstest.Records{
			"User":     {"ann": "1", "root": "3"},
			"Treasure": {"published": "1", "draft": "2"},
			"Note":     {"red": "1"},
		})
}

func TestTheAPIIsAsDocumentedForEachCaller(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	api, err := newAPI(s.service)
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(20),
		openapitest.As("ann", s.header(1, "treasure:write")),
		openapitest.As("root", s.header(3, "treasure:write")),
		openapitest.As("nobody", nil))
}

// status requests Ann's draft and returns the status.
func (s signer) status(header http.Header) int {
	s.t.Helper()
	api, err := newAPI(s.service)
	if err != nil {
		s.t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, "/api/treasures/2", http.NoBody)
	r.Header = header
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w.Code
}

func TestKeysAreRotated(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	old := s.header(1, "")
	first := (*s.keys.public.Load())["first"]
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.keys.Replace(map[string]ed25519.PublicKey{"first": first, "second": public})
	token, err := signed(private, "second", 1, "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	fresh := http.Header{"Authorization": {"Bearer " + token}}
	if got := s.status(old); got != 200 {
		t.Errorf("the old key returns %d while both are accepted", got)
	}
	if got := s.status(fresh); got != 200 {
		t.Errorf("the new key returns %d", got)
	}
	s.keys.Replace(map[string]ed25519.PublicKey{"second": public})
	if got := s.status(old); got != 401 {
		t.Errorf("the removed key returns %d", got)
	}
}

func TestInvalidTokensAreRejected(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	_, other, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	forged, err := signed(other, "first", 1, "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	late, err := signed(s.private, "first", 1, "", -time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := signed(s.private, "first", 99, "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"wrong signature": forged, "expired": late, "deleted user": gone,
		"no signature": base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"1","iss":"hoard","aud":"hoard"}`)) + ".",
	} {
		if got := s.status(http.Header{"Authorization": {"Bearer " + token}}); got != 401 {
			t.Errorf("%s: %d, want 401", name, got)
		}
	}
}

// basic returns the header of requests with a name and a password.
func basic(credentials string) http.Header {
	return http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(credentials))}}
}

// withEve returns a service where eve has registered.
func withEve(t *testing.T) signer {
	t.Helper()
	s := newSigner(t)
	api, err := newAPI(s.service)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/users", bytes.NewBufferString(`{"username":"eve","password":"correct horse battery"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if api.ServeHTTP(w, r); w.Code != 201 {
		t.Fatalf("creating eve returns %d: %s", w.Code, w.Body)
	}
	return s
}

func TestPasswordsAreHashed(t *testing.T) {
	t.Parallel()
	s := withEve(t)
	eve, err := s.users.Get(t.Context(), int64(4))
	if err != nil || !strings.HasPrefix(eve.Password, "$argon2id$") {
		t.Fatalf("eve is %+v, %v", eve, err)
	}
	for credentials, want := range map[string]int{"eve:correct horse battery": 404, "eve:wrong horse battery": 401, "eva:correct horse battery": 401, "ann:": 401} { // the draft is ann's
		if got := s.status(basic(credentials)); got != want {
			t.Errorf("%s returns %d, want %d", credentials, got, want)
		}
	}
}

func TestGuessesOfAPasswordAreLimited(t *testing.T) {
	t.Parallel()
	s := withEve(t)
	for range 10 {
		if got := s.status(basic("eve:wrong horse battery")); got != 401 {
			t.Fatalf("a wrong password returns %d", got)
		}
	}
	if got := s.status(basic("eve:correct horse battery")); got != 429 {
		t.Errorf("the eleventh password returns %d, want 429", got)
	}
	if got := s.status(s.header(1, "")); got != 200 {
		t.Errorf("a token returns %d", got)
	}
}
