package composite_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// Tour goes along ledges, and may rest at some. Stock is on ledges, and has what it is kept by in an
// object.
type Tour struct {
	ID     int64      `json:"id"`
	Name   string     `json:"name" api:"filter,sort"`
	Ledges []LedgeKey `json:"ledges" validate:"max=3" api:"ref=Ledge,expand,filter,through=name|place"`
	Rests  []LedgeKey `json:"rests" validate:"max=20" api:"ref=Ledge,ondelete=null"`
	Within struct {
		Also []LedgeKey `json:"also" validate:"max=20" api:"ref=Ledge"`
	} `json:"within"`
	Count int64 `json:"count" api:"version"`
}

// Shift is identified by two fields, too, so that its list has a table with two keys of several columns.
type Shift struct {
	Day    int64      `json:"day" api:"id"`
	Team   string     `json:"team" api:"id"`
	Ledges []LedgeKey `json:"ledges" validate:"max=20" api:"ref=Ledge,filter,expand"`
}

// tours runs a test on an API of ledges and tours on each sort of store.
func tours(t *testing.T, config resource.Config, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	run := func(t *testing.T, ledges store.Store[Ledge], guards store.Store[Guard], walks store.Store[Tour], shifts store.Store[Shift]) {
		t.Helper()
		c := spec.NewClient(t, config,
			resource.Of[Tour]{Store: walks, Operations: append(operation.Standard(),
				operation.Put{URITemplate: "/tours/{id}/ledges/{ledges}"}, operation.Delete{URITemplate: "/tours/{id}/ledges/{ledges}"},
				operation.GetCollection{URITemplate: "/ledges/{ledges}/tours"},
				operation.Get{Name: "whole", URITemplate: "/whole/{id}", Expand: []string{"ledges"}},
			)},
			resource.Of[Shift]{Store: shifts}, resource.Of[Guard]{Store: guards},
			resource.Of[Ledge]{Store: ledges, Inverse: map[string]string{"tours": "Tour.ledges"}})
		ref := `"/api/guards/1"`
		if config.References == resource.Identifiers {
			ref = "1"
		}
		c.Send("POST /api/guards", `{"name":"Ann"}`).HasStatus(http.StatusCreated)
		for _, ledge := range []string{`1,"place":"a","name":"low"`, `1,"place":"b;c/d","name":"high"`, `2,"place":"a","name":"far"`, `2,"place":"b","name":"low"`} {
			c.Send("POST /api/ledges", `{"hall":`+ledge+`,"guard":`+ref+`}`).HasStatus(http.StatusCreated)
		}
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, nil, nil, nil, nil)
	})
	for name, open := range spec.Databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			ledges, guards := sqlstore.Table[Ledge](db), sqlstore.Table[Guard](db)
			walks, shifts := sqlstore.Table[Tour](db), sqlstore.Table[Shift](db)
			if err := db.Create(t.Context(), walks, shifts, ledges, guards); err != nil {
				t.Fatal(err)
			}
			run(t, ledges, guards, walks, shifts)
		})
	}
}

const (
	lowAndOdd = `"/api/ledges/1;a","` + oddly + `"`
	oneTour   = `{"id":1,"name":"A","ledges":[` + lowAndOdd + `],"rests":[],"within":{"also":[]},"count":1}`
)

func TestAListOfReferencesToRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/tours", `{"name":"A","ledges":[`+lowAndOdd+`]}`).Is(http.StatusCreated, oneTour)
		c.Send("GET /api/tours/1", "").Is(http.StatusOK, oneTour)
		c.Send("GET /api/tours", "").Is(http.StatusOK, "["+oneTour+"]")
		c.Send("PATCH /api/tours/1", `{"ledges":["`+oddly+`"],"within":{"also":["/api/ledges/2;a"]}}`).HasStatus(http.StatusOK)
		c.Send("GET /api/tours/1", "").Mentions(`"ledges":["`+oddly+`"]`, `"also":["/api/ledges/2;a"]`, `"count":2`)
		c.Send("PATCH /api/tours/1", `{"ledges":[]}`).Mentions(`"ledges":[]`)
		c.Send("GET /api/tours/1", "").Mentions(`"ledges":[]`)
		c.Send("GET /api/ledges/1;a", "").HasStatus(http.StatusOK)
		c.Send("POST /api/shifts", `{"day":1,"team":"x","ledges":[`+lowAndOdd+`]}`).HasStatus(http.StatusCreated)
		c.Send("GET /api/shifts/1;x", "").Is(http.StatusOK, `{"day":1,"team":"x","ledges":[`+lowAndOdd+`]}`)
		c.Send("GET /api/shifts?ledges=/api/ledges/1%3Bb%253Bc%252Fd", "").Mentions(`"team":"x"`)
		c.Send("GET /api/shifts?ledges=/api/ledges/2%3Ba", "").Is(http.StatusOK, `[]`)
	})
}

func TestErrorsInAListOfReferencesToRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		const none = " must be the path of an existing Ledge, such as /api/ledges/{hall};{place}"
		for list, field := range map[string]string{
			`"/api/ledges/1;a","/api/ledges/3;a"`: "ledges[1]", `"/api/ledges/1%3Ba"`: "ledges[0]", `"/api/ledges/1;%61"`: "ledges[0]",
			`"1;a"`: "ledges[0]", `{"hall":1,"place":"a"}`: "ledges[0]", `"https://x/api/ledges/1;a"`: "ledges[0]", `"/api/ledges/01;a"`: "ledges[0]",
		} {
			spec.Client{T: t, Handler: c.Handler}.Send("POST /api/tours", `{"name":"A","ledges":[`+list+`]}`).IsInvalid(field, field+none)
		}
		c.Send("POST /api/tours", `{"ledges":["/api/ledges/1;a","/api/ledges/1;a"]}`).IsInvalid("ledges[1]", "ledges[1] is a duplicate")
		c.Send("POST /api/tours", `{"ledges":[`+lowAndOdd+`,"/api/ledges/2;a","/api/ledges/2;b"]}`).IsInvalid("ledges", "ledges must have at most 3 elements")
		c.Send("GET /api/tours", "").Is(http.StatusOK, `[]`)
	})
}

func TestMembershipsOfRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/tours", `{"name":"A","ledges":["/api/ledges/1;a"]}`).HasStatus(http.StatusCreated)
		const odd = "/api/tours/1/ledges/1%3Bb%253Bc%252Fd"
		for range 2 {
			c.Send("PUT "+odd, "").Is(http.StatusNoContent, "")
			c.Send("GET /api/tours/1", "").Mentions(`"ledges":[`+lowAndOdd+`]`, `"count":2`)
		}
		c.Send("PUT /api/tours/1/ledges/9;a", "").IsProblem(http.StatusNotFound).Mentions("The ledge does not exist.")
		c.Send("DELETE /api/tours/1/ledges/1;a", "").Is(http.StatusNoContent, "")
		c.Send("DELETE /api/tours/1/ledges/1;a", "").IsProblem(http.StatusNotFound)
		c.Send("GET /api/tours/1", "").Mentions(`"ledges":["` + oddly + `"]`)
		var both sync.WaitGroup
		for _, ledge := range []string{"1;a", "2;a"} {
			both.Go(func() { c.Send("PUT /api/tours/1/ledges/"+ledge, "").HasStatus(http.StatusNoContent) })
		}
		both.Wait()
		c.Send("GET /api/tours/1", "").Mentions(`"/api/ledges/1;a"`, `"/api/ledges/2;a"`, `"`+oddly+`"`)
	})
}

func TestFiltersByListsOfReferencesToRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		for _, ledges := range []string{lowAndOdd, `"/api/ledges/2;a"`, ``, `"/api/ledges/2;b","/api/ledges/2;a"`} {
			c.Send("POST /api/tours", `{"name":"A","ledges":[`+ledges+`]}`).HasStatus(http.StatusCreated)
		}
		for query, ids := range map[string]string{
			"ledges=/api/ledges/1%3Bb%253Bc%252Fd":                 `[{"id":1}]`,
			"ledges=/api/ledges/2%3Ba":                             `[{"id":2},{"id":4}]`,
			"ledges=/api/ledges/1%3Ba&ledges=/api/ledges/2%3Ba":    `[{"id":1},{"id":2},{"id":4}]`,
			"ledges=/api/ledges/7%3Ba":                             `[]`,
			"ledges.name=low":                                      `[{"id":1},{"id":4}]`,
			"ledges.name=low&ledges.place=a":                       `[{"id":1}]`,
			"ledges.name=far&ledges=/api/ledges/2%3Bb&sort=-name":  `[{"id":4}]`,
			"ledges.name=far&itemsPerPage=1&page=2":                `[{"id":4}]`,
			"ledges.name=low&ledges.name=far&sort=-name&name=A":    `[{"id":4},{"id":2},{"id":1}]`,
			"ledges.place=b%3Bc%2Fd&ledges=/api/ledges/1%3Ba":      `[{"id":1}]`,
			"ledges.name=far&ledges.place=b":                       `[]`,
			"ledges=/api/ledges/2%3Bb&ledges=/api/ledges/2%3Bb":    `[{"id":4}]`,
			"ledges=/api/ledges/2%3Bb&ledges=/api/ledges/3%3Bb%25": ``,
		} {
			answer := c.Send("GET /api/tours?"+query, "")
			if ids == "" {
				answer.IsProblem(http.StatusBadRequest)
			} else if answer.HasStatus(http.StatusOK).HasIDs(ids); t.Failed() {
				t.Fatal(query)
			}
		}
		c.Send("GET /api/ledges/2;a/tours", "").HasIDs(`[{"id":2},{"id":4}]`)
		c.Send("GET /api/ledges/9;a/tours", "").IsProblem(http.StatusNotFound)
		c.Send("GET /api/ledges/2;a", "").Mentions(`"tours":"/api/ledges/2%3Ba/tours"`)
	})
}

func TestWhatIsEmbeddedOfListsOfRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/tours", `{"name":"A","ledges":["`+oddly+`","/api/ledges/1;a"]}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/shifts", `{"day":1,"team":"x","ledges":["/api/ledges/1;a"]}`).HasStatus(http.StatusCreated)
		low, high := c.Send("GET /api/ledges/1;a", "").Body, c.Send("GET "+oddly, "").Body
		for _, target := range []string{"tours/1?expand=ledges", "whole/1", "tours?expand=ledges", "tours.ndjson?expand=ledges"} {
			c.Send("GET /api/"+target, "").HasStatus(http.StatusOK).Mentions(`"_embedded":{"ledges":[` + high + `,` + low + `]}`)
		}
		c.Send("GET /api/tours/1?expand=ledges.guard", "").Mentions(`"_embedded":{"guard":{"id":1,"name":"Ann"}}`)
		c.Send("GET /api/shifts/1;x?expand=ledges", "").Mentions(`"_embedded":{"ledges":[` + low + `]}`)
	})
}

func TestRecordsOfTwoIdentifiersThatListsReferTo(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/tours", `{"name":"A","ledges":[`+lowAndOdd+`],"rests":["/api/ledges/2;a","/api/ledges/2;b"]}`).HasStatus(http.StatusCreated)
		c.Send("DELETE "+oddly, "").IsProblem(http.StatusConflict).Mentions("Tour.ledges")
		c.Send("GET "+oddly, "").HasStatus(http.StatusOK)
		c.Send("DELETE /api/ledges/2;a", "").Is(http.StatusNoContent, "")
		c.Send("GET /api/tours/1", "").Mentions(`"rests":["/api/ledges/2;b"]`, `"count":2`, `"ledges":[`+lowAndOdd+`]`)
	})
}

func TestARecordOfTwoIdentifiersIsListedOrDeletedButNotBoth(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		for range 20 {
			c.Send("POST /api/ledges", `{"hall":5,"place":"x","name":"n","guard":"/api/guards/1"}`).HasStatus(http.StatusCreated)
			var made, gone spec.Response
			var both sync.WaitGroup
			both.Go(func() {
				made = c.Send("POST /api/tours", `{"name":"A","ledges":["/api/ledges/1;a","/api/ledges/5;x"]}`)
			})
			both.Go(func() { gone = c.Send("DELETE /api/ledges/5;x", "") })
			both.Wait()
			switch {
			case made.Status == http.StatusCreated && gone.Status == http.StatusConflict:
				c.Send("DELETE "+made.Header.Get("Location"), "").HasStatus(http.StatusNoContent)
				c.Send("DELETE /api/ledges/5;x", "").HasStatus(http.StatusNoContent)
			case made.Status == http.StatusBadRequest && gone.Status == http.StatusNoContent:
			default:
				t.Fatalf("the Post of the tour returns %d, the delete %d: %s%s", made.Status, gone.Status, made.Body, gone.Body)
			}
		}
		c.Send("GET /api/tours", "").Is(http.StatusOK, `[]`)
	})
}

func TestAListOfReferencesToRecordsOfTwoIdentifiersInEachFormat(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
	const linkage = `"ledges":{"data":[{"type":"ledges","id":"1;a"},{"type":"ledges","id":"1;b%3Bc%2Fd"}]`
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		tours(t, resource.Config{Formats: formats, References: references}, func(t *testing.T, c spec.Client) {
			t.Helper()
			list := lowAndOdd
			if references == resource.Identifiers {
				list = `"1;a","1;b%3Bc%2Fd"`
			}
			c.Send("POST /api/tours", `{"name":"A","ledges":[`+list+`]}`).HasStatus(http.StatusCreated).Mentions(`"ledges":[` + list + `]`)
			c.Send("GET /api/tours/1.jsonld", "").HasStatus(http.StatusOK).Mentions(`"ledges":[` + list + `]`)
			c.Send("GET /api/tours/1.jsonhal", "").HasStatus(http.StatusOK).Mentions(`"ledges":[{"href":"/api/ledges/1;a"},{"href":"` + oddly + `"}]`)
			c.Send("GET /api/tours/1.jsonapi?expand=ledges", "").HasStatus(http.StatusOK).Mentions(linkage, `"included":[{"type":"ledges","id":"1;a"`)
			c.Send("GET /api/tours.csv", "").HasStatus(http.StatusOK).Mentions("1;b%3Bc%2Fd")
		})
	}
}

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
