package collections_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Stage is how far a voyage is.
type Stage string

const (
	planned Stage = "planned"
	atSea   Stage = "at sea"
	home    Stage = "home"
)

var stages = resource.Enum[Stage]{
	Description:  "How far a voyage is.",
	Values:       []Stage{planned, atSea, home},
	Descriptions: map[Stage]string{atSea: "It may come back."},
}

// Passage has a stage, and those that it had.
type Passage struct {
	ID    int64   `json:"id"`
	Stage Stage   `json:"stage" api:"ref=Stage,expand,filter"`
	Past  []Stage `json:"past" validate:"max=3" api:"ref=Stage,expand"`
}

func TestAnEnumerationIsListedAsItIsDeclared(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, stages)
	c.Send("GET /api/stages", "").Is(http.StatusOK, `[{"id":"planned","position":1},
		{"id":"at sea","position":2,"description":"It may come back."},{"id":"home","position":3}]`).Has("Link", "")
	c.Send("GET /api/stages/at%20sea", "").Is(http.StatusOK, `{"id":"at sea","position":2,"description":"It may come back."}`)
	c.Send("GET /api/stages/lost", "").HasStatus(http.StatusNotFound)
	c.Send("GET /api/stages?page=1", "").HasStatus(http.StatusBadRequest)
	c.Send("POST /api/stages", `{"id":"lost"}`).HasStatus(http.StatusMethodNotAllowed).Has("Allow", "GET, HEAD, QUERY, OPTIONS")
	c.Send("DELETE /api/stages/home", "").HasStatus(http.StatusMethodNotAllowed)
	c.Send("GET /api", "").Mentions(`"Stage":"/api/stages"`)
}

func TestReferencesToAnEnumerationOnEachStore(t *testing.T) {
	t.Parallel()
	passages := func(t *testing.T, declared resource.Of[Passage]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, declared, stages)
		c.Send("POST /api/passages", `{"stage":"/api/stages/at%20sea","past":["/api/stages/planned"]}`).
			Is(http.StatusCreated, `{"id":1,"stage":"/api/stages/at%20sea","past":["/api/stages/planned"]}`)
		c.Send("GET /api/passages/1?expand=stage,past", "").Mentions(
			`"_embedded":{"stage":{"id":"at sea","position":2,"description":"It may come back."},"past":[{"id":"planned","position":1}]}`)
		c.Send("GET /api/passages?stage=/api/stages/at%2520sea", "").Mentions(`"id":1`)
		c.Send("GET /api/passages?stage=/api/stages/home", "").Is(http.StatusOK, `[]`)
		for _, lost := range []string{`"/api/stages/lost"`, `"home"`, `""`, `null`} {
			c.Send("PATCH /api/passages/1", `{"stage":`+lost+`}`).HasStatus(http.StatusBadRequest).Mentions(`"stage":`)
		}
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		passages(t, resource.Of[Passage]{})
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			table := sqlstore.Table[Passage](db)
			if err := db.Create(t.Context(), table); err != nil {
				t.Fatal(err)
			}
			passages(t, resource.Of[Passage]{Store: table})
		})
	}
}

func TestAReferenceToAnEnumerationAsItsIdentifier(t *testing.T) {
	t.Parallel()
	renamed := stages
	renamed.ShortName = "Leg" // the reference names the type
	c := spec.NewClient(t, resource.Config{References: resource.Identifiers}, resource.Of[Passage]{}, renamed)
	c.Send("POST /api/passages", `{"stage":"at sea","past":[]}`).Is(http.StatusCreated, `{"id":1,"stage":"at sea","past":[]}`)
	c.Send("POST /api/passages", `{"stage":"lost"}`).HasStatus(http.StatusBadRequest).Mentions(`"stage"`)
	c.Send("GET /api/legs/home", "").Is(http.StatusOK, `{"id":"home","position":3}`)
}

func TestWhoMaySeeAnEnumeration(t *testing.T) {
	t.Parallel()
	guarded := stages
	guarded.Access = access.Rules{Read: access.Authenticated}
	guarded.Operations = []operation.Operation{operation.Get{URITemplate: "/voyage-stages/{id}", Access: access.Public}, operation.GetCollection{}}
	c := spec.NewClient(t, resource.Config{}, guarded)
	c.Send("GET /api/stages", "").HasStatus(http.StatusForbidden)
	c.Send("GET /api/voyage-stages/home", "").Is(http.StatusOK, `{"id":"home","position":3}`)
}

func TestErrorsInEnumerationsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{},
		resource.Enum[Stage]{},
		resource.Enum[Stage]{ShortName: "Other", Values: []Stage{"a", " ", "a", "b\x00", "planed"}, Descriptions: map[Stage]string{planned: "x"}},
		resource.Enum[Stage]{ShortName: "Third", Values: []Stage{home}, Operations: append(operation.Standard(), nil)},
		resource.Enum[string]{Values: []string{"a"}},
	)
	if err == nil {
		t.Fatal("no mistake is reported")
	}
	for _, want := range []string{
		"Stage: Values is empty; list the values, as in resource.Enum[Stage]{Values: []Stage{…}}",
		`Other: Values[1] is " "; values must be UTF-8 and not blank`,
		`Other: Values[2] is "a", which is a duplicate`,
		`Other: Values[3] is "b\x00"`,
		`Other: Descriptions has "planned", which is not in Values; did you mean "planed"?`,
		"Third: operation 3 is a Post; allowed: Get and GetCollection, because the values are fixed",
		"Third: operation 6 is a Delete",
		"Third: operation 7: must not be nil",
		"String: the type string is not a name for a resource; declare a type such as type Status string, or set ShortName",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told", want)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}

// Errand is what a program has in it.
type Errand struct {
	Slug string `json:"slug" api:"id"`
	Goal string `json:"goal" api:"filter=partial"`
}

// The store in memory is enough for records that a program has in it: only reading is declared.
func TestAListOfStructsIsAResourceThatIsOnlyRead(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Errand]{
		Store:      memory.New(Errand{"map", "Find the map"}, Errand{"key", "Steal the key"}),
		Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}},
	})
	c.Send("GET /api/errands", "").Is(http.StatusOK, `[{"slug":"key","goal":"Steal the key"},{"slug":"map","goal":"Find the map"}]`)
	c.Send("GET /api/errands/map", "").Is(http.StatusOK, `{"slug":"map","goal":"Find the map"}`)
	c.Send("PUT /api/errands/map", `{"goal":"x"}`).HasStatus(http.StatusMethodNotAllowed)
}
