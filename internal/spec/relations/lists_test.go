package relations_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// Spice, Dish and Menu refer to one another by lists, in each way that a delete can go.
type Spice struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type Dish struct {
	ID      int64    `json:"id"`
	Name    string   `json:"name" api:"sort"`
	Spices  []int64  `json:"spices" validate:"max=5" api:"ref=Spice,expand,filter"`
	Maybe   []int64  `json:"maybe" validate:"max=5" api:"ref=Spice,filter,ondelete=null"`
	Dips    []int64  `json:"dips" validate:"max=5" api:"ref=Dish,ondelete=cascade"`
	Labels  []string `json:"labels" validate:"max=5" api:"filter=contains"`
	Version int      `json:"version" api:"version"`
}

type Menu struct {
	ID     int64   `json:"id"`
	Dishes []int64 `json:"dishes" validate:"max=5" api:"ref=Dish,filter"`
	Best   *int64  `json:"best" api:"ref=Dish,ondelete=null"`
}

// kitchen has the declarations of an API of dishes, on stores or in memory where they are nil.
func kitchen(menus store.Store[Menu], dishes store.Store[Dish], spices store.Store[Spice]) []resource.Declaration {
	return []resource.Declaration{
		resource.Of[Menu]{Store: menus},
		resource.Of[Dish]{Store: dishes, Operations: append(operation.Standard(),
			operation.GetCollection{URITemplate: "/spices/{spices}/dishes"}, operation.Get{URITemplate: "/spices/{spices}/dishes/{id}"},
			operation.Put{URITemplate: "/dishes/{id}/spices/{spices}"}, operation.Delete{URITemplate: "/dishes/{id}/spices/{spices}"})},
		resource.Of[Spice]{Store: spices, Inverse: map[string]string{"dishes": "Dish.spices"}},
	}
}

// kitchens returns an API of dishes on each sort of store, with three spices.
func kitchens(t *testing.T, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	run := func(t *testing.T, menus store.Store[Menu], dishes store.Store[Dish], spices store.Store[Spice]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, kitchen(menus, dishes, spices)...)
		for _, name := range []string{"salt", "pepper", "mint"} {
			c.Send("POST /api/spices", `{"name":"`+name+`"}`).HasStatus(http.StatusCreated)
		}
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, memory.New[Menu](), memory.New[Dish](), memory.New[Spice]())
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			menus, dishes, spices := sqlstore.Table[Menu](db), sqlstore.Table[Dish](db), sqlstore.Table[Spice](db)
			if err := db.Create(t.Context(), menus, dishes, spices); err != nil {
				t.Fatal(err)
			}
			run(t, menus, dishes, spices)
		})
	}
}

func TestARecordInAListIsNotDeleted(t *testing.T) {
	t.Parallel()
	kitchens(t, func(_ *testing.T, c spec.Client) {
		c.Send("POST /api/dishes", `{"name":"soup","spices":["/api/spices/2","/api/spices/1"]}`).HasStatus(http.StatusCreated).
			Mentions(`"spices":["/api/spices/2","/api/spices/1"]`)
		c.Send("DELETE /api/spices/1", "").IsProblem(http.StatusConflict).Mentions("Dish.spices references it")
		c.Send("GET /api/dishes/1", "").Mentions(`"spices":["/api/spices/2","/api/spices/1"]`)
		c.Send("PATCH /api/dishes/1", `{"spices":["/api/spices/2"]}`).HasStatus(http.StatusOK)
		c.Send("DELETE /api/spices/1", "").HasStatus(http.StatusNoContent)
		c.Send("PATCH /api/dishes/1", `{"spices":["/api/spices/1"]}`).HasStatus(http.StatusBadRequest).Mentions(`"spices[0]"`)
		c.Send("DELETE /api/dishes/1", "").HasStatus(http.StatusNoContent)
		c.Send("DELETE /api/spices/2", "").HasStatus(http.StatusNoContent)
	})
}

