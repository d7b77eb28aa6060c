package password_test

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/go-playground/validator/v10"
	"golang.org/x/text/width"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

func TestNamesThatLookTheSameAreOneName(t *testing.T) {
	t.Parallel()
	for name, users := range spec.Stores[User](t) {
		t.Run(name, func(t *testing.T) {
			s := newService(t, cheap(), users)
			register := func(name string) int {
				return s.send("", "", "POST /api/users", `{"name": `+strconv.Quote(name)+`, "password": "correct horse"}`)
			}
			for first, others := range map[string][]string{
				"u0":      {"U0", "u0 ", " u0", "u0\u200b", "\u2060u\u00ad0", "u0\ufe0f", "u0\u00a0", "\u202eu0", "\uff55\uff10", "\uff35\uff10", "u\u28000", "u0\U0001d159", "\U00016fe4u0", "\u3164u0", "u0\uffa0"},
				"André":   {"andre\u0301", "ANDRÉ", "andré"},
				"two  a":  {"Two a", "two\u3000a", "two\ta"},
				"ΣΊΣΥΦΟΣ": {"σίσυφος"},
				"ガ":       {"\uff76\uff9e", "カ\u3099"}, // half-width
			} {
				if got := register(first); got != http.StatusCreated {
					t.Errorf("%q returns %d", first, got)
				}
				for _, other := range append(others, first) {
					if got := register(other); got != http.StatusConflict {
						t.Errorf("%+q after %q returns %d, want 409", other, first, got)
					}
					if _, err := s.accounts.Verify(t.Context(), other, "correct horse"); err != nil {
						t.Errorf("%+q does not sign in: %v", other, err)
					}
				}
			}
			for _, invisible := range []string{"", " ", "\u200b", "\u3164", "\u2800", "\U0001d159"} {
				if got := register(invisible); got != http.StatusBadRequest {
					t.Errorf("%+q returns %d, want 400", invisible, got)
				}
			}
			if got := s.send("u0", "correct horse", "PATCH /api/users/"+idOf(t, s, "u0"), `{"name": " UØ "}`); got != http.StatusOK {
				t.Errorf("a change of the name returns %d", got)
			}
			if _, err := s.accounts.Verify(t.Context(), "uø", "correct horse"); err != nil {
				t.Errorf("the changed name does not sign in: %v", err)
			}
		})
	}
}

func TestNobodyRegistersTheNameOfAUserThatTheProgramHasStored(t *testing.T) {
	t.Parallel()
	for name, users := range spec.Stores[User](t) {
		t.Run(name, func(t *testing.T) {
			s := newService(t, cheap(), users)
			admin := &User{Name: "Admin", Password: "correct horse"}
			if err := s.accounts.Hash(t.Context(), new(operation.Request), admin); err != nil {
				t.Fatal(err)
			}
			if err := store.Insert(t.Context(), users, admin); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"admin", "Admin", "ADMIN "} {
				if got := s.send("", "", "POST /api/users", `{"name": `+strconv.Quote(name)+`, "password": "battery staple"}`); got != http.StatusConflict {
					t.Errorf("%q returns %d, want 409", name, got)
				}
				if user, err := s.accounts.Verify(t.Context(), name, "correct horse"); err != nil || user.ID != admin.ID {
					t.Errorf("%q signs in as %v, %v", name, user, err)
				}
			}
		})
	}
}

// idOf returns the identifier of a user in a path.
func idOf(t *testing.T, s service, name string) string {
	t.Helper()
	user, err := s.accounts.Verify(t.Context(), name, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatInt(user.ID, 10)
}

func TestUsersThatExistKeepTheirNames(t *testing.T) {
	t.Parallel()
	hash, err := cheap().Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, cheap(), memory.New(User{ID: 1, Name: "Ann", Password: hash}))
	s.send("", "", "POST /api/users", `{"name": "ANN", "password": "battery staple"}`)
	for name, want := range map[string]int64{"Ann": 1, "ann": 2, "aNN": 2} {
		secret := map[int64]string{1: "correct horse", 2: "battery staple"}[want]
		if user, err := s.accounts.Verify(t.Context(), name, secret); err != nil || user.ID != want {
			t.Errorf("%s signs in as %v, %v", name, user, err)
		}
	}
	if got := s.send("Ann", "correct horse", "PATCH /api/users/1", `{"password": "another horse"}`); got != http.StatusOK {
		t.Errorf("a change of the password returns %d", got)
	}
	if user, err := s.accounts.Verify(t.Context(), "Ann", "another horse"); err != nil || user.Name != "Ann" {
		t.Errorf("Ann signs in as %v, %v", user, err)
	}
}

