package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/trove-api/trove/resource"
)

const issuer = "https://id.example.com/"

// provider is an identity provider with one key.
type provider struct {
	t   *testing.T
	key ed25519.PrivateKey
	id  string
	api *resource.API
}

func start(t *testing.T) provider {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	keySet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"keys":[{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","kid":"first","x":%q}]}`, base64.RawURLEncoding.EncodeToString(public))
	}))
	t.Cleanup(keySet.Close)
	v, err := newVerifier(t.Context(), issuer, keySet.URL)
	if err != nil {
		t.Fatal(err)
	}
	api, err := newAPI(v)
	if err != nil {
		t.Fatal(err)
	}
	return provider{t, private, "first", api}
}

// with returns the provider with another id of its key.
func (p provider) with(id string) provider {
	p.id = id
	return p
}

// token signs a token for a user, whose claims the function may change.
func (p provider) token(user, scope string, change func(c *claims)) string {
	p.t.Helper()
	c := claims{jwt.RegisteredClaims{
		Issuer: issuer, Audience: jwt.ClaimStrings{"notes"}, Subject: user, ExpiresAt: jwt.NewNumericDate(time.Now().Add(time.Hour)),
	}, scope}
	if change != nil {
		change(&c)
	}
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, c)
	token.Header["kid"] = p.id
	signed, err := token.SignedString(p.key)
	if err != nil {
		p.t.Fatal(err)
	}
	return signed
}

// send sends a request with a token and checks the status.
func (p provider) send(token, request, body string, want int) *httptest.ResponseRecorder {
	p.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	var reader io.Reader = http.NoBody
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(p.t.Context(), method, path, reader)
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	p.api.ServeHTTP(w, r)
	if w.Code != want {
		p.t.Fatalf("%s %s: %d, want %d: %s", request, body, w.Code, want, w.Body)
	}
	return w
}

func TestUsersHaveTheirOwnNotes(t *testing.T) {
	t.Parallel()
	p := start(t)
	ann, bob := p.token("ann", "notes:read notes:write", nil), p.token("bob", "notes:read", nil)
	p.send(ann, "POST /api/notes", `{"text":"Buy rope."}`, 201)
	p.send(ann, "GET /api/notes/1", "", 200)
	p.send(bob, "GET /api/notes/1", "", 404)
	if body := p.send(bob, "GET /api/notes", "", 200).Body.String(); body != "[]" {
		t.Errorf("bob sees %s", body)
	}
	denied := p.send(bob, "POST /api/notes", `{"text":"Buy rope."}`, 403).Header().Get("WWW-Authenticate")
	if !strings.Contains(denied, `error="insufficient_scope"`) || !strings.Contains(denied, `scope="notes:write"`) {
		t.Errorf("the challenge is %s", denied)
	}
}

func TestInvalidTokensAreRejected(t *testing.T) {
	t.Parallel()
	p := start(t)
	stranger := p
	_, stranger.key, _ = ed25519.GenerateKey(nil)
	encode := base64.RawURLEncoding.EncodeToString
	for name, token := range map[string]string{
		"another key":      stranger.token("ann", "notes:read", nil),
		"expired":          p.token("ann", "notes:read", func(c *claims) { c.ExpiresAt = jwt.NewNumericDate(time.Now().Add(-time.Second)) }),
		"without an end":   p.token("ann", "notes:read", func(c *claims) { c.ExpiresAt = nil }),
		"another issuer":   p.token("ann", "notes:read", func(c *claims) { c.Issuer = "https://evil.example.com/" }),
		"another audience": p.token("ann", "notes:read", func(c *claims) { c.Audience = jwt.ClaimStrings{"mail"} }),
		"without subject":  p.token("", "notes:read", nil),
		"not signed":       encode([]byte(`{"alg":"none","kid":"first"}`)) + "." + encode([]byte(`{"sub":"ann","iss":"`+issuer+`","aud":"notes","exp":9999999999}`)) + ".",
		"unknown key":      p.with("second").token("ann", "notes:read", nil),
		"no token at all":  "x",
	} {
		challenge := p.send(token, "GET /api/notes", "", 401).Header().Get("WWW-Authenticate")
		if !strings.Contains(challenge, `error="invalid_token"`) {
			t.Errorf("%s: the challenge is %s", name, challenge)
		}
	}
	if challenge := p.send("", "GET /api/notes", "", 401).Header().Get("WWW-Authenticate"); strings.Contains(challenge, "error") {
		t.Errorf("the challenge without a token is %s", challenge)
	}
}
