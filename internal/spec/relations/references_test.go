package relations_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Pirate, Medal and Trunk refer to one another.
type Pirate struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank" api:"filter=partial,sort"`
}

type Medal struct {
	Name  string `json:"name" api:"id"`
	Worth int    `json:"worth"`
}

type Trunk struct {
	ID      int64    `json:"id"`
	Label   string   `json:"label" validate:"notblank"`
	OwnerID int64    `json:"owner" api:"ref=Pirate,expand,filter"`
	Finder  *int64   `json:"finder" api:"ref=Pirate,expand,filter=exact|exists,ondelete=null"`
	Medals  []string `json:"medals" validate:"max=3" api:"ref=Medal,expand"`
}

// newIsland returns an API of trunks, with the pirates 1 and 2 and the medals of gold and tin.
func newIsland(t testing.TB, config resource.Config) spec.Client {
	t.Helper()
	c := spec.NewClient(t, config, resource.Of[Trunk]{}, resource.Of[Pirate]{}, resource.Of[Medal]{})
	settle(c)
	return c
}

func TestAReferenceIsAPath(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	const first = `{"id":1,"label":"A","owner":"/api/pirates/1","finder":null,"medals":["/api/medals/gold","/api/medals/tin%2Fold"]}`
	c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold","/api/medals/tin%2Fold"]}`).
		Is(http.StatusCreated, first).Has("Location", "/api/trunks/1")
	c.Send("GET /api/trunks/1", "").Is(http.StatusOK, first)
	c.Send("GET /api/trunks", "").Is(http.StatusOK, "["+first+"]")
	c.Send("PATCH /api/trunks/1", `{"finder":"\/api\/pirates\/2"}`).Mentions(`"finder":"/api/pirates/2"`)
	c.Send("PATCH /api/trunks/1", `{"finder":null,"medals":[]}`).
		Is(http.StatusOK, `{"id":1,"label":"A","owner":"/api/pirates/1","finder":null,"medals":[]}`)
}

// The messages for a value that does not refer to a pirate or a medal.
const (
	noPirate = " must be the path of an existing Pirate, such as /api/pirates/{id}"
	noMedal  = " must be the path of an existing Medal, such as /api/medals/{name}"
)

func TestInvalidReferences(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	for name, owner := range map[string]string{
		"of a missing record":        `"/api/pirates/99"`,
		"of another resource":        `"/api/medals/1"`,
		"with a host":                `"https://example.com/api/pirates/1"`,
		"with a host and no scheme":  `"//example.com/api/pirates/1"`,
		"relative":                   `"pirates/1"`,
		"with a suffix":              `"/api/pirates/1.json"`,
		"with a query":               `"/api/pirates/1?x=1"`,
		"with a fragment":            `"/api/pirates/1#x"`,
		"with dot segments":          `"/api/x/../pirates/1"`,
		"with a dot":                 `"/api/./pirates/1"`,
		"percent-encoded":            `"/api/pirates/%31"`,
		"with a trailing slash":      `"/api/pirates/1/"`,
		"with zeros in front":        `"/api/pirates/01"`,
		"with a sign":                `"/api/pirates/+1"`,
		"with too large a number":    `"/api/pirates/9223372036854775808"`,
		"of the collection":          `"/api/pirates"`,
		"of the collection, slashed": `"/api/pirates/"`,
		"a plain identifier as text": `"1"`,
		"a plain identifier":         `1`,
		"empty":                      `""`,
		"an object":                  `{"id":1}`,
		"an object with an address":  `{"@id":"/api/pirates/1"}`,
		"a list":                     `["/api/pirates/1"]`,
	} {
		t.Run("is an address "+name, func(t *testing.T) {
			t.Parallel()
			spec.Client{T: t, Handler: c.Handler}.Send("POST /api/trunks", `{"label":"A","owner":`+owner+`}`).IsInvalid("owner", "owner"+noPirate)
		})
	}
	c.Send("GET /api/trunks", "").Is(http.StatusOK, `[]`)
	c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","finder":7}`).IsInvalid("finder", "finder"+noPirate+" or null")
	c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","finder":"/api/pirates/7"}`).IsInvalid("finder", "finder"+noPirate+" or null")
}

