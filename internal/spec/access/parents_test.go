package access_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
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

// countingAbbots counts lookups of records.
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
func newCodices(t testing.TB, config resource.Config, abbots store.Store[Abbot], codices store.Store[Codex], read access.Rule) spec.Client {
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
	c := spec.NewClient(t, config,
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
	c.Send("POST /api/abbots", `{"known":true}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/abbots", `{}`).HasStatus(http.StatusCreated)
	address := func(id string) string { return `"/api/abbots/` + id + `"` }
	if config.References == resource.Identifiers {
		address = func(id string) string { return id }
	}
	c.As("one", "POST /api/codices", `{"abbot":`+address("1")+`}`).HasStatus(http.StatusCreated)
	c.As("two", "POST /api/codices", `{"abbot":`+address("2")+`}`).HasStatus(http.StatusCreated)
	return c
}

var isAbbot = access.Equal("id", func(a *Abbot) int64 { return a.ID })

// onCodices runs a test on codices in stores of each sort.
func onCodices(t *testing.T, config resource.Config, read access.Rule, check func(c spec.Client)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		check(newCodices(t, config, nil, nil, read))
	})
	for name, open := range spec.Databases(t) {
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

func TestAParentHiddenFromAnonymousCallersNeedsCredentials(t *testing.T) {
	t.Parallel()
	onCodices(t, resource.Config{}, isAbbot, func(c spec.Client) {
		for _, below := range belowAbbots {
			c.Compare("", below.request, below.body, 401).Has("WWW-Authenticate", `Bearer realm="token"`)
			c.Compare("one", below.request, below.body, 404)
		}
		c.Compare("", "GET /api/abbots/%/codices?nonsense=1", "", 401)
		c.Compare("", "GET /api/abbots/x%/codices", "", 401)
		c.Compare("", "GET /api/abbots/%", "", 401)
		c.As("two", "GET /api/abbots/2/codices", "").Is(200, `[{"id":2,"abbot":"/api/abbots/2","editor":null}]`).
			Has("Cache-Control", "private, no-cache").Has("Vary", "Accept, Authorization")
	})
}

func TestAHiddenParentIsMissing(t *testing.T) {
	t.Parallel()
	onCodices(t, resource.Config{}, access.Any(access.Where("known", true), isAbbot), func(c spec.Client) {
		for _, below := range belowAbbots {
			c.Compare("", below.request, below.body, 404) // signing in could help, but a missing one must say the same
			c.Compare("one", below.request, below.body, 404)
		}
		c.Compare("", "GET /api/abbots/%", "", 404)
		c.Send("GET /api/abbots/1/codices", "").HasStatus(200).HasIDs(`[{"id":1}]`)
		c.As("two", "GET /api/abbots/2/codices", "").HasStatus(200).HasIDs(`[{"id":2}]`)
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
			onCodices(t, config, isAbbot, func(c spec.Client) {
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
					found := c.As(test.who, "GET /api/codices?"+test.query, "").HasStatus(200)
					found.HasIDs(test.ids)
					found.Has("X-Total-Count", strconv.Itoa(strings.Count(test.ids, "id"))).Has("Cache-Control", "private, no-cache")
					if test.who != "two" { // to whom abbot 2 is as one that is missing
						c.As(test.who, "GET /api/codices?"+strings.ReplaceAll(test.query, second, before+"99"), "").Is(200, found.Body)
					}
					lines := c.As(test.who, "GET /api/codices.ndjson?"+test.query, "").HasStatus(200).Body
					if strings.Count(lines, "\n") != strings.Count(test.ids, "id") {
						c.T.Errorf("a stream by %s shows %s", test.query, lines)
					}
				}
				c.As("two", "GET /api/abbots/2/codices?abbot="+second, "").HasIDs(`[{"id":2}]`)
				c.As("two", "GET /api/abbots/2/codices?abbot="+first, "").HasIDs(`[]`)
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
			c.As("one", "GET /api/codices?abbot=/api/abbots/1&abbot=/api/abbots/3&editor[ne]=/api/abbots/3", "").HasIDs(`[{"id":1}]`)
			if got := looked.Load(); got != test.looks {
				t.Errorf("abbots are looked for %d times, want %d", got, test.looks)
			}
			c.As("one", "GET /api/codices?exists[editor]=false", "").HasStatus(200)
			if got := looked.Load(); got != test.looks {
				t.Errorf("abbots are looked for %d times where no filter names one, want %d", got, test.looks)
			}
		})
	}
}
