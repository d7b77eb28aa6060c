package resource_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"

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
func newIsland(t testing.TB, config resource.Config) client {
	t.Helper()
	c := newClient(t, config, resource.Of[Trunk]{}, resource.Of[Pirate]{}, resource.Of[Medal]{})
	c.settle()
	return c
}

func (c client) settle() {
	c.t.Helper()
	c.send("POST /api/pirates", `{"name":"Ann"}`).hasStatus(http.StatusCreated)
	c.send("POST /api/pirates", `{"name":"Bob"}`).hasStatus(http.StatusCreated)
	c.send("POST /api/medals", `{"name":"gold","worth":9}`).hasStatus(http.StatusCreated)
	c.send("POST /api/medals", `{"name":"tin/old","worth":1}`).hasStatus(http.StatusCreated)
}

func TestAReferenceIsAnAddress(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	const first = `{"id":1,"label":"A","owner":"/api/pirates/1","finder":null,"medals":["/api/medals/gold","/api/medals/tin%2Fold"]}`
	c.send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold","/api/medals/tin%2Fold"]}`).
		is(http.StatusCreated, first).has("Location", "/api/trunks/1")
	c.send("GET /api/trunks/1", "").is(http.StatusOK, first)
	c.send("GET /api/trunks", "").is(http.StatusOK, "["+first+"]")
	c.send("PATCH /api/trunks/1", `{"finder":"\/api\/pirates\/2"}`).mentions(`"finder":"/api/pirates/2"`)
	c.send("PATCH /api/trunks/1", `{"finder":null,"medals":[]}`).
		is(http.StatusOK, `{"id":1,"label":"A","owner":"/api/pirates/1","finder":null,"medals":[]}`)
}

// What is said of a value that stands for no pirate, and for no medal.
const (
	noPirate = " must be the address of an existing Pirate, like /api/pirates/{id}"
	noMedal  = " must be the address of an existing Medal, like /api/medals/{name}"
)

func TestWhatIsNoReference(t *testing.T) {
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
			client{t, c.handler}.send("POST /api/trunks", `{"label":"A","owner":`+owner+`}`).isInvalid("owner", "owner"+noPirate)
		})
	}
	c.send("GET /api/trunks", "").is(http.StatusOK, `[]`)
	c.send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","finder":7}`).isInvalid("finder", "finder"+noPirate+" or null")
	c.send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","finder":"/api/pirates/7"}`).isInvalid("finder", "finder"+noPirate+" or null")
}

func TestBrokenReferencesAreToldTogetherWithAllElse(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	c.send("POST /api/trunks", `{"label":" ","owner":"/api/pirates/9","finder":"x","medals":["/api/medals/gold","/api/medals/none"],"x":1}`).isInvalid(
		"label", "label must not be blank", "owner", "owner"+noPirate, "finder", "finder"+noPirate+" or null", "medals[1]", "medals[1]"+noMedal,
		"x", "x is not known; allowed: label, owner, finder, medals")
	c.send("POST /api/trunks", `{"label":"A"}`).isInvalid("owner", "owner is required")
}

type coffer struct {
	ID      int64    `json:"id"`
	Label   string   `json:"label"`
	OwnerID int64    `json:"owner" validate:"omitempty" api:"ref=Pirate"`
	Medals  []string `json:"medals" validate:"max=3" api:"ref=Medal"`
}

func TestAReferenceWithOmitemptyIsSetByTheHook(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Pirate]{}, resource.Of[Medal]{}, resource.Of[Trunk]{}, resource.Of[coffer]{
		ShortName: "Crate",
		Prepare: func(_ context.Context, _ *operation.Request, c *coffer) error {
			if c.Label == "mine" {
				c.OwnerID = 1
			}
			return nil
		},
	})
	c.settle()
	c.send("POST /api/crates", `{"label":"mine","medals":7}`).isInvalid("medals", "medals must be an array")
	c.send("POST /api/crates", `{"label":"mine"}`).hasStatus(http.StatusCreated)
	c.send("POST /api/crates", `{"label":"whose"}`).isInvalid("owner", "owner is required")
}

func TestAReferenceIsRequiredWhateverTheHookDoes(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Pirate]{}, resource.Of[Medal]{}, resource.Of[Trunk]{
		Prepare: func(_ context.Context, _ *operation.Request, trunk *Trunk) error {
			trunk.OwnerID = 1
			return nil
		},
	})
	c.settle()
	c.send("POST /api/trunks", `{"label":"A"}`).isInvalid("owner", "owner is required")
	c.send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1"}`).hasStatus(http.StatusCreated)
}

