package resource_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Abbot sees himself, and those who are known; a codex names one.
type Abbot struct {
	ID    int64 `json:"id"`
	Known bool  `json:"known"`
}

type Codex struct {
	ID     int64  `json:"id"`
	Abbot  int64  `json:"abbot" api:"ref=Abbot,filter"`
	Editor *int64 `json:"editor" api:"ref=Abbot,filter=exact|exists"`
}

// countingAbbots counts how often records are looked for.
type countingAbbots struct {
	*memory.Store[Abbot]

	looked *atomic.Int32
}

func (s countingAbbots) GetMany(ctx context.Context, ids []any) ([]*Abbot, error) {
	s.looked.Add(1)
	return s.Store.GetMany(ctx, ids)
}

// newCodices returns an API of abbots 1 and 2, of whom rule says who sees them, and of codices: 1
// is abbot 1's, and 2 is abbot 2's.
func newCodices(t testing.TB, config resource.Config, abbots store.Store[Abbot], codices store.Store[Codex], read access.Rule) client {
	t.Helper()
	config.Authentication = []access.Scheme{
		access.Bearer("token", func(_ context.Context, token string) (*Abbot, access.Scopes, error) {
			switch token {
			case "one":
				return &Abbot{ID: 1}, nil, nil
			case "two":
				return &Abbot{ID: 2}, nil, nil
			}
			return nil, nil, access.ErrCredentials
		}),
	}
	c := newClient(t, config,
		resource.Of[Codex]{
			Store: codices, ShortName: "Codex",
			Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
			Operations: append(operation.Standard(),
				operation.GetCollection{URITemplate: "/abbots/{abbot}/codices"}, operation.Post{URITemplate: "/abbots/{abbot}/codices"},
				operation.Get{URITemplate: "/abbots/{abbot}/codices/{id}"}, operation.Delete{URITemplate: "/abbots/{abbot}/codices/{id}"}),
		},
		resource.Of[Abbot]{
			Store:  abbots,
			Access: access.Rules{Read: read, Create: access.Public, Update: access.Public, Delete: access.Public},
		})
	c.send("POST /api/abbots", `{"known":true}`).hasStatus(http.StatusCreated)
	c.send("POST /api/abbots", `{}`).hasStatus(http.StatusCreated)
	address := func(id string) string { return `"/api/abbots/` + id + `"` }
	if config.References == resource.Identifiers {
		address = func(id string) string { return id }
	}
	c.as("one", "POST /api/codices", `{"abbot":`+address("1")+`}`).hasStatus(http.StatusCreated)
	c.as("two", "POST /api/codices", `{"abbot":`+address("2")+`}`).hasStatus(http.StatusCreated)
	return c
}

var isAbbot = access.Equal("id", func(a *Abbot) int64 { return a.ID })

// onCodices runs a test on codices in stores of each sort.
func onCodices(t *testing.T, config resource.Config, read access.Rule, check func(c client)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		check(newCodices(t, config, nil, nil, read))
	})
	for name, open := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			abbots, codices := sqlstore.Table[Abbot](db), sqlstore.Table[Codex](db)
			if err := db.Create(t.Context(), abbots, codices); err != nil {
				t.Fatal(err)
			}
			check(newCodices(t, config, abbots, codices, read))
		})
	}
}

// compare sends a request about abbot 2 and abbot 99, and asserts that the answers are the same, with a
// status.
func (c client) compare(who, request, body string, status int) answer {
	c.t.Helper()
	hidden := c.as(who, strings.ReplaceAll(request, "%", "2"), body)
	missing := c.as(who, strings.ReplaceAll(request, "%", "99"), body)
	if hidden.status != status || hidden.status != missing.status || hidden.body != missing.body || !sameHeader(hidden.header, missing.header) {
		c.t.Errorf("%s as %q is answered %d %s %v, want %d; where the record is missing %d %s %v",
			request, who, hidden.status, hidden.body, hidden.header, status, missing.status, missing.body, missing.header)
	}
	return hidden
}

// belowAbbots are requests for what is below an abbot.
var belowAbbots = []struct{ request, body string }{
	{"GET /api/abbots/%/codices", ""},
	{"HEAD /api/abbots/%/codices", ""},
	{"GET /api/abbots/%/codices?page=2", ""},
	{"POST /api/abbots/%/codices", `{}`},
	{"POST /api/abbots/%/codices", `{"abb`},
	{"GET /api/abbots/%/codices/2", ""},
	{"DELETE /api/abbots/%/codices/2", ""},
}