func TestBrokenReferencesAreReportedWithOtherErrors(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	c.Send("POST /api/trunks", `{"label":" ","owner":"/api/pirates/9","finder":"x","medals":["/api/medals/gold","/api/medals/none"],"x":1}`).IsInvalid(
		"label", "label must not be blank", "owner", "owner"+noPirate, "finder", "finder"+noPirate+" or null", "medals[1]", "medals[1]"+noMedal,
		"x", `Unknown field "x"; allowed: label, owner, finder, medals`)
	c.Send("POST /api/trunks", `{"label":"A"}`).IsInvalid("owner", "owner is required")
}

type coffer struct {
	ID      int64    `json:"id"`
	Label   string   `json:"label"`
	OwnerID int64    `json:"owner" validate:"omitempty" api:"ref=Pirate"`
	Medals  []string `json:"medals" validate:"max=3" api:"ref=Medal"`
}

func TestAReferenceWithOmitemptyIsSetByTheHook(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Pirate]{}, resource.Of[Medal]{}, resource.Of[Trunk]{}, resource.Of[coffer]{
		ShortName: "Crate",
		Prepare: func(_ context.Context, _ *operation.Request, c *coffer) error {
			if c.Label == "mine" {
				c.OwnerID = 1
			}
			return nil
		},
	})
	settle(c)
	c.Send("POST /api/crates", `{"label":"mine","medals":7}`).IsInvalid("medals", "medals must be an array")
	c.Send("POST /api/crates", `{"label":"mine"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/crates", `{"label":"whose"}`).IsInvalid("owner", "owner is required")
}

func TestAReferenceIsRequiredRegardlessOfTheHook(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Pirate]{}, resource.Of[Medal]{}, resource.Of[Trunk]{
		Prepare: func(_ context.Context, _ *operation.Request, trunk *Trunk) error {
			trunk.OwnerID = 1
			return nil
		},
	})
	settle(c)
	c.Send("POST /api/trunks", `{"label":"A"}`).IsInvalid("owner", "owner is required")
	c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1"}`).HasStatus(http.StatusCreated)
}

func TestAReferenceWithOmitemptyNeedsAHook(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[Pirate]{}, resource.Of[Medal]{}, resource.Of[crateOf]{ShortName: "Crate"})
	for _, field := range []string{"crateOf.Pirate", "cratePart.Pirate"} {
		want := field + ": a reference with omitempty needs a Prepare hook that sets it; remove omitempty, or use a pointer"
		if err == nil || strings.Count(err.Error(), want) != 1 {
			t.Errorf("the error is %v, want one with %s", err, want)
		}
	}
}

type crateOf struct {
	ID     int64       `json:"id"`
	Pirate int64       `json:"pirate" validate:"omitempty" api:"ref=Pirate"`
	Parts  []cratePart `json:"parts"`
}

type cratePart struct {
	Pirate int64 `json:"pirate" validate:"omitempty" api:"ref=Pirate"`
}

func TestListsOfReferences(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold"]}`).HasStatus(http.StatusCreated)
	const gold, tin = `"/api/medals/gold"`, `"/api/medals/tin%2Fold"`
	c.Send("PATCH /api/trunks/1", `{"medals":[`+gold+`,`+gold+`]}`).IsInvalid("medals[1]", "medals[1] is a duplicate")
	c.Send("PATCH /api/trunks/1", `{"medals":[`+gold+`,`+tin+`,"/api/medals/1","/api/medals/2"]}`).IsInvalid("medals", "medals must have at most 3 elements")
	c.Send("PATCH /api/trunks/1", `{"medals":[`+gold+`,null]}`).IsInvalid("medals[1]", "medals[1]"+noMedal)
	c.Send("PATCH /api/trunks/1", `{"medals":null}`).IsInvalid("medals", "medals must be an array")
	c.Send("PATCH /api/trunks/1", `{"medals":[`+tin+`]}`).Mentions(`"medals":[` + tin + `]`)
	c.Send("PATCH /api/trunks/1", `{"medals":[]}`).Mentions(`"medals":[]`)
	c.Send("GET /api/medals/gold", "").HasStatus(http.StatusOK)
}

func TestAnUnchangedReferenceIsNotChecked(t *testing.T) {
	t.Parallel()
	asked := new(atomic.Int64)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Trunk]{}, resource.Of[Pirate]{}, resource.Of[Medal]{Store: counting[Medal]{memory.New[Medal](), asked}})
	settle(c)
	c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold"]}`).HasStatus(http.StatusCreated)
	asked.Store(0)
	c.Send("PATCH /api/trunks/1", `{"label":"B"}`).HasStatus(http.StatusOK)
	c.Send("PATCH /api/trunks/1", `{"medals":["/api/medals/gold"]}`).HasStatus(http.StatusOK)
	if n := asked.Load(); n != 0 {
		t.Errorf("medals were asked for %d times", n)
	}
	c.Send("PATCH /api/trunks/1", `{"medals":["/api/medals/gold","/api/medals/tin%2Fold"]}`).HasStatus(http.StatusOK)
	if n := asked.Load(); n != 1 {
		t.Errorf("medals were asked for %d times, want once", n)
	}
}

