package composite_test

import (
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

// Ledge is identified by its hall and its place there; a parcel lies on one, and may have a spare
// one; a wax goes with its ledge.
type Ledge struct {
	Hall  int64  `json:"hall" api:"id,filter"`
	Place string `json:"place" api:"id,filter,sort" validate:"max=20"`
	Name  string `json:"name" api:"filter,sort"`
	Guard int64  `json:"guard" api:"ref=Guard,expand"`
}

type Guard struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type LedgeKey struct {
	Hall  int64  `json:"hall"`
	Place string `json:"place"`
}

type Parcel struct {
	ID    int64     `json:"id"`
	Name  string    `json:"name" validate:"notblank" api:"filter,sort"`
	Ledge LedgeKey  `json:"ledge" api:"ref=Ledge,expand,filter,through=name|place"`
	Spare *LedgeKey `json:"spare" api:"ref=Ledge,expand,filter=exact|exists,ondelete=null"`
	Count int64     `json:"count" api:"version"`
}

type Wax struct {
	ID    int64    `json:"id"`
	Ledge LedgeKey `json:"ledge" api:"ref=Ledge,ondelete=cascade"`
}

// warehouses runs a test on an API of ledges and parcels on each sort of store.
func warehouses(t *testing.T, config resource.Config, test func(t *testing.T, c spec.Client)) {
	t.Helper()
	run := func(t *testing.T, ledges store.Store[Ledge], guards store.Store[Guard], parcels store.Store[Parcel], waxes store.Store[Wax]) {
		t.Helper()
		c := spec.NewClient(t, config,
			resource.Of[Parcel]{Store: parcels, Operations: append(operation.Standard(),
				operation.GetCollection{URITemplate: "/ledges/{ledge}/parcels"},
				operation.Post{URITemplate: "/ledges/{ledge}/parcels"},
				operation.Get{URITemplate: "/ledges/{ledge}/parcels/{id}"},
				operation.GetCollection{Name: "cards", URITemplate: "/cards", View: &operation.View{Name: "ParcelCard", Fields: []string{"id", "ledge.name"}}},
			)},
			resource.Of[Wax]{Store: waxes}, resource.Of[Guard]{Store: guards},
			resource.Of[Ledge]{Store: ledges, Inverse: map[string]string{"parcels": "Parcel.ledge"}})
		ref := func(address, id string) string {
			if config.References == resource.Identifiers {
				return id
			}
			return `"` + address + `"`
		}
		c.Send("POST /api/guards", `{"name":"Ann"}`).HasStatus(http.StatusCreated)
		for _, ledge := range []string{`1,"place":"a","name":"low"`, `1,"place":"b;c/d","name":"high"`, `2,"place":"a","name":"far"`} {
			c.Send("POST /api/ledges", `{"hall":`+ledge+`,"guard":`+ref("/api/guards/1", "1")+`}`).HasStatus(http.StatusCreated)
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
			parcels, waxes := sqlstore.Table[Parcel](db), sqlstore.Table[Wax](db)
			if err := db.Create(t.Context(), parcels, waxes, ledges, guards); err != nil {
				t.Fatal(err)
			}
			run(t, ledges, guards, parcels, waxes)
		})
	}
}

const (
	noLedge = " must be the path of an existing Ledge, such as /api/ledges/{hall};{place}"
	oddly   = `/api/ledges/1;b%3Bc%2Fd`
	box     = `{"id":1,"name":"box","ledge":"` + oddly + `","spare":null,"count":1}`
)

func TestAReferenceToARecordOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	warehouses(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/parcels", `{"name":"box","ledge":"`+oddly+`"}`).Is(http.StatusCreated, box).Has("Location", "/api/parcels/1")
		c.Send("GET /api/parcels/1", "").Is(http.StatusOK, box)
		c.Send("GET /api/parcels", "").Is(http.StatusOK, "["+box+"]")
		c.Send("PATCH /api/parcels/1", `{"spare":"/api/ledges/2;a"}`).Mentions(`"spare":"/api/ledges/2;a"`, `"ledge":"`+oddly+`"`)
		c.Send("PATCH /api/parcels/1", `{"spare":"/api/ledges/1;a"}`).Mentions(`"spare":"/api/ledges/1;a"`)
		c.Send("GET /api/parcels/1", "").Mentions(`"spare":"/api/ledges/1;a"`)
		c.Send("PATCH /api/parcels/1", `{"spare":null,"ledge":"/api/ledges/1;a"}`).Mentions(`"spare":null`, `"ledge":"/api/ledges/1;a"`)
		c.Send("POST /api/parcels", `{"name":"box"}`).IsInvalid("ledge", "ledge is required")
		c.Send("PATCH /api/parcels/1", `{"spare":"/api/ledges/9;a","ledge":"/api/ledges/1;z"}`).
			IsInvalid("ledge", "ledge"+noLedge, "spare", "spare"+noLedge+" or null")
	})
}

func TestInvalidReferencesToARecordOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	warehouses(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		for name, ledge := range map[string]string{
			"of a missing record": `"/api/ledges/3;a"`, "of another resource": `"/api/parcels/1;a"`, "with a host": `"https://x/api/ledges/1;a"`,
			"with one part": `"/api/ledges/1"`, "with three parts": `"/api/ledges/1;b;c"`, "with an empty part": `"/api/ledges/1;"`,
			"with a zero in front": `"/api/ledges/01;a"`, "with no number": `"/api/ledges/x;a"`, "with a suffix": `"/api/ledges/1;a.json"`,
			"with a query": `"/api/ledges/1;a?x"`, "with dots": `"/api/./ledges/1;a"`, "with a part percent-encoded": `"/api/ledges/1;%61"`,
			"with its semicolon percent-encoded": `"/api/ledges/1%3Ba"`, "with small digits": `"/api/ledges/1;b%3bc%2fd"`, "with a slash": `"/api/ledges/1;a/"`,
			"the identifier alone": `"1;a"`, "a number": `1`, "an object": `{"hall":1,"place":"a"}`, "null": `null`,
		} {
			want := "ledge" + noLedge
			if name == "null" {
				want = "ledge is required"
			}
			spec.Client{T: t, Handler: c.Handler}.Send("POST /api/parcels", `{"name":"box","ledge":`+ledge+`}`).IsInvalid("ledge", want)
		}
		c.Send("GET /api/parcels", "").Is(http.StatusOK, `[]`)
	})
}

func TestIdentifiersOfRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	warehouses(t, resource.Config{References: resource.Identifiers}, func(t *testing.T, c spec.Client) {
		t.Helper()
		const box = `{"id":1,"name":"box","ledge":"1;b%3Bc%2Fd","spare":"2;a","count":1}`
		c.Send("POST /api/parcels", `{"name":"box","ledge":"1;b%3Bc%2Fd","spare":"2;a"}`).Is(http.StatusCreated, box)
		c.Send("GET /api/parcels?ledge=1%3Bb%253Bc%252Fd&spare=2%3Ba", "").Is(http.StatusOK, "["+box+"]")
		for _, wrong := range []string{`"1"`, `"/api/ledges/1;a"`, `"3;a"`, `"1;b;c/d"`, `"01;a"`, `7`, `{"hall":1,"place":"a"}`} {
			c.Send("PATCH /api/parcels/1", `{"ledge":`+wrong+`}`).IsInvalid("ledge", "ledge must be the hall;place of an existing Ledge")
		}
	})
}

func TestFiltersByReferencesToRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	warehouses(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		for _, parcel := range []string{`"box","ledge":"` + oddly + `"`, `"bag","ledge":"/api/ledges/1;a","spare":"/api/ledges/2;a"`, `"bin","ledge":"/api/ledges/2;a"`} {
			c.Send("POST /api/parcels", `{"name":`+parcel+`}`).HasStatus(http.StatusCreated)
		}
		for query, ids := range map[string]string{
			"ledge=/api/ledges/1%3Ba":                                    `[{"id":2}]`,
			"ledge=/api/ledges/1%3Bb%253Bc%252Fd":                        `[{"id":1}]`,
			"ledge=/api/ledges/1%3Ba&ledge=/api/ledges/2%3Ba":            `[{"id":2},{"id":3}]`,
			"ledge=/api/ledges/7%3Ba":                                    `[]`,
			"ledge[ne]=/api/ledges/1%3Ba":                                `[{"id":1},{"id":3}]`,
			"spare[ne]=/api/ledges/2%3Ba":                                `[{"id":1},{"id":3}]`,
			"exists[spare]=true":                                         `[{"id":2}]`,
			"exists[spare]=false":                                        `[{"id":1},{"id":3}]`,
			"ledge.name=low":                                             `[{"id":2}]`,
			"ledge.place=a":                                              `[{"id":2},{"id":3}]`,
			"sort=ledge.name":                                            `[{"id":3},{"id":1},{"id":2}]`,
			"sort=-ledge.place,name":                                     `[{"id":1},{"id":2},{"id":3}]`,
			"ledge.place=a&sort=-ledge.name&spare[ne]=/api/ledges/2%3Ba": `[{"id":3}]`,
		} {
			answer := c.Send("GET /api/parcels?"+query, "").HasStatus(http.StatusOK)
			if answer.HasIDs(ids); t.Failed() {
				t.Fatal(query)
			}
		}
		c.Send("GET /api/parcels?ledge=1%3Ba", "").IsProblem(http.StatusBadRequest).Mentions("ledge" + noLedge)
		var seen []string
		for target := "/api/parcels?sort=ledge.name&itemsPerPage=1&cursor="; target != ""; {
			page := c.Send("GET "+target, "").HasStatus(http.StatusOK)
			seen = append(seen, spec.IDMember.FindAllString(page.Body, -1)...)
			target = page.Link("next")
		}
		if got := strings.Join(seen, " "); got != `"id":3 "id":1 "id":2` {
			t.Errorf("the walk has %s", got)
		}
	})
}

func TestWhatIsEmbeddedOfRecordsOfTwoIdentifiers(t *testing.T) {
	t.Parallel()
	warehouses(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/parcels", `{"name":"box","ledge":"`+oddly+`","spare":"/api/ledges/2;a"}`).HasStatus(http.StatusCreated)
		const inverse = `"/api/ledges/1%3Bb%253Bc%252Fd/parcels"`
		high := c.Send("GET "+oddly, "").Is(http.StatusOK, `{"hall":1,"place":"b;c/d","name":"high","guard":"/api/guards/1","parcels":`+inverse+`}`)
		whole := strings.TrimSuffix(strings.Replace(box, `"spare":null`, `"spare":"/api/ledges/2;a"`, 1), "}")
		c.Send("GET /api/parcels/1?expand=ledge", "").Is(http.StatusOK, whole+`,"_embedded":{"ledge":`+high.Body+`}}`)
		c.Send("GET /api/parcels?expand=ledge", "").Is(http.StatusOK, "["+whole+`,"_embedded":{"ledge":`+high.Body+`}}]`)
		deep := strings.TrimSuffix(high.Body, "}") + `,"_embedded":{"guard":{"id":1,"name":"Ann"}}}`
		c.Send("GET /api/parcels/1?expand=ledge.guard", "").Is(http.StatusOK, whole+`,"_embedded":{"ledge":`+deep+`}}`)
		c.Send("PATCH /api/parcels/1", `{"spare":null}`).HasStatus(http.StatusOK)
		c.Send("GET /api/parcels/1?expand=spare", "").Mentions(`"_embedded":{"spare":null}`)
		c.Send("GET /api/cards", "").Is(http.StatusOK, `[{"id":1,"_embedded":{"ledge":{"name":"high"}}}]`)
		c.Send("GET "+strings.Trim(inverse, `"`), "").HasIDs(`[{"id":1}]`)
		c.Send("GET /api/ledges/1;a/parcels", "").Is(http.StatusOK, `[]`)
		c.Send("GET /api/ledges/9;a/parcels", "").IsProblem(http.StatusNotFound)
		c.Send("GET /api/ledges/1/parcels", "").IsProblem(http.StatusNotFound)
		c.Send("POST /api/ledges/1;a/parcels", `{"name":"bag"}`).HasStatus(http.StatusCreated).Mentions(`"ledge":"/api/ledges/1;a"`)
		c.Send("POST /api/ledges/1;a/parcels", `{"name":"bag","ledge":"/api/ledges/2;a"}`).IsInvalid("ledge", "ledge must be the one in the path")
		c.Send("GET /api/ledges/1;a/parcels/2", "").HasStatus(http.StatusOK)
		c.Send("GET /api/ledges/1;a/parcels/1", "").IsProblem(http.StatusNotFound)
	})
}