func TestAParentThatNobodyMaySeeAsksForCredentials(t *testing.T) {
	t.Parallel()
	onCodices(t, resource.Config{}, isAbbot, func(c client) {
		for _, below := range belowAbbots {
			c.compare("", below.request, below.body, 401).has("WWW-Authenticate", `Bearer realm="token"`)
			c.compare("one", below.request, below.body, 404)
		}
		c.compare("", "GET /api/abbots/%/codices?nonsense=1", "", 401)
		c.compare("", "GET /api/abbots/x%/codices", "", 401)
		c.compare("", "GET /api/abbots/%", "", 401)
		c.as("two", "GET /api/abbots/2/codices", "").is(200, `[{"id":2,"abbot":"/api/abbots/2","editor":null}]`).
			has("Cache-Control", "private, no-cache").has("Vary", "Accept, Authorization")
	})
}

func TestAHiddenParentIsMissing(t *testing.T) {
	t.Parallel()
	onCodices(t, resource.Config{}, access.Any(access.Where("known", true), isAbbot), func(c client) {
		for _, below := range belowAbbots {
			c.compare("", below.request, below.body, 404) // signing in could help, but a missing one must say the same
			c.compare("one", below.request, below.body, 404)
		}
		c.compare("", "GET /api/abbots/%", "", 404)
		c.send("GET /api/abbots/1/codices", "").hasStatus(200).hasIDs(`[{"id":1}]`)
		c.as("two", "GET /api/abbots/2/codices", "").hasStatus(200).hasIDs(`[{"id":2}]`)
	})
}

func TestAFilterFindsNothingByARecordThatIsHidden(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]resource.Config{"addresses": {}, "identifiers": {References: resource.Identifiers}} {
		before := "/api/abbots/"
		if config.References == resource.Identifiers {
			before = ""
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onCodices(t, config, isAbbot, func(c client) {
				first, second := before+"1", before+"2"
				for _, test := range []struct{ who, query, ids string }{
					{"one", "abbot=" + first, `[{"id":1}]`},
					{"one", "abbot=" + second, `[]`},
					{"two", "abbot=" + second, `[{"id":2}]`},
					{"", "abbot=" + first, `[]`},
					{"one", "abbot=" + second + "&abbot=" + first, `[{"id":1}]`},
					{"", "abbot=" + second + "&abbot=" + first, `[]`},
					{"one", "abbot[ne]=" + second, `[{"id":1},{"id":2}]`},
					{"one", "abbot[ne]=" + first, `[{"id":2}]`},
					{"one", "abbot[ne]=" + first + "&abbot[ne]=" + second, `[{"id":2}]`},
					{"one", "abbot=" + first + "&abbot[ne]=" + second, `[{"id":1}]`},
					{"two", "editor=" + second + "&abbot=" + first, `[]`},
					{"two", "editor[ne]=" + first, `[{"id":1},{"id":2}]`},
					{"two", "exists[editor]=false", `[{"id":1},{"id":2}]`},
				} {
					found := c.as(test.who, "GET /api/codices?"+test.query, "").hasStatus(200)
					found.hasIDs(test.ids)
					found.has("X-Total-Count", strconv.Itoa(strings.Count(test.ids, "id"))).has("Cache-Control", "private, no-cache")
					if test.who != "two" { // to whom abbot 2 is as one that is missing
						c.as(test.who, "GET /api/codices?"+strings.ReplaceAll(test.query, second, before+"99"), "").is(200, found.body)
					}
					lines := c.as(test.who, "GET /api/codices.ndjson?"+test.query, "").hasStatus(200).body
					if strings.Count(lines, "\n") != strings.Count(test.ids, "id") {
						c.t.Errorf("a stream by %s shows %s", test.query, lines)
					}
				}
				c.as("two", "GET /api/abbots/2/codices?abbot="+second, "").hasIDs(`[{"id":2}]`)
				c.as("two", "GET /api/abbots/2/codices?abbot="+first, "").hasIDs(`[]`)
			})
		})
	}
}

func TestAFilterLooksOnceForWhatItNames(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		read  access.Rule
		looks int32
	}{"rules": {isAbbot, 1}, "no rules": {access.Public, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			looked := &atomic.Int32{}
			c := newCodices(t, resource.Config{}, countingAbbots{memory.New[Abbot](), looked}, memory.New[Codex](), test.read)
			looked.Store(0)
			c.as("one", "GET /api/codices?abbot=/api/abbots/1&abbot=/api/abbots/3&editor[ne]=/api/abbots/3", "").hasIDs(`[{"id":1}]`)
			if got := looked.Load(); got != test.looks {
				t.Errorf("abbots are looked for %d times, want %d", got, test.looks)
			}
			c.as("one", "GET /api/codices?exists[editor]=false", "").hasStatus(200)
			if got := looked.Load(); got != test.looks {
				t.Errorf("abbots are looked for %d times where no filter names one, want %d", got, test.looks)
			}
		})
	}
}
