package hooks_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/validation"
)

func TestARequestWithTheSameKeyGetsTheFirstResponse(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs())
	first := c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, `"k1"`).HasStatus(201).Has("Idempotent-Replayed", "")
	for _, key := range []string{`"k1"`, `k1`, ` k1 `} { // quoted as the draft has it, or bare
		again := c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, key).Is(201, first.Body).Has("Idempotent-Replayed", "true")
		for _, field := range []string{"Location", "ETag", "Content-Type", "Vary", "Content-Length", "X-Content-Type-Options"} {
			again.Has(field, first.Header.Get(field))
		}
	}
	c.Send("PATCH /api/mugs/1", `{"name":"renamed"}`).HasStatus(200)
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k1").Is(201, first.Body)
	c.Send("GET /api/mugs", "").Is(200, `[{"id":1,"name":"renamed","fills":0}]`)
}

func TestAKeyIsForOneRequest(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs(), resource.Of[spec.DragonTreasure]{Idempotency: time.Hour, Operations: []operation.Operation{operation.Post{}}})
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
	for _, body := range []string{`{"name":"b"}`, `{"name":"a"} `, `{}`, `{`} {
		c.Send("POST /api/mugs", body, spec.KeyField, "k").IsProblem(422).Mentions("Use a new key")
	}
	c.Send("POST /api/dragon_treasures", `{"name":"ab"}`, spec.KeyField, "k").HasStatus(201) // another operation
	c.Send("POST /api/mugs/1/drink", `{"size":1}`, spec.KeyField, "k").HasStatus(200)
	c.Send("POST /api/mugs/1/drink", `{"size":1}`, spec.KeyField, "k").HasStatus(200)
	c.Send("GET /api/mugs/1", "").Is(200, `{"id":1,"name":"a","fills":-1}`)
	c.Send("POST /api/mugs", `{"name":"c"}`, spec.KeyField, "K").HasStatus(201) // another key
}

func TestOnlyResponsesOfSavedRecordsAreStored(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs())
	c.Send("POST /api/mugs", `{"name":" "}`, spec.KeyField, "k").IsInvalid("name", "name must not be blank")
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "l").IsProblem(409)
	c.Send("POST /api/mugs/9/drink", `{"size":1}`, spec.KeyField, "m").IsProblem(404)
	c.Send("POST /api/mugs/1/drink", `{"size":1}`, spec.KeyField, "m").HasStatus(200)
}

func TestInvalidKeysAreRejected(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs())
	for _, key := range []string{"", `""`, " ", "a b", "a\tb", "é", `"a`, `a"`, strings.Repeat("x", 256), "a\x00"} {
		c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, key).IsProblem(400).Mentions(`"name":"Idempotency-Key"`)
	}
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, strings.Repeat("x", 255)).HasStatus(201)
	c.Send("GET /api/mugs", "", spec.KeyField, "a b").HasStatus(200)
	plain := spec.NewClient(t, resource.Config{}, resource.Of[spec.Mug]{})
	plain.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "a b").HasStatus(201)
}

func TestARaceOfOneKeySavesOnce(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs())
	const racers, keys = 8, 20
	bodies := make([][racers]string, keys)
	var all sync.WaitGroup
	for key := range keys {
		for racer := range racers {
			all.Go(func() {
				bodies[key][racer] = c.Send("POST /api/mugs", fmt.Sprintf(`{"name":"%d"}`, key), spec.KeyField, fmt.Sprint("k", key)).HasStatus(201).Body
			})
		}
	}
	all.Wait()
	for key, answers := range bodies {
		for _, body := range answers {
			if body != answers[0] {
				t.Errorf("key %d gets %s and %s", key, answers[0], body)
			}
		}
	}
	c.Send("GET /api/mugs", "").Has("X-Total-Count", fmt.Sprint(keys))
}