func TestRecordsOfTwoIdentifiersThatAreReferredTo(t *testing.T) {
	t.Parallel()
	warehouses(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/parcels", `{"name":"box","ledge":"`+oddly+`","spare":"/api/ledges/2;a"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/waxes", `{"ledge":"/api/ledges/2;a"}`).HasStatus(http.StatusCreated)
		c.Send("DELETE "+oddly, "").IsProblem(http.StatusConflict).Mentions("Parcel.ledge")
		c.Send("GET "+oddly, "").HasStatus(http.StatusOK)
		c.Send("DELETE /api/ledges/2;a", "").Is(http.StatusNoContent, "")
		c.Send("GET /api/parcels/1", "").Mentions(`"spare":null`, `"count":2`)
		c.Send("GET /api/waxes", "").Is(http.StatusOK, `[]`)
	})
}

func TestARecordOfTwoIdentifiersIsReferredToOrDeletedButNotBoth(t *testing.T) {
	t.Parallel()
	warehouses(t, resource.Config{}, func(t *testing.T, c spec.Client) {
		t.Helper()
		for range 20 {
			c.Send("PUT /api/guards/1", `{"name":"Ann"}`).HasStatus(http.StatusOK)
			c.Send("POST /api/ledges", `{"hall":5,"place":"x","name":"n","guard":"/api/guards/1"}`).HasStatus(http.StatusCreated)
			var made, gone spec.Response
			var both sync.WaitGroup
			both.Go(func() { made = c.Send("POST /api/parcels", `{"name":"box","ledge":"/api/ledges/5;x"}`) })
			both.Go(func() { gone = c.Send("DELETE /api/ledges/5;x", "") })
			both.Wait()
			switch {
			case made.Status == http.StatusCreated && gone.Status == http.StatusConflict:
				c.Send("DELETE "+made.Header.Get("Location"), "").HasStatus(http.StatusNoContent)
				c.Send("DELETE /api/ledges/5;x", "").HasStatus(http.StatusNoContent)
			case made.Status == http.StatusBadRequest && gone.Status == http.StatusNoContent:
				made.IsInvalid("ledge", "ledge"+noLedge)
			default:
				t.Fatalf("the Post of the parcel returns %d, the delete %d: %s%s", made.Status, gone.Status, made.Body, gone.Body)
			}
		}
	})
}