func TestADeletedRecordIsTakenOutOfLists(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/dishes", `{"name":"dip"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/dishes", `{"name":"chips","dips":["/api/dishes/1","/api/dishes/2"],"maybe":["/api/spices/3","/api/spices/1","/api/spices/2"]}`).
			HasStatus(http.StatusBadRequest).Mentions(`"dips[1]"`)
		c.Send("POST /api/dishes", `{"name":"chips","dips":["/api/dishes/1"],"maybe":["/api/spices/3","/api/spices/1","/api/spices/2"]}`).
			HasStatus(http.StatusCreated)
		first := c.Send("GET /api/dishes/2", "").Header.Get("ETag")
		c.Send("DELETE /api/spices/1", "").HasStatus(http.StatusNoContent)
		second := c.Send("GET /api/dishes/2", "").Mentions(`"maybe":["/api/spices/3","/api/spices/2"]`, `"version":2`).Header.Get("ETag")
		c.Send("DELETE /api/dishes/1", "").HasStatus(http.StatusNoContent)
		third := c.Send("GET /api/dishes/2", "").Mentions(`"dips":[]`, `"version":3`).Header.Get("ETag")
		if first == second || second == third {
			t.Errorf("the tags of a record whose list shrinks are %s, %s and %s", first, second, third)
		}
		c.Send("PATCH /api/dishes/2", `{"name":"crisps"}`, "If-Match", second).HasStatus(http.StatusPreconditionFailed)
		c.Send("PATCH /api/dishes/2", `{"dips":["/api/dishes/2"]}`, "If-Match", third).HasStatus(http.StatusOK)
		c.Send("POST /api/menus", `{"dishes":["/api/dishes/2"],"best":"/api/dishes/2"}`).HasStatus(http.StatusCreated)
		c.Send("DELETE /api/dishes/2", "").IsProblem(http.StatusConflict).Mentions("Menu.dishes references it")
		c.Send("GET /api/dishes/2", "").Mentions(`"dips":["/api/dishes/2"]`)
		c.Send("PATCH /api/menus/1", `{"dishes":[]}`).HasStatus(http.StatusOK)
		c.Send("DELETE /api/dishes/2", "").HasStatus(http.StatusNoContent)
		c.Send("GET /api/menus/1", "").Is(http.StatusOK, `{"id":1,"dishes":[],"best":null}`)
	})
}

func TestARecordIsInAListOrDeletedButNotBoth(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/dishes", `{"name":"soup"}`).HasStatus(http.StatusCreated)
		for i := range 20 {
			spice := strconv.Itoa(i + 4)
			c.Send("POST /api/spices", `{"name":"x"}`).HasStatus(http.StatusCreated)
			var added, gone int
			var both sync.WaitGroup
			both.Go(func() { added = c.Send("PUT /api/dishes/1/spices/"+spice, "").Status })
			both.Go(func() { gone = c.Send("DELETE /api/spices/"+spice, "").Status })
			both.Wait()
			list := c.Send("GET /api/dishes/1", "").Body
			switch is := strings.Contains(list, `"/api/spices/`+spice+`"`); {
			case is && added == http.StatusNoContent && gone == http.StatusConflict:
				c.Send("DELETE /api/dishes/1/spices/"+spice, "").HasStatus(http.StatusNoContent)
			case !is && (added == http.StatusNotFound || added == http.StatusConflict) && gone == http.StatusNoContent:
			default:
				t.Errorf("the membership is answered %d, the delete %d, and the list is %s", added, gone, list)
			}
		}
	})
}