func TestReferencesAsIdentifiers(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{References: resource.Identifiers})
	const first = `{"id":1,"label":"A","owner":1,"finder":2,"medals":["tin/old"]}`
	c.Send("POST /api/trunks", `{"label":"A","owner":1,"finder":2,"medals":["tin/old"]}`).Is(http.StatusCreated, first)
	c.Send("GET /api/trunks?owner=1&finder=2", "").Is(http.StatusOK, "["+first+"]")
	c.Send("PATCH /api/trunks/1", `{"owner":9,"medals":["gold","x"]}`).IsInvalid(
		"owner", "owner must be the id of an existing Pirate", "medals[1]", "medals[1] must be the name of an existing Medal")
	c.Send("PATCH /api/trunks/1", `{"owner":"/api/pirates/1"}`).IsInvalid("owner", "owner must be an integer")
	c.Send("POST /api/trunks", `{"label":"A"}`).IsInvalid("owner", "owner is required")
}

func TestFiltersOfReferences(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	for _, owner := range []string{"1", "2", "1"} {
		c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/`+owner+`"}`).HasStatus(http.StatusCreated)
	}
	for query, ids := range map[string]string{
		"owner=/api/pirates/1":                      `[{"id":1},{"id":3}]`,
		"owner=/api/pirates/1&owner=/api/pirates/2": `[{"id":1},{"id":2},{"id":3}]`,
		"owner[ne]=/api/pirates/1":                  `[{"id":2}]`,
		"owner=%2Fapi%2Fpirates%2F2":                `[{"id":2}]`,
		"owner=/api/pirates/99":                     `[]`,
		"exists[finder]=true":                       `[]`,
	} {
		spec.Client{T: t, Handler: c.Handler}.Send("GET /api/trunks?"+query, "").HasStatus(http.StatusOK).HasIDs(ids)
	}
	for _, junk := range []string{"1", "x", "/api/medals/1", "/api/pirates/1.json", "https://x/api/pirates/1"} {
		c.Send("GET /api/trunks?owner="+junk, "").IsProblem(http.StatusBadRequest).Mentions("owner" + noPirate)
	}
}

// misspelled are paths that lead elsewhere, or that clients, proxies and people consider equal to the path of a medal
// or pirate.
func misspelled(address string) map[string]string {
	return map[string]string{
		"a host": "https://example.com" + address, "a host alone": "//example.com" + address, "a port": "http://127.0.0.1:80" + address,
		"a user": "http://a@b" + address, "another scheme": "file://" + address, "a suffix": address + ".json", "an unknown suffix": address + ".xml",
		"a query": address + "?expand=x", "an empty query": address + "?", "a fragment": address + "#x", "an empty fragment": address + "#",
		"a trailing slash": address + "/", "a segment more": address + "/x", "a parameter of a path": address + ";v=1", "a space": address + " ",
		"a space before": " " + address, "a dot segment": "/api/." + address[len("/api"):], "two dots": "/api/x/.." + address[len("/api"):],
		"dots percent-encoded": "/api/%2e" + address[len("/api"):], "dots behind": address + "/.", "no slash before": address[1:], "two slashes": "/" + address,
		"two slashes within": "/api/" + address[len("/api"):], "another case": "/API" + address[len("/api"):], "another prefix": "/v2" + address[len("/api"):],
		"a letter percent-encoded": "/%61pi" + address[len("/api"):], "its slash percent-encoded": "/api%2F" + address[len("/api/"):],
		"a zero byte": address + "%00", "a percent sign alone": address + "%", "a backslash": "/api\\" + address[len("/api/"):], "a line break": address + "%0A",
	}
}

