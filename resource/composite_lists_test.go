package resource_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/format/msgpack"
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
func tours(t *testing.T, config resource.Config, test func(t *testing.T, c client)) {
	t.Helper()
	run := func(t *testing.T, ledges store.Store[Ledge], guards store.Store[Guard], walks store.Store[Tour], shifts store.Store[Shift]) {
		t.Helper()
		c := newClient(t, config,
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
		c.send("POST /api/guards", `{"name":"Ann"}`).hasStatus(http.StatusCreated)
		for _, ledge := range []string{`1,"place":"a","name":"low"`, `1,"place":"b;c/d","name":"high"`, `2,"place":"a","name":"far"`, `2,"place":"b","name":"low"`} {
			c.send("POST /api/ledges", `{"hall":`+ledge+`,"guard":`+ref+`}`).hasStatus(http.StatusCreated)
		}
		test(t, c)
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		run(t, nil, nil, nil, nil)
	})
	for name, open := range databases(t) {
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
	tours(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/tours", `{"name":"A","ledges":[`+lowAndOdd+`]}`).is(http.StatusCreated, oneTour)
		c.send("GET /api/tours/1", "").is(http.StatusOK, oneTour)
		c.send("GET /api/tours", "").is(http.StatusOK, "["+oneTour+"]")
		c.send("PATCH /api/tours/1", `{"ledges":["`+oddly+`"],"within":{"also":["/api/ledges/2;a"]}}`).hasStatus(http.StatusOK)
		c.send("GET /api/tours/1", "").mentions(`"ledges":["`+oddly+`"]`, `"also":["/api/ledges/2;a"]`, `"count":2`)
		c.send("PATCH /api/tours/1", `{"ledges":[]}`).mentions(`"ledges":[]`)
		c.send("GET /api/tours/1", "").mentions(`"ledges":[]`)
		c.send("GET /api/ledges/1;a", "").hasStatus(http.StatusOK)
		c.send("POST /api/shifts", `{"day":1,"team":"x","ledges":[`+lowAndOdd+`]}`).hasStatus(http.StatusCreated)
		c.send("GET /api/shifts/1;x", "").is(http.StatusOK, `{"day":1,"team":"x","ledges":[`+lowAndOdd+`]}`)
		c.send("GET /api/shifts?ledges=/api/ledges/1%3Bb%253Bc%252Fd", "").mentions(`"team":"x"`)
		c.send("GET /api/shifts?ledges=/api/ledges/2%3Ba", "").is(http.StatusOK, `[]`)
	})
}

func TestWhatIsRefusedInAListOfReferencesToRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		const none = " must be the address of an existing Ledge, like /api/ledges/{hall};{place}"
		for list, field := range map[string]string{
			`"/api/ledges/1;a","/api/ledges/3;a"`: "ledges[1]", `"/api/ledges/1%3Ba"`: "ledges[0]", `"/api/ledges/1;%61"`: "ledges[0]",
			`"1;a"`: "ledges[0]", `{"hall":1,"place":"a"}`: "ledges[0]", `"https://x/api/ledges/1;a"`: "ledges[0]", `"/api/ledges/01;a"`: "ledges[0]",
		} {
			client{t, c.handler}.send("POST /api/tours", `{"name":"A","ledges":[`+list+`]}`).isInvalid(field, field+none)
		}
		c.send("POST /api/tours", `{"ledges":["/api/ledges/1;a","/api/ledges/1;a"]}`).isInvalid("ledges[1]", "ledges[1] is in the list already")
		c.send("POST /api/tours", `{"ledges":[`+lowAndOdd+`,"/api/ledges/2;a","/api/ledges/2;b"]}`).isInvalid("ledges", "ledges must have at most 3 elements")
		c.send("GET /api/tours", "").is(http.StatusOK, `[]`)
	})
}

func TestMembershipsOfRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/tours", `{"name":"A","ledges":["/api/ledges/1;a"]}`).hasStatus(http.StatusCreated)
		const odd = "/api/tours/1/ledges/1%3Bb%253Bc%252Fd"
		for range 2 {
			c.send("PUT "+odd, "").is(http.StatusNoContent, "")
			c.send("GET /api/tours/1", "").mentions(`"ledges":[`+lowAndOdd+`]`, `"count":2`)
		}
		c.send("PUT /api/tours/1/ledges/9;a", "").isProblem(http.StatusNotFound).mentions("There is no such Ledge.")
		c.send("DELETE /api/tours/1/ledges/1;a", "").is(http.StatusNoContent, "")
		c.send("DELETE /api/tours/1/ledges/1;a", "").isProblem(http.StatusNotFound)
		c.send("GET /api/tours/1", "").mentions(`"ledges":["` + oddly + `"]`)
		var both sync.WaitGroup
		for _, ledge := range []string{"1;a", "2;a"} {
			both.Go(func() { c.send("PUT /api/tours/1/ledges/"+ledge, "").hasStatus(http.StatusNoContent) })
		}
		both.Wait()
		c.send("GET /api/tours/1", "").mentions(`"/api/ledges/1;a"`, `"/api/ledges/2;a"`, `"`+oddly+`"`)
	})
}

func TestWhatIsAskedOfListsOfReferencesToRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		for _, ledges := range []string{lowAndOdd, `"/api/ledges/2;a"`, ``, `"/api/ledges/2;b","/api/ledges/2;a"`} {
			c.send("POST /api/tours", `{"name":"A","ledges":[`+ledges+`]}`).hasStatus(http.StatusCreated)
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
			answer := c.send("GET /api/tours?"+query, "")
			if ids == "" {
				answer.isProblem(http.StatusBadRequest)
			} else if answer.hasStatus(http.StatusOK).hasIDs(ids); t.Failed() {
				t.Fatal(query)
			}
		}
		c.send("GET /api/ledges/2;a/tours", "").hasIDs(`[{"id":2},{"id":4}]`)
		c.send("GET /api/ledges/9;a/tours", "").isProblem(http.StatusNotFound)
		c.send("GET /api/ledges/2;a", "").mentions(`"tours":"/api/ledges/2%3Ba/tours"`)
	})
}

func TestWhatIsEmbeddedOfListsOfRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/tours", `{"name":"A","ledges":["`+oddly+`","/api/ledges/1;a"]}`).hasStatus(http.StatusCreated)
		c.send("POST /api/shifts", `{"day":1,"team":"x","ledges":["/api/ledges/1;a"]}`).hasStatus(http.StatusCreated)
		low, high := c.send("GET /api/ledges/1;a", "").body, c.send("GET "+oddly, "").body
		for _, target := range []string{"tours/1?expand=ledges", "whole/1", "tours?expand=ledges", "tours.ndjson?expand=ledges"} {
			c.send("GET /api/"+target, "").hasStatus(http.StatusOK).mentions(`"_embedded":{"ledges":[` + high + `,` + low + `]}`)
		}
		c.send("GET /api/tours/1?expand=ledges.guard", "").mentions(`"_embedded":{"guard":{"id":1,"name":"Ann"}}`)
		c.send("GET /api/shifts/1;x?expand=ledges", "").mentions(`"_embedded":{"ledges":[` + low + `]}`)
	})
}

func TestRecordsOfTwoIdentifiersThatListsReferTo(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/tours", `{"name":"A","ledges":[`+lowAndOdd+`],"rests":["/api/ledges/2;a","/api/ledges/2;b"]}`).hasStatus(http.StatusCreated)
		c.send("DELETE "+oddly, "").isProblem(http.StatusConflict).mentions("Tour.ledges")
		c.send("GET "+oddly, "").hasStatus(http.StatusOK)
		c.send("DELETE /api/ledges/2;a", "").is(http.StatusNoContent, "")
		c.send("GET /api/tours/1", "").mentions(`"rests":["/api/ledges/2;b"]`, `"count":2`, `"ledges":[`+lowAndOdd+`]`)
	})
}

