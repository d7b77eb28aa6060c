package password_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type User struct {
	ID       int64  `json:"id"`
	Name     string `json:"name" api:"unique"`
	Password string `json:"password" validate:"min=12" api:"password"`
}

// service is an API whose users sign in with a password.
type service struct {
	t        *testing.T
	api      http.Handler
	users    store.Store[User]
	accounts *password.Accounts[User]
}

func newService(t *testing.T, hasher *password.Hasher, users store.Store[User]) service {
	t.Helper()
	accounts := &password.Accounts[User]{Store: users, Name: "name", Password: func(u *User) *string { return &u.Password }, Hasher: hasher}
	self := access.Equal("id", func(u *User) int64 { return u.ID })
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{accounts.Basic("login")}}, resource.Of[User]{
		Store: users, BeforeTransaction: accounts.Hash,
		Access: access.Rules{Read: self, Create: access.Public, Update: self, Delete: self},
	})
	if err != nil {
		t.Fatal(err)
	}
	return service{t, api, users, accounts}
}

// send sends a request with the credentials of a user and returns the status.
func (s service) send(user, secret, request, body string) int {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if user != "" {
		r.SetBasicAuth(user, secret)
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	if strings.Contains(w.Body.String(), "argon2id") {
		s.t.Errorf("%s returns the hash: %s", request, w.Body)
	}
	return w.Code
}

// stored returns the stored password of the first user.
func (s service) stored() string {
	s.t.Helper()
	user, err := s.users.Get(s.t.Context(), int64(1))
	if err != nil {
		s.t.Fatal(err)
	}
	return user.Password
}

func TestUsersSignInWithThePasswordThatTheyHaveSet(t *testing.T) {
	t.Parallel()
	s := newService(t, cheap(), memory.New[User]())
	if got := s.send("", "", "POST /api/users", `{"name": "Ann", "password": "correct horse"}`); got != http.StatusCreated {
		t.Fatalf("registering returns %d", got)
	}
	if !strings.HasPrefix(s.stored(), "$argon2id$") {
		t.Fatalf("the stored password is %q", s.stored())
	}
	for range 2 { // the second time from memory
		for _, test := range []struct {
			user, secret string
			want         int
		}{
			{"Ann", "correct horse", http.StatusOK},
			{"Ann", "wrong horse", http.StatusUnauthorized},
			{"Ann", "", http.StatusUnauthorized},
			{"Ann", s.stored(), http.StatusUnauthorized}, // a hash is not a password
			{"ann", "correct horse", http.StatusOK},
			{"Eve", "correct horse", http.StatusUnauthorized},
			{"", "", http.StatusUnauthorized},
		} {
			if got := s.send(test.user, test.secret, "GET /api/users/1", ""); got != test.want {
				t.Errorf("%q with %q gets %d, want %d", test.user, test.secret, got, test.want)
			}
		}
	}
}

func TestANewPasswordEndsTheOldOne(t *testing.T) {
	t.Parallel()
	s := newService(t, cheap(), memory.New[User]())
	s.send("", "", "POST /api/users", `{"name": "Ann", "password": "correct horse"}`)
	if got := s.send("Ann", "correct horse", "PATCH /api/users/1", `{"password": "battery staple"}`); got != http.StatusOK {
		t.Fatalf("the change returns %d", got)
	}
	for secret, want := range map[string]int{"correct horse": http.StatusUnauthorized, "battery staple": http.StatusOK} {
		if got := s.send("Ann", secret, "GET /api/users/1", ""); got != want {
			t.Errorf("%q gets %d, want %d", secret, got, want)
		}
	}
}

func TestAChangeOfOtherFieldsKeepsTheHash(t *testing.T) {
	t.Parallel()
	s := newService(t, cheap(), memory.New[User]())
	s.send("", "", "POST /api/users", `{"name": "Ann", "password": "correct horse"}`)
	before := s.stored()
	if got := s.send("Ann", "correct horse", "PATCH /api/users/1", `{"name": "Anna"}`); got != http.StatusOK || s.stored() != before {
		t.Errorf("the change returns %d, and the password is %s instead of %s", got, s.stored(), before)
	}
}

func TestAStoredHashNeedNotFollowTheRulesOfPasswords(t *testing.T) {
	t.Parallel()
	type Member struct {
		ID       int64  `json:"id"`
		Name     string `json:"name" api:"unique"`
		Password string `json:"password" validate:"min=5,max=20,alphanum,nefield=Name" api:"password"`
	}
	for name, members := range spec.Stores[Member](t) {
		t.Run(name, func(t *testing.T) {
			accounts := &password.Accounts[Member]{Store: members, Name: "name", Password: func(m *Member) *string { return &m.Password }, Hasher: cheap()}
			touch := func(_ context.Context, m *Member, _ struct{}) (*Member, error) {
				m.Name = "eve"
				return m, nil
			}
			c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{accounts.Basic("login")}}, resource.Of[Member]{
				Store: members, BeforeTransaction: accounts.Hash, Access: access.Only(access.Public),
				Operations: append(operation.Standard(),
					operation.Post{Name: "touch", URITemplate: "/members/{id}/touch", Handler: operation.Handle(touch)}),
			})
			c.Send("POST /api/members", `{"name":"ann","password":"correct1"}`).HasStatus(201)
			c.Send("PATCH /api/members/1", `{"name":"bob"}`).HasStatus(200)
			c.Send("PUT /api/members/1", `{"name":"cid"}`).HasStatus(200)
			c.Send("POST /api/members/1/touch", `{}`).HasStatus(200)
			for _, broken := range []string{"a", "correct horse", "correct1correct1correct1"} {
				c.Send("PATCH /api/members/1", `{"password":"`+broken+`"}`).HasStatus(400).Mentions(`"password"`)
			}
			if user, err := accounts.Verify(t.Context(), "eve", "correct1"); err != nil || user.ID != 1 {
				t.Errorf("signing in returns %v, %v", user, err)
			}
		})
	}
}