func TestMistakesInKeysOfSeveralParts(t *testing.T) {
	t.Parallel()
	type Turned struct {
		Place string `json:"place"`
		Hall  int64  `json:"hall"`
	}
	type Single struct {
		Hall int64 `json:"hall"`
	}
	type Loose struct {
		Hall  int64   `json:"hall"`
		Place *string `json:"place"`
	}
	type Silent struct {
		Hall  int64  `json:"hall"`
		Place string `json:"place"`
		note  string // it is the mistake
	}
	type Crate struct {
		ID      int64       `json:"id"`
		Turned  Turned      `json:"turned" api:"ref=Ledge,through=name"`
		Single  Single      `json:"single" api:"ref=Ledge"`
		Loose   Loose       `json:"loose" api:"ref=Ledge"`
		Silent  Silent      `json:"silent" api:"ref=Ledge"`
		Plain   int64       `json:"plain" api:"ref=Ledge"`
		Guarded LedgeKey    `json:"guarded" api:"ref=Guard"`
		List    []Loose     `json:"list" validate:"max=3" api:"ref=Ledge"`
		Turns   []Turned    `json:"turns" validate:"max=3" api:"ref=Ledge"`
		Some    []*LedgeKey `json:"some" validate:"max=3" api:"ref=Ledge"`
		Many    []LedgeKey  `json:"many" api:"ref=Ledge"`
		Only    LedgeKey    `json:"only" api:"ref=Ledge,unique"`
		Never   LedgeKey    `json:"never" api:"ref=Ledge,ondelete=null"`
	}
	type Chest struct {
		Ledge LedgeKey `json:"ledge" api:"id,ref=Ledge"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[Crate]{}, resource.Of[Chest]{}, resource.Of[Ledge]{}, resource.Of[Guard]{})
	const allowed = "use a struct with the fields hall int64, place string, in this order"
	for _, want := range []string{
		"Crate.Turned: references Ledge by its composite identifier hall, place, but the type of the key is composite_test.Turned with the fields place string, hall int64; " + allowed,
		"Crate.Single: ref does not support the type composite_test.Single, which does not have two to four fields; allowed for a composite identifier: a struct of exactly its fields",
		"Crate.Loose: ref does not support the type composite_test.Loose, whose fields are not all integers, strings or types that marshal themselves as text; allowed for a composite identifier: a struct of exactly its fields",
		"Crate.Silent: ref does not support the type composite_test.Silent, which has fields without JSON, so that two equal paths could differ; allowed for a composite identifier: a struct of exactly its fields",
		"Crate.Plain: references Ledge by its composite identifier hall, place, but the type of the key is int64; " + allowed,
		"Crate.Guarded: the type of the key is composite_test.LedgeKey with the fields hall int64, place string, but the identifier of Guard is int64",
		"Crate.List: ref does not support the type []composite_test.Loose, a slice of a struct whose fields are not all integers, strings or types that marshal themselves as text; allowed for composite identifiers: a slice of structs of exactly their fields",
		"Crate.Turns: references Ledge by its composite identifier hall, place, but the type of the key is composite_test.Turned with the fields place string, hall int64; use a slice of structs with the fields hall int64, place string, in this order",
		"Crate.Some: ref does not support the type []*composite_test.LedgeKey; allowed: an integer, a string or a type that marshals itself as text, a pointer to one, or a slice of these; for a composite identifier, a struct of these",
		`Crate.Many: a list of references needs a maximum, such as validate:"max=20"; or let the other resource reference this one`,
		"Crate.Only: a reference to a composite identifier cannot be unique; remove unique, or identify both records by the same fields",
		"Crate.Never: ondelete=null does not support the type composite_test.LedgeKey, which has no null; use a pointer, or ondelete=restrict or cascade",
		"Chest.Ledge: the identifier cannot have the type composite_test.LedgeKey; allowed: an integer, a string or a type that marshals itself as text",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks\n\t%s\nin\n%v", want, err)
		}
	}
}

func TestAReferenceToARecordOfTwoIdentifiersInEachFormat(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
	warehouses(t, resource.Config{Formats: formats}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/parcels", `{"name":"box","ledge":"`+oddly+`"}`).HasStatus(http.StatusCreated)
		c.Send("GET /api/parcels/1.jsonld", "").HasStatus(http.StatusOK).Mentions(`"ledge":"` + oddly + `"`)
		c.Send("GET /api/parcels/1.jsonld?expand=ledge", "").HasStatus(http.StatusOK).Mentions(`"ledge":{"@id":"`+oddly+`"`, `"name":"high"`)
		c.Send("GET /api/parcels/1.jsonhal?expand=ledge", "").HasStatus(http.StatusOK).Mentions(`"ledge":{"href":"`+oddly+`"}`, `"name":"high"`)
		c.Send("GET /api/parcels/1.jsonapi?expand=ledge", "").HasStatus(http.StatusOK).
			Mentions(`"ledge":{"data":{"type":"ledges","id":"1;b%3Bc%2Fd"}`, `"included":[{"type":"ledges","id":"1;b%3Bc%2Fd"`)
		c.Send("GET /api/parcels.csv", "").HasStatus(http.StatusOK).Mentions(oddly)
		header := []string{"Accept", jsonapi.MediaType, "Content-Type", jsonapi.MediaType}
		body := func(id string) string {
			return `{"data":{"type":"parcels","id":"1","relationships":{"ledge":{"data":{"type":"ledges","id":"` + id + `"}}}}}`
		}
		c.Send("PATCH /api/parcels/1", body("2;a"), header...).HasStatus(http.StatusOK).Mentions(`"id":"2;a"`)
		c.Send("GET /api/parcels/1", "").Mentions(`"ledge":"/api/ledges/2;a"`)
		c.Send("PATCH /api/parcels/1", body("9;a"), header...).HasStatus(http.StatusBadRequest)
		c.Send("PATCH /api/parcels/1", body("2"), header...).HasStatus(http.StatusBadRequest)
	})
	warehouses(t, resource.Config{Formats: formats, References: resource.Identifiers}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/parcels", `{"name":"box","ledge":"1;b%3Bc%2Fd"}`).HasStatus(http.StatusCreated)
		c.Send("GET /api/parcels/1.jsonhal", "").HasStatus(http.StatusOK).Mentions(`"ledge":{"href":"` + oddly + `"}`)
		c.Send("GET /api/parcels/1.jsonapi", "").HasStatus(http.StatusOK).Mentions(`"ledge":{"data":{"type":"ledges","id":"1;b%3Bc%2Fd"}`)
	})
}

func TestARecordOfTwoIdentifiersInJSONAPI(t *testing.T) {
	t.Parallel()
	stowages(t, resource.Config{Formats: append(format.Standard(), jsonapi.Format)}, func(t *testing.T, c spec.Client) {
		t.Helper()
		headers := []string{"Accept", jsonapi.MediaType, "Content-Type", jsonapi.MediaType}
		c.Send("POST /api/ballasts", tar).HasStatus(http.StatusCreated)
		c.Send("GET /api/ballasts/1;a%3Bb", "", headers[:2]...).HasStatus(http.StatusOK).
			Mentions(`"id":"1;a%3Bb","attributes":{"place":"a;b","ware":"tar","weight":3},"relationships":{"hold":{"data":{"type":"holds","id":"1"}`)
		c.Send("PATCH /api/ballasts/1;a%3Bb", `{"data":{"type":"ballasts","id":"1;a%3Bb","attributes":{"weight":9}}}`, headers...).
			HasStatus(http.StatusOK).Mentions(`"weight":9`)
		c.Send("PATCH /api/ballasts/1;a%3Bb", `{"data":{"type":"ballasts","id":"1;b","attributes":{"weight":9}}}`, headers...).HasStatus(http.StatusConflict)
		c.Send("POST /api/ballasts", `{"data":{"type":"ballasts","attributes":{"place":"q","ware":"w"},
			"relationships":{"hold":{"data":{"type":"holds","id":"1"}}}}}`, headers...).
			HasStatus(http.StatusCreated).Mentions(`"id":"1;q"`).Has("Location", "/api/ballasts/1;q")
	})
}