func TestARecordOfTwoIdentifiersIsListedOrDeletedButNotBoth(t *testing.T) {
	t.Parallel()
	tours(t, resource.Config{}, func(t *testing.T, c client) {
		t.Helper()
		for range 20 {
			c.send("POST /api/ledges", `{"hall":5,"place":"x","name":"n","guard":"/api/guards/1"}`).hasStatus(http.StatusCreated)
			var made, gone answer
			var both sync.WaitGroup
			both.Go(func() {
				made = c.send("POST /api/tours", `{"name":"A","ledges":["/api/ledges/1;a","/api/ledges/5;x"]}`)
			})
			both.Go(func() { gone = c.send("DELETE /api/ledges/5;x", "") })
			both.Wait()
			switch {
			case made.status == http.StatusCreated && gone.status == http.StatusConflict:
				c.send("DELETE "+made.header.Get("Location"), "").hasStatus(http.StatusNoContent)
				c.send("DELETE /api/ledges/5;x", "").hasStatus(http.StatusNoContent)
			case made.status == http.StatusBadRequest && gone.status == http.StatusNoContent:
			default:
				t.Fatalf("the tour is answered by %d, the delete by %d: %s%s", made.status, gone.status, made.body, gone.body)
			}
		}
		c.send("GET /api/tours", "").is(http.StatusOK, `[]`)
	})
}

func TestAListOfReferencesToRecordsOfTwoIdentifiersInEachFormat(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format, msgpack.Format)
	const linkage = `"ledges":{"data":[{"type":"ledges","id":"1;a"},{"type":"ledges","id":"1;b%3Bc%2Fd"}]`
	for _, references := range []resource.References{resource.Addresses, resource.Identifiers} {
		tours(t, resource.Config{Formats: formats, References: references}, func(t *testing.T, c client) {
			t.Helper()
			list := lowAndOdd
			if references == resource.Identifiers {
				list = `"1;a","1;b%3Bc%2Fd"`
			}
			c.send("POST /api/tours", `{"name":"A","ledges":[`+list+`]}`).hasStatus(http.StatusCreated).mentions(`"ledges":[` + list + `]`)
			c.send("GET /api/tours/1.jsonld", "").hasStatus(http.StatusOK).mentions(`"ledges":[` + list + `]`)
			c.send("GET /api/tours/1.jsonhal", "").hasStatus(http.StatusOK).mentions(`"ledges":[{"href":"/api/ledges/1;a"},{"href":"` + oddly + `"}]`)
			c.send("GET /api/tours/1.jsonapi?expand=ledges", "").hasStatus(http.StatusOK).mentions(linkage, `"included":[{"type":"ledges","id":"1;a"`)
			c.send("GET /api/tours.csv", "").hasStatus(http.StatusOK).mentions("1;b%3Bc%2Fd")
			packed := c.send("GET /api/tours/1.msgpack?expand=ledges", "").hasStatus(http.StatusOK)
			if got, want := unpacked(t, packed.body), c.send("GET /api/tours/1?expand=ledges", "").body; got != want {
				t.Errorf("MessagePack has %s, want %s", got, want)
			}
			c.send("PATCH /api/tours/1", packed.body, "Content-Type", msgpack.MediaType).hasStatus(http.StatusBadRequest).mentions("_embedded")
			c.send("PUT /api/tours/1", c.send("GET /api/tours/1.msgpack", "").body, "Content-Type", msgpack.MediaType).mentions(`"ledges":[` + list + `]`)
			header := []string{"Accept", jsonapi.MediaType, "Content-Type", jsonapi.MediaType}
			body := func(id string) string { return `{"data":[{"type":"ledges","id":"` + id + `"}]}` }
			const at = " /api/tours/1/relationships/ledges"
			c.send("GET"+at, "", header...).hasStatus(http.StatusOK).mentions(linkage[len(`"ledges":{`):])
			c.send("POST"+at, body("2;a"), header...).hasStatus(http.StatusNoContent)
			c.send("DELETE"+at, body("1;b%3Bc%2Fd"), header...).hasStatus(http.StatusNoContent)
			c.send("GET"+at, "", header...).mentions(`[{"type":"ledges","id":"1;a"},{"type":"ledges","id":"2;a"}]`)
			c.send("POST"+at, body("9;a"), header...).hasStatus(http.StatusBadRequest)
			c.send("PATCH"+at, body("1;b%3Bc%2Fd"), header...).hasStatus(http.StatusNoContent)
			c.send("GET"+at, "", header...).mentions(`[{"type":"ledges","id":"1;b%3Bc%2Fd"}]`)
		})
	}
}

// unpacked returns the JSON that a text of MessagePack stands for.
func unpacked(t testing.TB, text string) string {
	t.Helper()
	read, err := msgpack.Format.Read(&format.Body{Bytes: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return string(read)
}