func TestACorrectPasswordIsHashedOnce(t *testing.T) {
	t.Parallel()
	hasher := cheap()
	s := newService(t, hasher, memory.New[User]())
	s.send("", "", "POST /api/users", `{"name": "Ann", "password": "correct horse"}`)
	s.send("Ann", "correct horse", "GET /api/users/1", "")
	release := hasher.Occupy() // from now on a hash waits
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, _, err := s.accounts.Basic("login").Authenticate(ctx, "Ann", "correct horse"); err != nil {
		t.Errorf("a password that was correct before is hashed again: %v", err)
	}
}

func TestVerifyReturnsTheUser(t *testing.T) {
	t.Parallel()
	s := newService(t, nil, memory.New[User]())
	s.send("", "", "POST /api/users", `{"name": "Ann", "password": "correct horse"}`)
	if user, err := s.accounts.Verify(t.Context(), "Ann", "correct horse"); err != nil || user.ID != 1 {
		t.Errorf("Verify returns %v, %v", user, err)
	}
	for name, secret := range map[string]string{"Ann": "wrong horse", "Eve": "correct horse"} {
		if user, err := s.accounts.Verify(t.Context(), name, secret); !errors.Is(err, access.ErrCredentials) || user != nil {
			t.Errorf("Verify of %s returns %v, %v", name, user, err)
		}
	}
}

// broken is a store that fails.
type broken struct{ store.Store[User] }

func (broken) List(context.Context, store.Query) (store.Page[User], error) {
	return store.Page[User]{}, errors.New("the disk is gone")
}

func TestAFailureOfTheStoreIsNotAWrongPassword(t *testing.T) {
	t.Parallel()
	s := newService(t, cheap(), broken{memory.New[User]()})
	if got := s.send("Ann", "correct horse", "GET /api/users/1", ""); got != http.StatusServiceUnavailable {
		t.Errorf("got %d, want 503", got)
	}
}

// imported is a store whose users have no hashes.
type imported struct{ store.Store[User] }

func (i imported) List(ctx context.Context, query store.Query) (store.Page[User], error) {
	page, err := i.Store.List(ctx, query)
	for at, user := range page.Items {
		if user.Name == "Ann" {
			page.Items[at] = &User{ID: user.ID, Name: user.Name, Password: "correct horse"}
		}
	}
	return page, err
}

func TestAnInvalidStoredHashIsAnErrorOfTheService(t *testing.T) {
	t.Parallel()
	s := newService(t, cheap(), imported{memory.New(User{ID: 1, Name: "Ann"}, User{ID: 2, Name: "Bob"})})
	for user, want := range map[string]int{"Ann": http.StatusServiceUnavailable, "Bob": http.StatusUnauthorized} { // Bob has no password
		if got := s.send(user, "correct horse", "GET /api/users/1", ""); got != want {
			t.Errorf("%s gets %d, want %d", user, got, want)
		}
	}
}