func TestPathsOfRecordsHaveOneForm(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	for name, pirate := range misspelled("/api/pirates/1") {
		t.Run("with "+name, func(t *testing.T) {
			t.Parallel()
			c := spec.Client{T: t, Handler: c.Handler}
			quoted := func(text string) string { return fmt.Sprintf("%q", text) }
			c.Send("POST /api/trunks", `{"label":"A","owner":`+quoted(pirate)+`}`).IsInvalid("owner", "owner"+noPirate)
			c.Send("GET /api/trunks?owner="+url.QueryEscape(pirate), "").IsProblem(http.StatusBadRequest).Mentions("owner" + noPirate)
			c.Send("GET /api/trunks?owner[ne]="+url.QueryEscape(pirate), "").IsProblem(http.StatusBadRequest).Mentions("must be the path of an existing Pirate")
			medal := misspelled("/api/medals/gold")[name]
			c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold",`+quoted(medal)+`]}`).IsInvalid("medals[1]", "medals[1]"+noMedal)
		})
	}
	for encoded, want := range map[string]int{"gold": 201, "%67old": 400, "tin%2Fold": 201, "tin%2fold": 400, "tin/old": 400, "tin%252Fold": 400, "tin%2Fol%64": 400} {
		answer := c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/`+encoded+`"]}`)
		if answer.Status != want {
			t.Errorf("the medal %s returns %d, want %d", encoded, answer.Status, want)
		}
	}
}

// A path of a membership has a percent-decoded key like any path: if a path leads to a medal, it leads to the
// membership, and nothing else does.
func TestAPathOfAMembershipIsDecodedAsThatOfAGet(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	for _, medal := range []string{
		"gold", "%67old", "gold/", "./gold", "../medals/gold", "tin%2Fold", "tin%2fold", "tin/old", "tin%252Fold", "none", "", "gold%00",
		"gold%3Fx", "gold%23x", "https:%2F%2Fx%2Fapi%2Fmedals%2Fgold", "%2Fapi%2Fmedals%2Fgold", "gold;x", "Gold", "gold%20",
	} {
		own := c.Send("GET /api/medals/"+medal, "").Status
		put := c.Send("PUT /api/trunks/1/medals/"+medal, "").Status
		removed := c.Send("DELETE /api/trunks/1/medals/"+medal, "").Status
		if put == http.StatusNoContent {
			c.Send("PATCH /api/trunks/1", `{"medals":["/api/medals/gold"]}`).HasStatus(http.StatusOK)
		}
		if found := own == http.StatusOK; found != (put == http.StatusNoContent) || found != (removed == http.StatusNoContent) {
			t.Errorf("the medal %q: its Get answers %d, its membership's Put %d and Delete %d", medal, own, put, removed)
		}
	}
}

// A record that refers to one of its own kind, that one to the first: expansion ends at two steps.
func TestACircleOfReferencesIsExpandedByTwoSteps(t *testing.T) {
	t.Parallel()
	type Twin struct {
		ID    int64  `json:"id"`
		Other *int64 `json:"other" api:"ref=Twin,expand"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Twin]{Operations: append(operation.Standard(),
		operation.Get{Name: "whole", URITemplate: "/whole/{id}", Expand: []string{"other.other"}})})
	c.Send("POST /api/twins", `{"other":null}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/twins", `{"other":"/api/twins/1"}`).HasStatus(http.StatusCreated)
	c.Send("PATCH /api/twins/1", `{"other":"/api/twins/2"}`).HasStatus(http.StatusOK)
	const one, two = `"id":1,"other":"/api/twins/2"`, `"id":2,"other":"/api/twins/1"`
	c.Send("GET /api/twins/1?expand=other", "").Is(http.StatusOK, `{`+one+`,"_embedded":{"other":{`+two+`}}}`)
	const whole = `{` + one + `,"_embedded":{"other":{` + two + `,"_embedded":{"other":{` + one + `}}}}}`
	c.Send("GET /api/twins/1?expand=other.other", "").Is(http.StatusOK, whole)
	c.Send("GET /api/whole/1", "").Is(http.StatusOK, whole)
	c.Send("GET /api/twins/1?expand=other.other.other", "").IsProblem(http.StatusBadRequest).Mentions("other, other.other")
	c.Send("PATCH /api/twins/1", `{"other":"/api/twins/1"}`).HasStatus(http.StatusOK)
	c.Send("GET /api/twins/1?expand=other.other", "").HasStatus(http.StatusOK)
}

func TestAStreamIsExpandedBatchByBatch(t *testing.T) {
	t.Parallel()
	const records, batch = 600, 256
	asked := new(atomic.Int64)
	caves := make([]spec.Cave, records)
	for i := range caves {
		caves[i] = spec.Cave{Crew: int64(i%2 + 1)}
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Cave]{Store: memory.New(caves...)}, resource.Of[spec.Isle]{Store: memory.New(spec.Isle{Name: "Elba"})},
		resource.Of[spec.Crew]{Store: counting[spec.Crew]{memory.New(spec.Crew{Name: "Reds", Home: "Elba"}, spec.Crew{Name: "Blues", Home: "Elba"}), asked}})
	body := c.Send("GET /api/caves.ndjson?expand=crew", "").HasStatus(http.StatusOK).Body
	if n := len(spec.IDMember.FindAllString(body, -1)); n != 2*records {
		t.Errorf("%d records are there, with those that are embedded, want %d", n, 2*records)
	}
	if n, want := asked.Load(), int64((records+batch-1)/batch); n != want {
		t.Errorf("crews are asked for %d times, want once for each of %d batches", n, want)
	}
}

