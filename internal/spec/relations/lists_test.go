package relations_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
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
				t.Errorf("the Put of the membership returns %d, the delete %d, and the list is %s", added, gone, list)
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
				t.Errorf("the Patch returns %d, the delete %d; want 200 or 400, and 204", added, gone)
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
		c.Send("DELETE /api/dishes/1/spices/2", "").IsProblem(http.StatusNotFound).Mentions("The reference to the spice does not exist.")
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
			if got := namesOf(c, "/api/dishes?sort=name&"+query); got != want {
				t.Errorf("%s finds %q, want %q", query, got, want)
			}
		}
		c.Send("GET /api/dishes?spices=1", "").IsProblem(http.StatusBadRequest).Mentions("must be the path of an existing Spice")
		c.Send("GET /api/dishes?spices[ne]=/api/spices/1", "").IsProblem(http.StatusBadRequest)
		if got := namesOf(c, "/api/spices/2/dishes"); got != "a b" {
			t.Errorf("below the spice are %q", got)
		}
		c.Send("GET /api/spices/9/dishes", "").IsProblem(http.StatusNotFound).Mentions("The spice does not exist.")
		c.Send("GET /api/spices/2/dishes/1", "").HasStatus(http.StatusOK)
		c.Send("GET /api/spices/3/dishes/1", "").IsProblem(http.StatusNotFound)
		c.Send("GET /api/spices/2", "").Mentions(`"dishes":"/api/spices/2/dishes"`)
		c.Send("GET /api/dishes?expand=spices&labels=re", "").Mentions(`"_embedded":{"spices":[]}`)
	})
}

// Oath has witnesses, each of whom sees himself alone.
type Oath struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Witnesses []int64 `json:"witnesses" validate:"max=3" api:"ref=Bosun,filter"`
}

func TestAHiddenRecordInListsIsLikeOneThatIsMissing(t *testing.T) {
	t.Parallel()
	self := access.Equal("id", func(c *Bosun) int64 { return c.ID })
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
		access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (*Bosun, access.Scopes, error) {
			if key != "one" {
				return nil, nil, access.ErrCredentials
			}
			return &Bosun{ID: 1}, nil, nil
		}),
	}},
		resource.Of[Oath]{
			Access:     access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
			Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/bosuns/{witnesses}/oaths"}),
		},
		resource.Of[Bosun]{Access: access.Rules{Read: self, Create: access.Public, Update: self, Delete: access.Public}})
	for range 2 {
		c.Send("POST /api/bosuns", `{"name":"Ann","coin":5}`).HasStatus(http.StatusCreated)
	}
	c.Send("POST /api/oaths", `{"name":"a","witnesses":["/api/bosuns/1"]}`, "X-API-Key", "one").HasStatus(http.StatusCreated)
	for query, want := range map[string]string{
		"witnesses=/api/bosuns/1":                           `[{"id":1,"name":"a","witnesses":["/api/bosuns/1"]}]`,
		"witnesses=/api/bosuns/2":                           `[]`,
		"witnesses=/api/bosuns/9":                           `[]`,
		"witnesses=/api/bosuns/2&witnesses=/api/bosuns/1":   `[{"id":1,"name":"a","witnesses":["/api/bosuns/1"]}]`,
		"witnesses=/api/bosuns/2&witnesses=/api/bosuns/999": `[]`,
	} {
		c.Send("GET /api/oaths?"+query, "", "X-API-Key", "one").Is(http.StatusOK, want)
	}
	c.Send("GET /api/oaths?witnesses=/api/bosuns/1", "").Is(http.StatusOK, `[]`)
	c.Send("GET /api/bosuns/1/oaths", "", "X-API-Key", "one").Mentions(`"name":"a"`)
	missing := c.Send("GET /api/bosuns/9/oaths", "", "X-API-Key", "one").IsProblem(http.StatusNotFound)
	c.Send("GET /api/bosuns/2/oaths", "", "X-API-Key", "one").Is(http.StatusNotFound, missing.Body)
}

// Kite has a list of each sort that filters look into.
type Kite struct {
	ID     int64    `json:"id"`
	Spices []int64  `json:"spices" validate:"max=5" api:"ref=Spice,filter"`
	Labels []string `json:"labels" validate:"max=5,dive,oneof=red green" api:"filter=contains"`
	Counts []int16  `json:"counts" api:"filter=contains"`
}

func TestFiltersOfListsAreDocumented(t *testing.T) {
	t.Parallel()
	for references, want := range map[resource.References]string{
		resource.Paths:       `"pattern":"^/api/spices/(0|-?[1-9][0-9]*)$"`,
		resource.Identifiers: `"type":"integer"`,
	} {
		api, err := resource.New(resource.Config{References: references}, resource.Of[Kite]{}, resource.Of[Spice]{})
		if err != nil {
			t.Fatal(err)
		}
		doc, err := openapi.Document(api, openapi.Config{Title: "Kites", Version: "1"})
		if err != nil {
			t.Fatal(err)
		}
		parameters := doc.Paths.Value("/api/kites").Get.Parameters
		for name, want := range map[string]string{"spices": want, "labels": `"enum":["red","green"]`, "counts": `"type":"integer"`} {
			text, err := json.Marshal(parameters.GetByInAndName("query", name).Schema)
			if err != nil || !strings.Contains(string(text), want) || !strings.Contains(string(text), `"type":"array"`) {
				t.Errorf("%s is described as %s, want %s (%v)", name, text, want, err)
			}
		}
		if parameters.GetByInAndName("query", "labels[ne]") != nil {
			t.Error("a list has a filter that is not known")
		}
		openapitest.Conform(t, api, openapitest.Requests(40))
	}
	api, err := resource.New(resource.Config{}, kitchen(nil, nil, nil)...)
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(40))
}