func TestAReferenceWithOmitemptyNeedsAHook(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[Pirate]{}, resource.Of[Medal]{}, resource.Of[crateOf]{ShortName: "Crate"})
	for _, member := range []string{"CrateOf.Pirate", "CratePart.Pirate"} {
		want := "resource Crate: " + member + ": has the word ref and the rule omitempty, but the resource has no Prepare hook that could set it; " +
			"remove omitempty, or use a pointer for a reference that may be null"
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
	c.send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold"]}`).hasStatus(http.StatusCreated)
	const gold, tin = `"/api/medals/gold"`, `"/api/medals/tin%2Fold"`
	c.send("PATCH /api/trunks/1", `{"medals":[`+gold+`,`+gold+`]}`).isInvalid("medals[1]", "medals[1] is in the list already")
	c.send("PATCH /api/trunks/1", `{"medals":[`+gold+`,`+tin+`,"/api/medals/1","/api/medals/2"]}`).isInvalid("medals", "medals must have at most 3 elements")
	c.send("PATCH /api/trunks/1", `{"medals":[`+gold+`,null]}`).isInvalid("medals[1]", "medals[1]"+noMedal)
	c.send("PATCH /api/trunks/1", `{"medals":null}`).isInvalid("medals", "medals must be an array")
	c.send("PATCH /api/trunks/1", `{"medals":[`+tin+`]}`).mentions(`"medals":[` + tin + `]`)
	c.send("PATCH /api/trunks/1", `{"medals":[]}`).mentions(`"medals":[]`)
	c.send("GET /api/medals/gold", "").hasStatus(http.StatusOK)
}

func TestAReferenceThatIsNotChangedIsNotLookedFor(t *testing.T) {
	t.Parallel()
	asked := new(atomic.Int64)
	c := newClient(t, resource.Config{}, resource.Of[Trunk]{}, resource.Of[Pirate]{}, resource.Of[Medal]{Store: counting[Medal]{memory.New[Medal](), asked}})
	c.settle()
	c.send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold"]}`).hasStatus(http.StatusCreated)
	asked.Store(0)
	c.send("PATCH /api/trunks/1", `{"label":"B"}`).hasStatus(http.StatusOK)
	c.send("PATCH /api/trunks/1", `{"medals":["/api/medals/gold"]}`).hasStatus(http.StatusOK)
	if n := asked.Load(); n != 0 {
		t.Errorf("medals were asked for %d times", n)
	}
	c.send("PATCH /api/trunks/1", `{"medals":["/api/medals/gold","/api/medals/tin%2Fold"]}`).hasStatus(http.StatusOK)
	if n := asked.Load(); n != 1 {
		t.Errorf("medals were asked for %d times, want once", n)
	}
}

func TestReferencesAsIdentifiers(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{References: resource.Identifiers})
	const first = `{"id":1,"label":"A","owner":1,"finder":2,"medals":["tin/old"]}`
	c.send("POST /api/trunks", `{"label":"A","owner":1,"finder":2,"medals":["tin/old"]}`).is(http.StatusCreated, first)
	c.send("GET /api/trunks?owner=1&finder=2", "").is(http.StatusOK, "["+first+"]")
	c.send("PATCH /api/trunks/1", `{"owner":9,"medals":["gold","x"]}`).isInvalid(
		"owner", "owner must be the id of an existing Pirate", "medals[1]", "medals[1] must be the name of an existing Medal")
	c.send("PATCH /api/trunks/1", `{"owner":"/api/pirates/1"}`).isInvalid("owner", "owner must be an integer")
	c.send("POST /api/trunks", `{"label":"A"}`).isInvalid("owner", "owner is required")
}

func TestFiltersOfReferences(t *testing.T) {
	t.Parallel()
	c := newIsland(t, resource.Config{})
	for _, owner := range []string{"1", "2", "1"} {
		c.send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/`+owner+`"}`).hasStatus(http.StatusCreated)
	}
	for query, ids := range map[string]string{
		"owner=/api/pirates/1":                      `[{"id":1},{"id":3}]`,
		"owner=/api/pirates/1&owner=/api/pirates/2": `[{"id":1},{"id":2},{"id":3}]`,
		"owner[ne]=/api/pirates/1":                  `[{"id":2}]`,
		"owner=%2Fapi%2Fpirates%2F2":                `[{"id":2}]`,
		"owner=/api/pirates/99":                     `[]`,
		"exists[finder]=true":                       `[]`,
	} {
		client{t, c.handler}.send("GET /api/trunks?"+query, "").hasStatus(http.StatusOK).hasIDs(ids)
	}
	for _, junk := range []string{"1", "x", "/api/medals/1", "/api/pirates/1.json", "https://x/api/pirates/1"} {
		c.send("GET /api/trunks?owner="+junk, "").isProblem(http.StatusBadRequest).mentions("owner" + noPirate)
	}
}

// hasIDs asserts which records a collection has: a list of objects with their id alone.
func (a answer) hasIDs(want string) {
	a.t.Helper()
	var got []struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		a.t.Fatal(err)
	}
	if text, _ := json.Marshal(got); string(text) != want && (len(got) != 0 || want != "[]") {
		a.t.Errorf("the collection has %s, want %s", text, want)
	}
}