func TestClientsDoNotShareKeys(t *testing.T) {
	t.Parallel()
	who := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if name := r.Header.Get("X-User"); name != "" {
				r = r.WithContext(operation.WithPrincipal(r.Context(), name))
			}
			next.ServeHTTP(w, r)
		})
	}
	c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{who}}, spec.Mugs())
	for i, header := range [][]string{{"X-User", "a"}, {"X-User", "b"}, {"Authorization", "a"}, {"Authorization", "b"}, {"Cookie", "a=b"}, nil} {
		body := fmt.Sprintf(`{"name":"%d"}`, i)
		c.Send("POST /api/mugs", body, append(header, spec.KeyField, "k")...).HasStatus(201).Has("Idempotent-Replayed", "")
		c.Send("POST /api/mugs", body, append(header, spec.KeyField, "k")...).HasStatus(201).Has("Idempotent-Replayed", "true")
	}
	c.Send("POST /api/mugs", `{"name":"0"}`, "X-User", "a", "Authorization", "new", spec.KeyField, "k").Has("Idempotent-Replayed", "true")
}

func TestAStoredResponseExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		of := spec.Mugs()
		of.Idempotency = time.Hour
		c := spec.NewClient(t, resource.Config{}, of)
		c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
		time.Sleep(time.Hour - time.Second)
		c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "true")
		time.Sleep(time.Second)
		c.Send("POST /api/mugs", `{"name":"b"}`, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "")
	})
}

func TestAFailureAfterTheSaveKeepsNeither(t *testing.T) {
	t.Parallel()
	of, fails := spec.Mugs(), true
	of.Processor = operation.Process(func(ctx context.Context, _ *operation.Request, m *spec.Mug, save operation.Save[spec.Mug]) error {
		if err := save(ctx, m); err != nil || !fails {
			return err
		}
		return errors.New("the mail cannot be sent")
	})
	c := spec.NewClient(t, resource.Config{}, of)
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").IsProblem(500)
	fails = false
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "")
	c.Send("GET /api/mugs", "").Has("X-Total-Count", "1")
}

func TestTheShapeOfProblemsLeavesKeysAlone(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Errors: validation.Problem}, spec.Mugs())
	c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
	c.Send("POST /api/mugs", `{"name":"b"}`, spec.KeyField, "k").IsProblem(422)
	c.Send("POST /api/mugs", `{"name":""}`, spec.KeyField, "l").IsProblem(422).Mentions("violations")
}

func TestAStoredResponseDoesNotTellWhatItsRequestHad(t *testing.T) {
	t.Parallel()
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			table, mugs := sqlstore.Table[spec.Mug](db), spec.Mugs()
			if mugs.Store = table; db.Create(t.Context(), table, db.Responses()) != nil {
				t.Fatal("the tables cannot be created")
			}
			c := spec.NewClient(t, resource.Config{}, mugs)
			c.Send("POST /api/mugs", `{"name":"a"}`).HasStatus(201)
			for _, key := range []string{"k", "l"} {
				c.Send("POST /api/mugs/1/drink", `{"size":1}`, spec.KeyField, key).HasStatus(200)
			}
			rows, err := db.Query(t.Context(), "SELECT DISTINCT request FROM trove_responses")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = rows.Close() }()
			if rows.Next(); !rows.Next() {
				t.Errorf("equal requests with two keys have one hash, which can be guessed without a key (%v)", rows.Err())
			}
		})
	}
}

// Principals of all sorts.
type (
	account  struct{ ID int64 }    // has no identity
	customer struct{ ID int64 }    // has a String
	machine  struct{ ID int64 }    // has a String like a customer's
	tagged   struct{ Text string } // has a MarshalText
	userID   int64                 // an integer, whose String says less than it
	login    string                // a string, whose String says less than it
	pair     [2]int64              // has no identity
)

func (c customer) String() string { return fmt.Sprint("n", c.ID) }
func (m *machine) String() string { return fmt.Sprint("n", m.ID) }
func (userID) String() string     { return "a user" }
func (login) String() string      { return "a login" }

func (t tagged) MarshalText() ([]byte, error) {
	if t.Text == "broken" {
		return nil, errors.New("broken")
	}
	return []byte(t.Text), nil
}

