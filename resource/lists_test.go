package resource_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

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
func kitchens(t *testing.T, test func(t *testing.T, c client)) {
	t.Helper()
	run := func(t *testing.T, menus store.Store[Menu], dishes store.Store[Dish], spices store.Store[Spice]) {
		t.Helper()
		c := newClient(t, resource.Config{}, kitchen(menus, dishes, spices)...)
		for _, name := range []string{"salt", "pepper", "mint"} {
			c.send("POST /api/spices", `{"name":"`+name+`"}`).hasStatus(http.StatusCreated)
		}
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, memory.New[Menu](), memory.New[Dish](), memory.New[Spice]())
	})
	for name, open := range databases(t) {
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
	kitchens(t, func(_ *testing.T, c client) {
		c.send("POST /api/dishes", `{"name":"soup","spices":["/api/spices/2","/api/spices/1"]}`).hasStatus(http.StatusCreated).
			mentions(`"spices":["/api/spices/2","/api/spices/1"]`)
		c.send("DELETE /api/spices/1", "").isProblem(http.StatusConflict).mentions("Dish.spices refers to it")
		c.send("GET /api/dishes/1", "").mentions(`"spices":["/api/spices/2","/api/spices/1"]`)
		c.send("PATCH /api/dishes/1", `{"spices":["/api/spices/2"]}`).hasStatus(http.StatusOK)
		c.send("DELETE /api/spices/1", "").hasStatus(http.StatusNoContent)
		c.send("PATCH /api/dishes/1", `{"spices":["/api/spices/1"]}`).hasStatus(http.StatusBadRequest).mentions(`"spices[0]"`)
		c.send("DELETE /api/dishes/1", "").hasStatus(http.StatusNoContent)
		c.send("DELETE /api/spices/2", "").hasStatus(http.StatusNoContent)
	})
}

func TestADeletedRecordIsTakenOutOfLists(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/dishes", `{"name":"dip"}`).hasStatus(http.StatusCreated)
		c.send("POST /api/dishes", `{"name":"chips","dips":["/api/dishes/1","/api/dishes/2"],"maybe":["/api/spices/3","/api/spices/1","/api/spices/2"]}`).
			hasStatus(http.StatusBadRequest).mentions(`"dips[1]"`)
		c.send("POST /api/dishes", `{"name":"chips","dips":["/api/dishes/1"],"maybe":["/api/spices/3","/api/spices/1","/api/spices/2"]}`).
			hasStatus(http.StatusCreated)
		first := c.send("GET /api/dishes/2", "").header.Get("ETag")
		c.send("DELETE /api/spices/1", "").hasStatus(http.StatusNoContent)
		second := c.send("GET /api/dishes/2", "").mentions(`"maybe":["/api/spices/3","/api/spices/2"]`, `"version":2`).header.Get("ETag")
		c.send("DELETE /api/dishes/1", "").hasStatus(http.StatusNoContent)
		third := c.send("GET /api/dishes/2", "").mentions(`"dips":[]`, `"version":3`).header.Get("ETag")
		if first == second || second == third {
			t.Errorf("the tags of a record whose list shrinks are %s, %s and %s", first, second, third)
		}
		c.send("PATCH /api/dishes/2", `{"name":"crisps"}`, "If-Match", second).hasStatus(http.StatusPreconditionFailed)
		c.send("PATCH /api/dishes/2", `{"dips":["/api/dishes/2"]}`, "If-Match", third).hasStatus(http.StatusOK)
		c.send("POST /api/menus", `{"dishes":["/api/dishes/2"],"best":"/api/dishes/2"}`).hasStatus(http.StatusCreated)
		c.send("DELETE /api/dishes/2", "").isProblem(http.StatusConflict).mentions("Menu.dishes refers to it")
		c.send("GET /api/dishes/2", "").mentions(`"dips":["/api/dishes/2"]`)
		c.send("PATCH /api/menus/1", `{"dishes":[]}`).hasStatus(http.StatusOK)
		c.send("DELETE /api/dishes/2", "").hasStatus(http.StatusNoContent)
		c.send("GET /api/menus/1", "").is(http.StatusOK, `{"id":1,"dishes":[],"best":null}`)
	})
}

func TestARecordIsInAListOrDeletedButNotBoth(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/dishes", `{"name":"soup"}`).hasStatus(http.StatusCreated)
		for i := range 20 {
			spice := strconv.Itoa(i + 4)
			c.send("POST /api/spices", `{"name":"x"}`).hasStatus(http.StatusCreated)
			var added, gone int
			var both sync.WaitGroup
			both.Go(func() { added = c.send("PUT /api/dishes/1/spices/"+spice, "").status })
			both.Go(func() { gone = c.send("DELETE /api/spices/"+spice, "").status })
			both.Wait()
			list := c.send("GET /api/dishes/1", "").body
			switch is := strings.Contains(list, `"/api/spices/`+spice+`"`); {
			case is && added == http.StatusNoContent && gone == http.StatusConflict:
				c.send("DELETE /api/dishes/1/spices/"+spice, "").hasStatus(http.StatusNoContent)
			case !is && (added == http.StatusNotFound || added == http.StatusConflict) && gone == http.StatusNoContent:
			default:
				t.Errorf("the membership is answered %d, the delete %d, and the list is %s", added, gone, list)
			}
		}
	})
}