// newLockers returns an API whose trunk 1 has the medal of gold, and may have three.
func newLockers(t testing.TB) spec.Client {
	t.Helper()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Pirate]{}, resource.Of[Medal]{}, resource.Of[Trunk]{
		Operations: append(operation.Standard(),
			operation.Put{URITemplate: "/trunks/{id}/medals/{medals}"}, operation.Delete{URITemplate: "/trunks/{id}/medals/{medals}"}),
	})
	settle(c)
	c.Send("POST /api/trunks", `{"label":"A","owner":"/api/pirates/1","medals":["/api/medals/gold"]}`).HasStatus(http.StatusCreated)
	return c
}

func TestAMembershipIsPutAndDeleted(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	tag := c.Send("GET /api/trunks/1", "").Header.Get("ETag")
	c.Send("PUT /api/trunks/1/medals/gold", "").Is(http.StatusNoContent, "")
	c.Send("GET /api/trunks/1", "").Has("ETag", tag)
	for range 2 {
		c.Send("PUT /api/trunks/1/medals/tin%2Fold", "").Is(http.StatusNoContent, "")
		c.Send("GET /api/trunks/1", "").Mentions(`"medals":["/api/medals/gold","/api/medals/tin%2Fold"]`)
	}
	c.Send("PUT /api/trunks/1/medals/none", "").IsProblem(http.StatusNotFound).Mentions("The medal does not exist.")
	c.Send("PUT /api/trunks/9/medals/gold", "").IsProblem(http.StatusNotFound).Mentions("The trunk does not exist.")
	c.Send("DELETE /api/trunks/1/medals/gold", "").Is(http.StatusNoContent, "")
	c.Send("DELETE /api/trunks/1/medals/gold", "").IsProblem(http.StatusNotFound)
	c.Send("GET /api/trunks/1", "").Mentions(`"medals":["/api/medals/tin%2Fold"]`)
	c.Send("GET /api/medals/gold", "").HasStatus(http.StatusOK)
	c.Send("PUT /api/trunks/1/medals/gold", "", "If-Match", tag).HasStatus(http.StatusPreconditionFailed)
}

func TestMembershipsRespectTheLimit(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	for _, name := range []string{"b", "c", "d"} {
		c.Send("POST /api/medals", `{"name":"`+name+`","worth":1}`).HasStatus(http.StatusCreated)
	}
	c.Send("PUT /api/trunks/1/medals/b", "").HasStatus(http.StatusNoContent)
	c.Send("PUT /api/trunks/1/medals/c", "").HasStatus(http.StatusNoContent)
	c.Send("PUT /api/trunks/1/medals/d", "").IsInvalid("medals", "medals must have at most 3 elements")
}

func TestConcurrentMembershipsAreAllSaved(t *testing.T) {
	t.Parallel()
	c := newLockers(t)
	c.Send("POST /api/medals", `{"name":"b","worth":1}`).HasStatus(http.StatusCreated)
	var both sync.WaitGroup
	for _, name := range []string{"b", "tin%2Fold"} {
		both.Go(func() { c.Send("PUT /api/trunks/1/medals/"+name, "") })
	}
	both.Wait()
	if n := strings.Count(c.Send("GET /api/trunks/1", "").Body, "/api/medals/"); n != 3 {
		t.Errorf("the trunk has %d medals, want 3", n)
	}
}

func TestMembershipsAreNamedAfterWhatTheyAdd(t *testing.T) {
	t.Parallel()
	api, ok := newLockers(t).Handler.(*resource.API)
	if !ok {
		t.Fatal("the handler is no API")
	}
	ids := map[string]string{}
	for _, route := range api.Routes() {
		ids[route.Method+" "+route.Path] = route.Operation
	}
	for route, want := range map[string]string{
		"PUT /api/trunks/{id}/medals/{medals}": "addTrunkMedal", "DELETE /api/trunks/{id}/medals/{medals}": "removeTrunkMedal",
	} {
		if ids[route] != want {
			t.Errorf("%s is called %q, want %q", route, ids[route], want)
		}
	}
}

// namesOf returns the names of the records of a collection, in its order.
func namesOf(c spec.Client, path string) string {
	c.T.Helper()
	var names []string
	for part := range strings.SplitSeq(c.Send("GET "+path, "").HasStatus(http.StatusOK).Body, `"name":"`) {
		if name, _, found := strings.Cut(part, `"`); found && len(name) == 1 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}