func TestARecordLeavesListsThatItIsAddedToMeanwhile(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/dishes", `{"name":"soup"}`).HasStatus(http.StatusCreated)
		for i := range 20 {
			spice := "/api/spices/" + strconv.Itoa(i+4)
			c.Send("POST /api/spices", `{"name":"x"}`).HasStatus(http.StatusCreated)
			var added, gone int
			var both sync.WaitGroup
			both.Go(func() { added = c.Send("PATCH /api/dishes/1", `{"maybe":["/api/spices/1","`+spice+`"]}`).Status })
			both.Go(func() { gone = c.Send("DELETE "+spice, "").Status })
			both.Wait()
			if added != http.StatusOK && added != http.StatusBadRequest || gone != http.StatusNoContent {
				t.Errorf("the change is answered %d, the delete %d; want 200 or 400, and 204", added, gone)
			}
			if list := c.Send("GET /api/dishes/1", "").Body; strings.Contains(list, spice+`"`) {
				t.Errorf("a list has what is deleted: %s", list)
			}
		}
	})
}

func TestMembershipsOnEachStore(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/dishes", `{"name":"soup","spices":["/api/spices/2"]}`).HasStatus(http.StatusCreated)
		for range 2 {
			c.Send("PUT /api/dishes/1/spices/1", "").Is(http.StatusNoContent, "")
			c.Send("GET /api/dishes/1", "").Mentions(`"spices":["/api/spices/2","/api/spices/1"]`, `"version":2`)
		}
		c.Send("PUT /api/dishes/1/spices/9", "").IsProblem(http.StatusNotFound).Mentions("The spice does not exist.")
		c.Send("DELETE /api/dishes/1/spices/2", "").Is(http.StatusNoContent, "")
		c.Send("DELETE /api/dishes/1/spices/2", "").IsProblem(http.StatusNotFound)
		var all sync.WaitGroup
		for _, id := range []string{"2", "3"} {
			all.Go(func() { c.Send("PUT /api/dishes/1/spices/"+id, "") })
		}
		all.Wait()
		if n := strings.Count(c.Send("GET /api/dishes/1", "").Body, "/api/spices/"); n != 3 {
			t.Errorf("the dish has %d spices, want 3", n)
		}
	})
}

func TestListsAreFilteredByTheirElements(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c spec.Client) {
		t.Helper()
		for _, body := range []string{
			`{"name":"a","spices":["/api/spices/1","/api/spices/2"],"labels":["red","hot"]}`,
			`{"name":"b","spices":["/api/spices/2"],"labels":["hot"]}`,
			`{"name":"c","labels":["re"]}`,
			`{"name":"d","spices":["/api/spices/3"],"labels":["Red"]}`,
		} {
			c.Send("POST /api/dishes", body).HasStatus(http.StatusCreated)
		}
		for query, want := range map[string]string{
			"spices=/api/spices/1":                      "a",
			"spices=/api/spices/2":                      "a b",
			"spices=/api/spices/1&spices=/api/spices/3": "a d",
			"spices=/api/spices/9":                      "",
			"labels=red":                                "a",
			"labels=hot&labels=re":                      "a b c",
			"labels=hot&spices=/api/spices/1":           "a",
			"labels=none":                               "",
		} {
			if got := c.Names("/api/dishes?sort=name&" + query); got != want {
				t.Errorf("%s finds %q, want %q", query, got, want)
			}
		}
		c.Send("GET /api/dishes?spices=1", "").IsProblem(http.StatusBadRequest).Mentions("must be the path of an existing Spice")
		c.Send("GET /api/dishes?spices[ne]=/api/spices/1", "").IsProblem(http.StatusBadRequest)
		if got := c.Names("/api/spices/2/dishes"); got != "a b" {
			t.Errorf("below the spice are %q", got)
		}
		c.Send("GET /api/spices/9/dishes", "").IsProblem(http.StatusNotFound).Mentions("The spice does not exist.")
		c.Send("GET /api/spices/2/dishes/1", "").HasStatus(http.StatusOK)
		c.Send("GET /api/spices/3/dishes/1", "").IsProblem(http.StatusNotFound)
		c.Send("GET /api/spices/2", "").Mentions(`"dishes":"/api/spices/2/dishes"`)
		c.Send("GET /api/dishes?expand=spices&labels=re", "").Mentions(`"_embedded":{"spices":[]}`)
	})
}
