package session_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

func TestASessionLastsFromSignInToSignOut(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		ann := s.signIn("ann", "correct horse")
		s.send("PATCH /api/users/1", `{"username":"anna"}`, 200, "Cookie", ann)
		s.send("PATCH /api/users/2", `{"username":"anna"}`, 403, "Cookie", ann)
		s.is(ann, 200)
		out := s.send("POST /api/logout", "", 204, "Cookie", ann)
		if got := out.Header().Get("Set-Cookie"); !strings.Contains(got, "Max-Age=0") || !strings.HasPrefix(got, "__Host-session=;") {
			s.t.Errorf("the cookie is not deleted: %s", got)
		}
		s.is(ann, 401)
		s.send("POST /api/logout", "", 204, "Cookie", ann)
		s.send("POST /api/logout", "", 204)
	})
}

func TestAllWrongCredentialsGetTheSameResponse(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		want := s.send("POST /api/login", credentials("ann", "wrong"), 401).Body.String()
		for _, body := range []string{
			credentials("eve", "correct horse"), credentials("", ""), credentials("ann", ""), credentials("ann x", "correct horse"),
			credentials("eve", ""),
		} {
			response := s.send("POST /api/login", body, 401)
			if got := response.Body.String(); got != want || response.Header().Get("Set-Cookie") != "" {
				s.t.Errorf("%s returns %s, want %s", body, got, want)
			}
		}
		for _, forged := range []string{"__Host-session=", "__Host-session=x", "__Host-session=" + strings.Repeat("x", 5000)} {
			s.is(forged, 401)
		}
	})
}

func TestTheStoreHasNoSecrets(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		_, secret, _ := strings.Cut(s.signIn("ann", "correct horse"), "=")
		page, err := s.sessions.List(s.t.Context(), store.Query{})
		if err != nil || len(page.Items) != 1 {
			s.t.Fatalf("%d sessions, and the error %v", len(page.Items), err)
		}
		user, err := s.users.Get(s.t.Context(), int64(1))
		if err != nil || !strings.HasPrefix(user.Password, "$argon2id$") {
			s.t.Fatalf("the password is %v, and the error %v", user, err)
		}
		kept := page.Items[0]
		if len(secret) < 26 || kept.Secret == secret || kept.Password == user.Password || kept.User != "1" {
			s.t.Errorf("the session of %s is stored as %+v", secret, kept)
		}
		if left := time.Until(kept.Expires); left < 13*24*time.Hour || left > 14*24*time.Hour {
			s.t.Errorf("the session lasts %v", left)
		}
	})
}

func TestASessionExpires(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		old, other := s.signIn("ann", "correct horse"), s.signIn("bob", "correct horse")
		if err := store.Update(s.t.Context(), s.sessions, int64(1), func(kept *session.Session) error {
			kept.Expires = time.Now().Add(-time.Second)
			return nil
		}); err != nil {
			s.t.Fatal(err)
		}
		s.is(old, 401)
		s.is(other, 200)
		s.signIn("bob", "correct horse", "Cookie", other)
		page, err := s.sessions.List(s.t.Context(), store.Query{})
		if err != nil || len(page.Items) != 1 {
			s.t.Errorf("a sign-in leaves %d sessions, and the error %v", len(page.Items), err)
		}
	})
}

func TestASignInReplacesTheSessionOfTheRequest(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		chosen := s.signIn("ann", "correct horse", "Cookie", "__Host-session=chosen-by-mallory")
		if strings.Contains(chosen, "mallory") {
			s.t.Errorf("the session is %s", chosen)
		}
		second := s.signIn("bob", "correct horse", "Cookie", chosen)
		s.is(chosen, 401)
		s.is(second, 200)
		s.send("POST /api/login", credentials("bob", "wrong"), 401, "Cookie", second)
		s.is(second, 200)
	})
}

func TestADeletedUserHasNoSession(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		ann := s.signIn("ann", "correct horse")
		s.send("DELETE /api/users/1", "", 204, "Cookie", ann)
		s.is(ann, 401)
		if err := store.Insert(s.t.Context(), s.users, &User{ID: 1, Username: "eve"}); err != nil {
			s.t.Fatal(err)
		}
		s.is(ann, 401) // a new user with the identifier of the old one
	})
}

func TestEndEndsTheSessionsOfOneUser(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		one, two, bob := s.signIn("ann", "correct horse"), s.signIn("ann", "correct horse"), s.signIn("bob", "correct horse")
		for range 2 {
			if err := s.signIns.End(s.t.Context(), &User{ID: 1}); err != nil {
				s.t.Fatal(err)
			}
		}
		s.is(one, 401)
		s.is(two, 401)
		s.is(bob, 200)
	})
}

func TestAUserWithoutAPasswordCannotSignIn(t *testing.T) {
	t.Parallel()
	s := inMemory(t)
	s.send("POST /api/users", `{"username":"eve","password":""}`, 201)
	s.send("POST /api/login", credentials("eve", ""), 401)
}

func TestTheCookieIsKeptFromScriptsOtherOriginsAndPlainHTTP(t *testing.T) {
	t.Parallel()
	s := inMemory(t)
	for _, request := range []string{"POST /api/login", "POST https://localhost:8000/api/login"} {
		for _, host := range []string{"localhost:8000", "127.0.0.1:8000", "[::1]:8000", "shop.example", "192.168.0.7:8000", ""} {
			set := s.send(request, credentials("ann", "correct horse"), 204, "Host", host).Header().Get("Set-Cookie")
			for _, want := range []string{"__Host-session=", "; HttpOnly", "; Secure", "; SameSite=Lax", "; Path=/", "; Max-Age=1209600"} {
				if !strings.Contains(set, want) || strings.Contains(set, "Domain") {
					s.t.Errorf("%s: the cookie is %s, without %s", host, set, want)
				}
			}
		}
	}
	s.send("PATCH /api/users/1", `{}`, 403, "Cookie", s.signIn("ann", "correct horse"), "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site")
}

