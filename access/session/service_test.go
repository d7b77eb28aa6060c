package session_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
)

// TestMain hides the log lines of denied requests.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

type User struct {
	ID       int64  `json:"id"`
	Username string `json:"username" validate:"notblank,max=50" api:"unique"`
	Password string `json:"password" validate:"max=200" api:"password"`
}

var self = access.Equal("id", func(u *User) int64 { return u.ID })

// quick hashes passwords fast, for tests.
func quick() *password.Hasher { return &password.Hasher{Memory: 8, Passes: 1} }

// service is an API with users who sign in.
type service struct {
	t        *testing.T
	api      *resource.API
	users    store.Store[User]
	sessions store.Store[session.Session]
	signIns  *session.Sessions[User]
}

func newService(t *testing.T, users store.Store[User], sessions store.Store[session.Session], schemes ...access.Scheme) service {
	t.Helper()
	accounts := &password.Accounts[User]{Store: users, Name: "username", Password: func(u *User) *string { return &u.Password }, Hasher: quick()}
	signIns, err := session.New(session.Config[User]{Accounts: accounts, Sessions: sessions})
	if err != nil {
		t.Fatal(err)
	}
	api, err := resource.New(resource.Config{Authentication: append(schemes, signIns.Scheme())},
		resource.Of[User]{
			Store: users, BeforeTransaction: accounts.Hash,
			Access: access.Rules{Read: access.Public, Create: access.Public, Update: self, Delete: self},
		},
		signIns.Resource())
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "Users", Version: "1.0.0"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return service{t, api, users, sessions, signIns}
}

// inMemory returns a service with ann and bob.
func inMemory(t *testing.T) service {
	t.Helper()
	return newService(t, memory.New[User](), memory.New[session.Session]()).with("ann", "bob")
}

// onEach runs a test with ann and bob in each kind of store.
func onEach(t *testing.T, test func(s service)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(inMemory(t))
	})
	for name, open := range map[string]func(*testing.T) string{"SQLite": func(*testing.T) string { return ":memory:" }, "PostgreSQL": newSchema} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := openDatabase(t, open(t))
			users, sessions := sqlstore.Table[User](db), sqlstore.Table[session.Session](db)
			if err := db.Create(t.Context(), users, sessions); err != nil {
				t.Fatal(err)
			}
			test(newService(t, users, sessions).with("ann", "bob"))
		})
	}
}

// newSchema returns the URL of a schema on the server of TROVE_TEST_POSTGRES.
func newSchema(t *testing.T) string {
	t.Helper()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("set TROVE_TEST_POSTGRES to run the test on PostgreSQL")
	}
	server, name := openDatabase(t, dsn), "session_"+strings.ToLower(rand.Text())
	if _, err := server.Exec(t.Context(), "CREATE SCHEMA "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = server.Exec(context.WithoutCancel(t.Context()), "DROP SCHEMA "+name+" CASCADE") })
	return dsn + "&search_path=" + name
}

func openDatabase(t *testing.T, name string) *sqlstore.DB {
	t.Helper()
	db, err := database.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// with registers users with the password "correct horse".
func (s service) with(names ...string) service {
	s.t.Helper()
	for _, name := range names {
		s.send("POST /api/users", fmt.Sprintf(`{"username":%q,"password":"correct horse"}`, name), 201)
	}
	return s
}

// send sends a request as request does, and fails the test unless the response has a status.
func (s service) send(request, body string, want int, fields ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	response := s.request(request, body, fields...)
	if response.Code != want {
		s.t.Fatalf("%s %s returns %d, want %d: %s", request, body, response.Code, want, response.Body)
	}
	return response
}

// request sends a request with pairs of header fields.
func (s service) request(request, body string, fields ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	return w
}

// signIn returns a Cookie field of a new session.
func (s service) signIn(name, word string, fields ...string) string {
	s.t.Helper()
	return cookie(s.t, s.send("POST /api/login", credentials(name, word), 204, fields...))
}

func credentials(name, word string) string {
	return fmt.Sprintf(`{"username":%q,"password":%q}`, name, word)
}

// cookie returns the Cookie field that a browser sends after a response.
func cookie(t *testing.T, response *httptest.ResponseRecorder) string {
	t.Helper()
	cookies := response.Result().Cookies()
	if len(cookies) != 1 {
		t.Fatalf("the response sets the cookies %q", response.Header()["Set-Cookie"])
	}
	return cookies[0].Name + "=" + cookies[0].Value
}

// is reports the status of a request with a cookie.
func (s service) is(cookie string, want int) {
	s.t.Helper()
	s.send("GET /api/users", "", want, "Cookie", cookie)
}

// bySecret is a scheme of tokens: a token is the name of its user.
func bySecret(users store.Store[User]) access.Scheme {
	return access.Bearer("token", func(ctx context.Context, name string) (*User, access.Scopes, error) {
		user, err := store.Find(ctx, users, "username", name)
		return user, access.Unlimited, err
	})
}