// mugsOf serves mugs to principals that a middleware knows by their X-API-Key. A mug has
// the name of whose it is.
func mugsOf(t *testing.T, log *bytes.Buffer, principals map[string]any) spec.Client {
	t.Helper()
	who := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if principal, ok := principals[r.Header.Get("X-Api-Key")]; ok {
				r = r.WithContext(operation.WithPrincipal(r.Context(), principal))
			}
			next.ServeHTTP(w, r)
		})
	}
	config := resource.Config{Middleware: []func(http.Handler) http.Handler{who}}
	if log != nil {
		config.Logger = slog.New(slog.NewTextHandler(log, nil))
	}
	of := spec.Mugs()
	of.Prepare = func(_ context.Context, req *operation.Request, m *spec.Mug) error {
		m.Name += " of " + req.HTTP().Header.Get("X-Api-Key")
		return nil
	}
	return spec.NewClient(t, config, of)
}

func TestClientsNeverGetTheResponseToAnother(t *testing.T) {
	t.Parallel()
	for rule, two := range map[string][2]any{
		"strings":                              {"a", "b"},
		"strings with a method":                {login("a"), login("b")},
		"integers":                             {1, 2},
		"integers with a method":               {userID(1), userID(2)},
		"unsigned integers":                    {uint8(1), uint8(2)},
		"structs with a String":                {customer{1}, customer{2}},
		"pointers to structs with a String":    {&customer{1}, &customer{2}},
		"types whose texts are alike":          {customer{1}, &machine{1}},
		"a string and an integer":              {"1", 1},
		"types with a MarshalText":             {tagged{"a"}, tagged{"b"}},
		"types of other packages":              {netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")},
		"nobody, and nobody, by their keys":    {nil, nil},
		"pointers to nobody, by their keys":    {(*customer)(nil), (*customer)(nil)},
		"principals without a text, by theirs": {"", tagged{""}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			c := mugsOf(t, nil, map[string]any{"k1": two[0], "k2": two[1]})
			for _, key := range []string{"k1", "k2"} {
				first := c.Send("POST /api/mugs", `{"name":"m"}`, "X-Api-Key", key, spec.KeyField, "k").HasStatus(201).
					Has("Idempotent-Replayed", "").Mentions("m of " + key)
				c.Send("POST /api/mugs", `{"name":"m"}`, "X-Api-Key", key, spec.KeyField, "k").Is(201, first.Body).Has("Idempotent-Replayed", "true")
			}
			c.Send("GET /api/mugs", "").Has("X-Total-Count", "2")
		})
	}
}

func TestAKeyOfAPrincipalWithoutIdentityIsRejected(t *testing.T) {
	t.Parallel()
	for rule, principal := range map[string]any{
		"a struct":                 account{1},
		"a pointer to a struct":    &account{1},
		"an array":                 pair{1, 2},
		"a map":                    map[string]any{"sub": "eve"},
		"a slice":                  []byte("eve"),
		"a bool":                   true,
		"a number with a fraction": 1.5,
		"a MarshalText that fails": tagged{"broken"},
		"a pointer to a string":    new("eve"),
		"an error":                 errors.New("eve"),
		"a function":               func() string { return "eve" },
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			c := mugsOf(t, &log, map[string]any{"k1": principal})
			refused := c.Send("POST /api/mugs", `{"name":"m"}`, "X-Api-Key", "k1", spec.KeyField, "k").IsProblem(400).
				Mentions(`"name":"Idempotency-Key","in":"header"`, "send the request without it", "urn:uuid:")
			if strings.Contains(refused.Body, "eve") || strings.Contains(refused.Body, "hooks_test") {
				t.Errorf("the answer tells of the principal: %s", refused.Body)
			}
			for _, said := range []string{"String or MarshalText", "incident=", fmt.Sprintf("%T", principal)} {
				if !strings.Contains(log.String(), said) {
					t.Errorf("the log does not say %s: %s", said, &log)
				}
			}
			c.Send("GET /api/mugs", "").Has("X-Total-Count", "0")
			c.Send("POST /api/mugs", `{"name":"m"}`, "X-Api-Key", "k1").HasStatus(201) // without a key any principal will do
		})
	}
}