// Shard is what a Mosaic has very many of.
type Shard struct {
	ID int64 `json:"id"`
}

type Mosaic struct {
	ID     int64   `json:"id"`
	Shards []int64 `json:"shards" validate:"max=9990" api:"ref=Shard,expand"`
}

// The cost of a body is linear in its length: all its references need one call of the store, and none if the body is
// too long.
func TestThousandsOfReferencesInABodyAreCheckedAtOnce(t *testing.T) {
	t.Parallel()
	const many = 9_990
	asked := new(atomic.Int64)
	shards := memory.New(make([]Shard, many)...)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Mosaic]{}, resource.Of[Shard]{Store: counting[Shard]{shards, asked}})
	body := func(n int, last string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"/api/shards/%d",`, i+1)
		}
		return `{"shards":[` + b.String() + last + `]}`
	}
	for _, sent := range []struct {
		name, body string
		status     int
		names      string
		asks       int64
	}{
		{"all there", body(many-1, `"/api/shards/9990"`), http.StatusCreated, `"shards":["/api/shards/1",`, 1},
		{"one missing", body(many-1, `"/api/shards/20000"`), http.StatusBadRequest, `"shards[9989]"`, 1},
		{"one twice", body(many-1, `"/api/shards/7"`), http.StatusBadRequest, `"shards[9989]":"shards[9989] is a duplicate"`, 1},
		{"more than a body may have", body(10_000, `"/api/shards/1"`), http.StatusRequestEntityTooLarge, "10000 fields and elements", 0},
		{"one too many", body(many, `"/api/shards/1"`), http.StatusBadRequest, `"shards":"shards must have at most 9990 elements"`, 0},
	} {
		asked.Store(0)
		c.Send("POST /api/mosaics", sent.body).HasStatus(sent.status).Mentions(sent.names)
		if n := asked.Load(); n != sent.asks {
			t.Errorf("%s: the store was asked %d times, want %d", sent.name, n, sent.asks)
		}
	}
	asked.Store(0)
	c.Send("GET /api/mosaics?expand=shards", "").HasStatus(http.StatusOK).Mentions(`"_embedded":{"shards":[{"id":1},`)
	if n := asked.Load(); n != 1 {
		t.Errorf("an expansion asked %d times, want once", n)
	}
}

func TestAPrepareThatReadsAMissingReferenceReportsTheReference(t *testing.T) {
	t.Parallel()
	pirates := memory.New[Pirate]()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Pirate]{Store: pirates}, resource.Of[Medal]{}, resource.Of[Trunk]{}, resource.Of[coffer]{
		ShortName: "Crate",
		Prepare: func(ctx context.Context, _ *operation.Request, c *coffer) error {
			_, err := pirates.Get(ctx, c.OwnerID)
			return err
		},
	})
	settle(c)
	c.Send("POST /api/crates", `{"label":"a","owner":"/api/pirates/9","x":1}`).IsInvalid("owner", "owner"+noPirate, "x", `Unknown field "x"; allowed: label, owner, medals`)
	c.Send("POST /api/crates", `{"label":"a","owner":"/api/pirates/1"}`).HasStatus(http.StatusCreated)
	c.Send("PATCH /api/crates/1", `{"owner":"/api/pirates/9"}`).IsInvalid("owner", "owner"+noPirate)
}

// settle creates the records that the tests of references refer to.
func settle(c spec.Client) {
	c.T.Helper()
	c.Send("POST /api/pirates", `{"name":"Ann"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/pirates", `{"name":"Bob"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/medals", `{"name":"gold","worth":9}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/medals", `{"name":"tin/old","worth":1}`).HasStatus(http.StatusCreated)
}