func TestANameThatIsTheIdentifierMustBeNormal(t *testing.T) {
	t.Parallel()
	type Member struct {
		Name     string `json:"name" api:"id"`
		Password string `json:"password" api:"password"`
	}
	members := memory.New[Member]()
	accounts := &password.Accounts[Member]{Store: members, Name: "name", Password: func(m *Member) *string { return &m.Password }, Hasher: cheap()}
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{accounts.Basic("login")}},
		resource.Of[Member]{Store: members, BeforeTransaction: accounts.Hash, Access: access.Only(access.Public)})
	c.Send("POST /api/members", `{"name":"Ann","password":"correct horse"}`).HasStatus(400).
		Mentions("name must be in lower case, without spaces at the ends and invisible characters")
	c.Send("POST /api/members", `{"name":"ann","password":"correct horse"}`).HasStatus(201)
}

func TestTheNormalFormOfANameFollowsItsRules(t *testing.T) {
	t.Parallel()
	type Member struct {
		ID       int64  `json:"id"`
		Name     string `json:"name" validate:"own,min=3,max=50,excludes=ß|email,nefield=Password" message:"min: Too short." api:"unique"`
		Password string `json:"password" validate:"max=200" api:"password"`
	}
	own := validation.Rule{Name: "own", Message: "must not be mallory", Check: func(f validator.FieldLevel) bool { return f.Field().String() != "mallory" }}
	for name, members := range spec.Stores[Member](t) {
		t.Run(name, func(t *testing.T) {
			accounts := &password.Accounts[Member]{Store: members, Name: "name", Password: func(m *Member) *string { return &m.Password }, Hasher: cheap()}
			c := spec.NewClient(t, resource.Config{Rules: []validation.Rule{own}, Authentication: []access.Scheme{accounts.Basic("login")}},
				resource.Of[Member]{Store: members, BeforeTransaction: accounts.Hash, Access: access.Only(access.Public)})
			body := func(name string) string { return `{"name":` + strconv.Quote(name) + `,"password":"correct horse"}` }
			c.Send("POST /api/members", body(" Ann ")).HasStatus(201)
			for name, plain := range map[string]string{
				strings.Repeat("\ufb2c", 50): strings.Repeat("x", 51), // composed, it has three characters
				"a\u200b\u200b":              "a",
				"\u00a0a":                    "a",
				"stra\u1e9ee":                "straße",
			} {
				for _, request := range []string{"POST /api/members", "PATCH /api/members/1", "PUT /api/members/1"} {
					want := c.Send(request, body(plain)).HasStatus(400)
					c.Send(request, body(name)).Is(400, want.Body)
				}
			}
			c.Send("PATCH /api/members/1", "{}").HasStatus(200).Mentions(`"name":"ann"`)
		})
	}
}

func TestTheNormalFormOfANormalFormIsItself(t *testing.T) {
	t.Parallel()
	check := func(name string) {
		form := password.Normal(name)
		if again := password.Normal(form); again != form {
			t.Errorf("%+q becomes %+q, and then %+q", name, form, again)
		}
	}
	var letters []rune // that fold, compose, or disappear
	last, names := rune(unicode.MaxRune), 200_000
	if testing.Short() {
		last, names = 0x3000, 20_000
	}
	for r := range last + 1 {
		check(string(r))
		check("a" + string(r) + "b")
		if r < 0x20000 && (unicode.In(r, unicode.M, unicode.C) || unicode.SimpleFold(r) != r || width.LookupRune(r).Folded() != 0) {
			letters = append(letters, r)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range names {
		var name []rune
		for range 2 + random.IntN(3) {
			name = append(name, letters[random.IntN(len(letters))])
		}
		check(string(name))
	}
}