// TestClientsWithoutAPrincipalAreDistinguishedByCredentials has no middleware that would
// say who they are.
func TestClientsWithoutAPrincipalAreDistinguishedByCredentials(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, spec.Mugs())
	var names int
	for _, field := range []string{
		"Authorization", "Cookie", "X-Api-Key", "Api-Key", "X-Auth-Token", "X-Access-Token", "X-Session-Id", "X-Forwarded-User",
		"Remote-User", "X-Auth-Request-Email", "X-Amzn-Oidc-Identity", "X-Tenant", "X-Account-Id", "Proxy-Authorization",
	} {
		for _, value := range []string{"a", "b"} {
			names++
			body := fmt.Sprintf(`{"name":"%d"}`, names)
			c.Send("POST /api/mugs", body, field, value, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "")
			c.Send("POST /api/mugs", body, field, value, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "true")
		}
	}
	c.Send("POST /api/mugs", `{"name":"public"}`, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "")
	for _, field := range []string{"User-Agent", "Accept-Language", "Traceparent", "X-Request-Id", "X-Forwarded-For", "Date"} {
		c.Send("POST /api/mugs", `{"name":"public"}`, field, "another", spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "true")
	}
	for _, certificate := range []string{"a", "b"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/mugs", strings.NewReader(`{"name":"with `+certificate+`"}`))
		r.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{{Raw: []byte(certificate)}}}
		r.Header = http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {"k"}}
		w := httptest.NewRecorder()
		if c.Handler.ServeHTTP(w, r); w.Code != http.StatusCreated {
			t.Errorf("the certificate %s returns %d: %s", certificate, w.Code, w.Body)
		}
	}
}

// The field of a scheme can have any name.
func TestClientsWithoutATextAreDistinguishedByTheSecretOfTheirScheme(t *testing.T) {
	t.Parallel()
	for name, principal := range map[string]any{"a struct": account{1}, "a text that is empty": tagged{""}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scheme := access.APIKey("pass", "X-Pass", func(context.Context, string) (any, access.Scopes, error) { return principal, access.Unlimited, nil })
			of := spec.Mugs()
			of.Prepare = func(_ context.Context, req *operation.Request, m *spec.Mug) error {
				m.Name += " of " + req.HTTP().Header.Get("X-Pass")
				return nil
			}
			of.Access = access.Rules{Read: access.Authenticated, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated}
			c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{scheme}}, of)
			for _, pass := range []string{"a", "b"} {
				c.Send("POST /api/mugs", `{"name":"m"}`, "X-Pass", pass, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "")
				c.Send("POST /api/mugs", `{"name":"m"}`, "X-Pass", pass, spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "true")
			}
		})
	}
}

// tasting are parameters that are fields of the header.
type tasting struct {
	Currency string   `json:"X-Currency" api:"header"`
	Notes    []string `json:"X-Notes" api:"header"`
}

func TestFieldsOfTheHeaderArePartOfARequest(t *testing.T) {
	t.Parallel()
	of := spec.Mugs()
	of.Operations = append(of.Operations, operation.Post{
		Name: "taste", URITemplate: "/tasted", Parameters: operation.Parameters[tasting]{},
	})
	c := spec.NewClient(t, resource.Config{}, of)
	c.Send("POST /api/tasted", `{"name":"a"}`, "X-Currency", "gold", "X-Notes", "a,b", spec.KeyField, "k").HasStatus(201)
	c.Send("POST /api/tasted", `{"name":"a"}`, "X-Currency", "gold", "X-Notes", "a,b", spec.KeyField, "k").HasStatus(201).Has("Idempotent-Replayed", "true")
	for _, other := range [][]string{
		{"X-Currency", "silver", "X-Notes", "a,b"}, {"X-Currency", "gold", "X-Notes", "a"}, {"X-Currency", "gold"}, {"X-Notes", "a,b"}, nil,
	} {
		c.Send("POST /api/tasted", `{"name":"a"}`, append(other, spec.KeyField, "k")...).IsProblem(422).Mentions("Use a new key")
	}
	tag := c.Send("GET /api/mugs/1", "").Header.Get("ETag")
	c.Send("POST /api/mugs/1/drink", `{"size":1}`, "If-Match", tag, spec.KeyField, "k").HasStatus(200)
	c.Send("POST /api/mugs/1/drink", `{"size":1}`, "If-Match", tag, spec.KeyField, "k").HasStatus(200).Has("Idempotent-Replayed", "true")
	c.Send("POST /api/mugs/1/drink", `{"size":1}`, "If-Match", `"other"`, spec.KeyField, "k").IsProblem(422)
}
