package composite_test

import (
	"net/http"
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
				t.Fatalf("the tour is answered by %d, the delete by %d: %s%s", made.Status, gone.Status, made.Body, gone.Body)
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