// A reverse proxy of Go's standard library in front of the service adds no header field of its own to the request.
func TestTheCookieIsSecureBehindAProxyThatAddsNoHeader(t *testing.T) {
	t.Parallel()
	inner := httptest.NewServer(inMemory(t).api)
	defer inner.Close()
	target, err := url.Parse(inner.URL)
	if err != nil {
		t.Fatal(err)
	}
	outer := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
	defer outer.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, outer.URL+"/api/login", strings.NewReader(credentials("ann", "correct horse")))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := outer.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if set := response.Header.Get("Set-Cookie"); response.StatusCode != http.StatusNoContent || !strings.Contains(set, "; Secure") {
		t.Errorf("%d, and the cookie is %s", response.StatusCode, set)
	}
}

// A page of a sibling domain, or of plain HTTP, can set a cookie with the plain name, but not one with the prefix.
func TestACookieThatAnotherSiteCanSetIsIgnored(t *testing.T) {
	t.Parallel()
	s := inMemory(t)
	ann, bob := s.signIn("ann", "correct horse"), s.signIn("bob", "correct horse")
	plain := func(cookie string) string { return strings.TrimPrefix(cookie, "__Host-") }
	s.send("PATCH /api/users/1", `{}`, 401, "Cookie", plain(ann))
	s.send("PATCH /api/users/1", `{}`, 200, "Cookie", plain(bob)+"; "+ann)
	s.send("PATCH /api/users/1", `{}`, 200, "Cookie", ann+"; "+plain("__Host-session=EVIL"))
}

func TestWithoutTLSTheCookieHasAPlainName(t *testing.T) {
	t.Parallel()
	accounts := &password.Accounts[User]{
		Store: memory.New[User](), Name: "username", Password: func(u *User) *string { return &u.Password }, Hasher: quick(),
	}
	signIns, err := session.New(session.Config[User]{Accounts: accounts, Cookie: "shop_session", Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{signIns.Scheme()}},
		resource.Of[User]{Store: accounts.Store, BeforeTransaction: accounts.Hash, Access: access.Only(access.Public)}, signIns.Resource())
	if err != nil {
		t.Fatal(err)
	}
	s := service{t: t, api: api}.with("ann", "bob")
	set := s.send("POST /api/login", credentials("ann", "correct horse"), 204).Header().Get("Set-Cookie")
	if !strings.HasPrefix(set, "shop_session=") || strings.Contains(set, "Secure") {
		t.Errorf("the cookie is %s", set)
	}
	ann, _, _ := strings.Cut(set, ";")
	// Another site can add a cookie. One that belongs to no session changes nothing, and a sign-in helps against all others.
	s.is("shop_session=EVIL; "+ann, 200)
	bob := s.signIn("bob", "correct horse")
	s.is(bob+"; "+ann, 401)
	again := s.signIn("ann", "correct horse", "Cookie", bob+"; "+ann)
	s.is(bob+"; "+again, 200)
}

func TestASignOutLooksUpFewCookies(t *testing.T) {
	t.Parallel()
	sessions := &counted{Store: memory.New[session.Session]()}
	s := newService(t, memory.New[User](), sessions).with("ann")
	ann := s.signIn("ann", "correct horse")
	sessions.lists.Store(0)
	s.send("POST /api/logout", "", 204, "Cookie", ann+strings.Repeat("; __Host-session=x", 1000))
	if got := sessions.lists.Load(); got < 1 || got > 20 {
		t.Errorf("the store is called %d times", got)
	}
	s.is(ann, 401)
}

func TestSignInsAtTheSameTimeAllSucceed(t *testing.T) {
	t.Parallel()
	onEach(t, func(s service) {
		var running sync.WaitGroup
		started := make(chan *httptest.ResponseRecorder, 8)
		for range cap(started) {
			running.Go(func() { started <- s.request("POST /api/login", credentials("ann", "correct horse")) })
		}
		running.Wait()
		close(started)
		for each := range started {
			s.is(cookie(s.t, each), 200)
		}
	})
}

func TestSessionsAreInMemoryByDefault(t *testing.T) {
	t.Parallel()
	users := memory.New[User]()
	s := newService(t, users, nil).with("ann")
	s.is(s.signIn("ann", "correct horse"), 200)
}

func TestTheDocumentDescribesSessions(t *testing.T) {
	t.Parallel()
	s := inMemory(t)
	ann := s.signIn("ann", "correct horse")
	openapitest.Conform(t, s.api, openapitest.Requests(30), openapitest.As("anonymous", nil), openapitest.As("ann", http.Header{"Cookie": {ann}}),
		openapitest.NeverSucceeds("loginSession", "passwordSession", "updateUser", "patchUser", "deleteUser"), openapitest.Allow("loginSession", 401), openapitest.Allow("passwordSession", 400)) // the example is not the password of ann
}

// counted is a store that counts calls of List.
type counted struct {
	store.Store[session.Session]

	lists atomic.Int64
}

func (c *counted) List(ctx context.Context, query store.Query) (store.Page[session.Session], error) {
	c.lists.Add(1)
	return c.Store.List(ctx, query)
}