func TestARecordLeavesListsThatItIsAddedToMeanwhile(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/dishes", `{"name":"soup"}`).hasStatus(http.StatusCreated)
		for i := range 20 {
			spice := "/api/spices/" + strconv.Itoa(i+4)
			c.send("POST /api/spices", `{"name":"x"}`).hasStatus(http.StatusCreated)
			var added, gone int
			var both sync.WaitGroup
			both.Go(func() { added = c.send("PATCH /api/dishes/1", `{"maybe":["/api/spices/1","`+spice+`"]}`).status })
			both.Go(func() { gone = c.send("DELETE "+spice, "").status })
			both.Wait()
			if added != http.StatusOK && added != http.StatusBadRequest || gone != http.StatusNoContent {
				t.Errorf("the change is answered %d, the delete %d; want 200 or 400, and 204", added, gone)
			}
			if list := c.send("GET /api/dishes/1", "").body; strings.Contains(list, spice+`"`) {
				t.Errorf("a list has what is deleted: %s", list)
			}
		}
	})
}

func TestMembershipsOnEachStore(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/dishes", `{"name":"soup","spices":["/api/spices/2"]}`).hasStatus(http.StatusCreated)
		for range 2 {
			c.send("PUT /api/dishes/1/spices/1", "").is(http.StatusNoContent, "")
			c.send("GET /api/dishes/1", "").mentions(`"spices":["/api/spices/2","/api/spices/1"]`, `"version":2`)
		}
		c.send("PUT /api/dishes/1/spices/9", "").isProblem(http.StatusNotFound).mentions("There is no such Spice.")
		c.send("DELETE /api/dishes/1/spices/2", "").is(http.StatusNoContent, "")
		c.send("DELETE /api/dishes/1/spices/2", "").isProblem(http.StatusNotFound)
		var all sync.WaitGroup
		for _, id := range []string{"2", "3"} {
			all.Go(func() { c.send("PUT /api/dishes/1/spices/"+id, "") })
		}
		all.Wait()
		if n := strings.Count(c.send("GET /api/dishes/1", "").body, "/api/spices/"); n != 3 {
			t.Errorf("the dish has %d spices, want 3", n)
		}
	})
}

func TestListsAreFilteredByTheirElements(t *testing.T) {
	t.Parallel()
	kitchens(t, func(t *testing.T, c client) {
		t.Helper()
		for _, body := range []string{
			`{"name":"a","spices":["/api/spices/1","/api/spices/2"],"labels":["red","hot"]}`,
			`{"name":"b","spices":["/api/spices/2"],"labels":["hot"]}`,
			`{"name":"c","labels":["re"]}`,
			`{"name":"d","spices":["/api/spices/3"],"labels":["Red"]}`,
		} {
			c.send("POST /api/dishes", body).hasStatus(http.StatusCreated)
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
			if got := c.names("/api/dishes?sort=name&" + query); got != want {
				t.Errorf("%s finds %q, want %q", query, got, want)
			}
		}
		c.send("GET /api/dishes?spices=1", "").isProblem(http.StatusBadRequest).mentions("must be the address of an existing Spice")
		c.send("GET /api/dishes?spices[ne]=/api/spices/1", "").isProblem(http.StatusBadRequest)
		if got := c.names("/api/spices/2/dishes"); got != "a b" {
			t.Errorf("below the spice are %q", got)
		}
		c.send("GET /api/spices/9/dishes", "").isProblem(http.StatusNotFound).mentions("There is no such Spice.")
		c.send("GET /api/spices/2/dishes/1", "").hasStatus(http.StatusOK)
		c.send("GET /api/spices/3/dishes/1", "").isProblem(http.StatusNotFound)
		c.send("GET /api/spices/2", "").mentions(`"dishes":"/api/spices/2/dishes"`)
		c.send("GET /api/dishes?expand=spices&labels=re", "").mentions(`"_embedded":{"spices":[]}`)
	})
}

// names returns the names of the records of a collection, in its order.
func (c client) names(path string) string {
	c.t.Helper()
	var names []string
	for part := range strings.SplitSeq(c.send("GET "+path, "").hasStatus(http.StatusOK).body, `"name":"`) {
		if name, _, found := strings.Cut(part, `"`); found && len(name) == 1 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}
