package relations_test

import (
	"context"
	"net/http"
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
	c.Settle()
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
	c.Settle()
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
	c.Settle()
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
	c.Settle()
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
