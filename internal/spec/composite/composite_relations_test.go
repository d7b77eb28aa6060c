package composite_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// Wharf, Stamp and Tierce are what relations of a record of two identifiers are to, and that.
type Wharf struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"filter,sort"`
}

type Stamp struct {
	ID string `json:"id"`
}

type Tierce struct {
	Wharf  int64    `json:"wharf" api:"id,ref=Wharf,filter,through=name,ondelete=cascade"`
	Number int64    `json:"number" api:"id"`
	Stamps []string `json:"stamps" validate:"max=5" api:"ref=Stamp,filter,expand"`
}

// tierces runs a test on an API of tierces on each sort of store: three at each of the wharves.
func tierces(t *testing.T, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	run := func(t *testing.T, wharves resource.Of[Wharf], stamps resource.Of[Stamp], tierces resource.Of[Tierce]) {
		t.Helper()
		tierces.Operations = append(operation.Standard(),
			operation.GetCollection{URITemplate: "/stamps/{stamps}/tierces"},
			operation.Put{URITemplate: "/tierces/{wharf};{number}/stamps/{stamps}"},
			operation.Delete{URITemplate: "/tierces/{wharf};{number}/stamps/{stamps}"},
		)
		stamps.Operations = []operation.Operation{operation.Get{}, operation.Put{AllowCreate: true}, operation.Delete{}}
		c := spec.NewClient(t, resource.Config{References: resource.Identifiers}, wharves, stamps, tierces)
		for _, name := range []string{"east", "west", "dock", "east"} {
			c.Send("POST /api/wharves", `{"name":"`+name+`"}`).HasStatus(http.StatusCreated)
		}
		c.Send("PUT /api/stamps/red", `{}`).HasStatus(http.StatusCreated)
		c.Send("PUT /api/stamps/blue", `{}`).HasStatus(http.StatusCreated)
		for wharf := 1; wharf <= 4; wharf++ {
			for number := 3; number > 0; number-- {
				c.Send("POST /api/tierces", fmt.Sprintf(`{"wharf":%d,"number":%d,"stamps":[]}`, wharf, number)).HasStatus(http.StatusCreated)
			}
		}
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, resource.Of[Wharf]{}, resource.Of[Stamp]{}, resource.Of[Tierce]{})
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			wharves, stamps, tierces := sqlstore.Table[Wharf](db), sqlstore.Table[Stamp](db), sqlstore.Table[Tierce](db)
			if err := db.Create(t.Context(), tierces, wharves, stamps); err != nil {
				t.Fatal(err)
			}
			run(t, resource.Of[Wharf]{Store: wharves}, resource.Of[Stamp]{Store: stamps}, resource.Of[Tierce]{Store: tierces})
		})
	}
}

// keysOf lists the identifiers of the tierces of a page.
func keysOf(body string) string {
	var keys []string
	for rest := body; ; {
		_, after, found := strings.Cut(rest, `{"wharf":`)
		if !found {
			return strings.Join(keys, " ")
		}
		key, next, _ := strings.Cut(after, `,"stamps"`)
		keys, rest = append(keys, strings.Replace(key, `,"number":`, ";", 1)), next
	}
}

func TestAListOfReferencesOfARecordOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tierces(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("PATCH /api/tierces/1;2", `{"stamps":["blue","red"]}`).Is(http.StatusOK, `{"wharf":1,"number":2,"stamps":["blue","red"]}`)
		c.Send("PATCH /api/tierces/2;2", `{"stamps":["red"]}`).HasStatus(http.StatusOK)
		c.Send("PATCH /api/tierces/2;3", `{"stamps":["none"]}`).HasStatus(http.StatusBadRequest).Mentions(`"stamps[0]"`)
		c.Send("PUT /api/tierces/2;1/stamps/blue", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/tierces/1;2?expand=stamps", "").Mentions(`"stamps":[{"id":"blue"`, `{"id":"red"`)
		for path, want := range map[string]string{
			"/tierces?stamps=red": "1;2 2;2", "/tierces?stamps=red&stamps=blue": "1;2 2;1 2;2", "/tierces?stamps=red&wharf=2": "2;2", "/stamps/blue/tierces": "1;2 2;1",
		} {
			if got := keysOf(c.Send("GET /api"+path, "").HasStatus(http.StatusOK).Body); got != want {
				t.Errorf("%s finds %s, want %s", path, got, want)
			}
		}
		c.Send("DELETE /api/tierces/1;2/stamps/blue", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/tierces/1;2", "").Is(http.StatusOK, `{"wharf":1,"number":2,"stamps":["red"]}`)
		c.Send("DELETE /api/wharves/2", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/tierces/2;2", "").HasStatus(http.StatusNotFound)
		c.Send("GET /api/tierces/1;2", "").HasStatus(http.StatusOK)
	})
}

func TestQueriesThroughAPartOfTheIdentifier(t *testing.T) {
	t.Parallel()
	tierces(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		for query, want := range map[string]string{
			"wharf.name=west":                          "2;1 2;2 2;3",
			"wharf.name=east&sort=-wharf.name":         "4;3 4;2 4;1 1;3 1;2 1;1",
			"sort=wharf.name":                          "3;1 3;2 3;3 1;1 1;2 1;3 4;1 4;2 4;3 2;1 2;2 2;3",
			"sort=-wharf.name":                         "2;3 2;2 2;1 4;3 4;2 4;1 1;3 1;2 1;1 3;3 3;2 3;1",
			"wharf.name=dock&wharf=3&sort=-wharf.name": "3;3 3;2 3;1",
		} {
			if got := keysOf(c.Send("GET /api/tierces?"+query, "").HasStatus(http.StatusOK).Body); got != want {
				t.Errorf("%s finds %s, want %s", query, got, want)
			}
			var walked []string
			for next := "/api/tierces?itemsPerPage=2&cursor=&" + query; next != ""; {
				page := c.Send("GET "+next, "").HasStatus(http.StatusOK)
				if keys := keysOf(page.Body); keys != "" {
					walked = append(walked, keys)
				}
				next = page.Link("next")
			}
			if got := strings.Join(walked, " "); got != want {
				t.Errorf("%s finds %s by cursors, want %s", query, got, want)
			}
		}
	})
}

// Mark and Pallet are what goes out of lists of a record of two identifiers, and that.
type Mark struct {
	ID     int64  `json:"id"`
	Colour string `json:"colour" api:"filter"`
}

type Pallet struct {
	Wharf  int64   `json:"wharf" api:"id"`
	Name   string  `json:"name" api:"id"`
	Marks  []int64 `json:"marks" validate:"max=5" api:"ref=Mark,ondelete=cascade,through=colour"`
	Others []int64 `json:"others" validate:"max=5" api:"ref=Mark"`
	Count  int64   `json:"count" api:"version"`
}

// The lists of two records that share a part of their identifiers are apart.
func TestIntegrityOfListsOfARecordOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, marks resource.Of[Mark], pallets resource.Of[Pallet]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{References: resource.Identifiers}, marks, pallets)
		for _, colour := range []string{"red", "blue", "red"} {
			c.Send("POST /api/marks", `{"colour":"`+colour+`"}`).HasStatus(http.StatusCreated)
		}
		c.Send("POST /api/pallets", `{"wharf":1,"name":"a","marks":[3,1],"others":[2]}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/pallets", `{"wharf":1,"name":"b","marks":[2],"others":[]}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/pallets", `{"wharf":2,"name":"a","marks":[1],"others":[]}`).HasStatus(http.StatusCreated)
		c.Send("GET /api/pallets?marks.colour=red", "").Is(http.StatusOK, `[{"wharf":1,"name":"a","marks":[3,1],"others":[2],"count":1},`+
			`{"wharf":2,"name":"a","marks":[1],"others":[],"count":1}]`)
		c.Send("DELETE /api/marks/2", "").HasStatus(http.StatusConflict)
		c.Send("DELETE /api/marks/1", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/pallets", "").Is(http.StatusOK, `[{"wharf":1,"name":"a","marks":[3],"others":[2],"count":2},`+
			`{"wharf":1,"name":"b","marks":[2],"others":[],"count":1},{"wharf":2,"name":"a","marks":[],"others":[],"count":2}]`)
		c.Send("DELETE /api/pallets/1;a", "").HasStatus(http.StatusNoContent)
		c.Send("DELETE /api/marks/2", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/pallets/1;b", "").Is(http.StatusOK, `{"wharf":1,"name":"b","marks":[],"others":[],"count":2}`)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, resource.Of[Mark]{}, resource.Of[Pallet]{})
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			marks, pallets := sqlstore.Table[Mark](db), sqlstore.Table[Pallet](db)
			if err := db.Create(t.Context(), pallets, marks); err != nil {
				t.Fatal(err)
			}
			if err := pallets.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			test(t, resource.Of[Mark]{Store: marks}, resource.Of[Pallet]{Store: pallets})
		})
	}
}

func TestNothingGoesThroughToARecordOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	type Label struct {
		ID     int64   `json:"id"`
		Tierce int64   `json:"tierce" api:"ref=Tierce,filter,through=number,expand"`
		Many   []int64 `json:"many" validate:"max=3" api:"ref=Tierce"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[Label]{}, resource.Of[Tierce]{}, resource.Of[Wharf]{}, resource.Of[Stamp]{})
	if err == nil {
		t.Fatal("no mistake is told")
	}
	const text = "references Tierce by its composite identifier wharf, number"
	if n := strings.Count(err.Error(), text); n != 2 || strings.Contains(err.Error(), "through") {
		t.Errorf("the error is %v", err)
	}
}
