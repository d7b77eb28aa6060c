package jsonapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

type Hold struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type Ballast struct {
	HoldID int64  `json:"hold" api:"id,ref=Hold,expand,filter"`
	Place  string `json:"place" api:"id" validate:"max=20"`
	Ware   string `json:"ware" validate:"notblank" api:"filter,sort"`
}

// A record of two identifiers has one id, which names it among those of its type; it is made by its parts, at its
// collection or at that of the record that it is of.
func TestARecordOfTwoIdentifiersHasOneID(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newClient(t, resource.Config{References: references}, resource.Of[Hold]{Inverse: map[string]string{"ballasts": "Ballast.hold"}},
			resource.Of[Ballast]{SparseFields: true, Operations: append(operation.Standard(),
				operation.GetCollection{URITemplate: "/holds/{hold}/ballasts"}, operation.Post{URITemplate: "/holds/{hold}/ballasts"})})
		accept := []string{"Accept", jsonapi.MediaType}
		const hold = `"relationships":{"hold":{"data":{"type":"holds","id":"1"},"links":{"related":"/api/holds/1"}}}`
		const first = `{"type":"ballasts","id":"1;a%3Bb","attributes":{"place":"a;b","ware":"tar"},` + hold + `,"links":{"self":"/api/ballasts/1;a%3Bb"}}`
		const second = `{"type":"ballasts","id":"1;c","attributes":{"place":"c","ware":"rum"},` + hold + `,"links":{"self":"/api/ballasts/1;c"}}`
		c.Send("POST /api/holds.jsonapi", `{"data":{"type":"holds","attributes":{"name":"fore"}}}`).HasStatus(201)
		const sent = `{"data":{"type":"ballasts","attributes":{"ware":"tar","place":"a;b"},"relationships":{"hold":{"data":{"type":"holds","id":"1"}}}}}`
		c.Send("POST /api/ballasts", sent, accept...).Reads(201, open+`"data":`+first+`}`).Has("Location", "/api/ballasts/1;a%3Bb")
		c.Send("POST /api/ballasts", sent, accept...).HasStatus(409).Mentions(`"errors":[{"status":"409"`)
		c.Send("POST /api/holds/1/ballasts", `{"data":{"type":"ballasts","attributes":{"ware":"rum","place":"c"}}}`, accept...).Reads(201, open+`"data":`+second+`}`)
		c.Send("POST /api/ballasts", `{"data":{"type":"ballasts","id":"1;d","attributes":{"ware":"tar"}}}`, accept...).HasStatus(403).Mentions(`"pointer":"/data/id"`)
		for _, address := range []string{"/api/ballasts", "/api/holds/1/ballasts"} {
			c.Send("GET "+address, "", accept...).HasStatus(200).Mentions(`"data":[` + first + `,` + second + `]`)
		}
		c.Send("GET /api/ballasts?include=hold", "", accept...).HasStatus(200).Mentions(`"included":[{"type":"holds","id":"1"`)
		c.Send("GET /api/holds/1", "", accept...).HasStatus(200).Mentions(`"ballasts":{"links":{"related":"/api/holds/1/ballasts"}}`)
		c.Send("PATCH /api/ballasts/1;a%3Bb", open+`"data":`+first+`}`, accept...).Reads(200, open+`"data":`+first+`}`)
		c.Send("PATCH /api/ballasts/1;c", `{"data":{"type":"ballasts","id":"2;c"}}`, accept...).HasStatus(409).Mentions(`"pointer":"/data/id"`)
	}
}

type owner struct {
	Name  string
	Admin bool
}

func as(who string) []string { return []string{"Authorization", "Bearer " + who} }

// Hidden fields and hidden records are absent, regardless of how the record is reached.
func TestWhatACallerMayNotSeeIsNotThere(t *testing.T) {
	t.Parallel()
	type Door struct {
		ID    int64   `json:"id"`
		Name  string  `json:"name"`
		Code  string  `json:"code"`
		Owner string  `json:"owner"`
		Next  *int64  `json:"next" api:"ref=Door,expand"`
		All   []int64 `json:"all" validate:"max=5" api:"ref=Door,expand"`
	}
	own := access.Equal("owner", func(o *owner) string { return o.Name })
	admin := access.If("admin", func(o *owner) bool { return o.Admin })
	card := &operation.View{Name: "DoorCard", Fields: []string{"id", "name", "next"}}
	c := newClient(t, resource.Config{Authentication: []access.Scheme{
		access.Bearer("token", func(_ context.Context, token string) (*owner, access.Scopes, error) {
			return &owner{token, token == "root"}, access.Unlimited, nil
		}),
	}}, resource.Of[Door]{
		SparseFields: true,
		Access: access.Rules{
			Read: access.Any(own, admin), Create: access.Authenticated, Update: own, Delete: own,
			Fields: map[string]access.Field{"code": {Read: admin}, "all": {Read: admin}},
		},
		Operations: append(operation.Standard(), operation.GetCollection{Name: "cards", URITemplate: "/cards{._format}", View: card}),
	})
	for i, of := range []string{"ann", "ann", "bob"} { // bob's leads to one of ann's, which bob may not see
		next := ""
		if i > 0 {
			next = fmt.Sprintf(`,"relationships":{"next":{"data":{"type":"doors","id":"%d"}}}`, i)
		}
		c.Send("POST /api/doors.jsonapi", `{"data":{"type":"doors","attributes":{"name":"d","code":"s3cret","owner":"`+of+`"}`+next+`}}`, as("root")...).HasStatus(201)
	}
	for _, address := range []string{"/api/doors.jsonapi", "/api/doors/2.jsonapi?include=next", "/api/doors.jsonapi?include=next,next.next", "/api/cards.jsonapi", "/api/doors.jsonapi?include=next&fields[doors]=name,code,all"} {
		seen := c.Client.Send("GET "+address, "", as("ann")...).HasStatus(200).Mentions(`"type":"doors"`)
		if strings.Contains(seen.Body, `"code"`) || strings.Contains(seen.Body, `"all"`) || strings.Contains(seen.Body, "s3cret") {
			t.Errorf("%s tells what is hidden: %s", address, seen.Body)
		}
	}
	c.Send("GET /api/doors/2.jsonapi?include=next", "", as("root")...).HasStatus(200).Mentions(`"code":"s3cret"`, `"all":{"data":[]`)
	c.Send("GET /api/cards.jsonapi", "", as("root")...).HasStatus(200).Mentions(`"attributes":{"name":"d"},"relationships":{"next":{"data":null}}`)
	c.Send("GET /api/doors.jsonapi?include=next", "", as("bob")...).HasStatus(200).Mentions(`"data":[{"type":"doors","id":"3"`, `"included":[],`, `"totalItems":1`)
	c.Send("GET /api/doors/3.jsonapi?include=next", "", as("bob")...).HasStatus(200).Mentions(`"included":[]}`)
	missing := c.Send("GET /api/doors/99.jsonapi", "", as("bob")...).HasStatus(404)
	for _, request := range []string{"GET /api/doors/1.jsonapi", "PATCH /api/doors/1.jsonapi", "DELETE /api/doors/1.jsonapi"} {
		body := ""
		if strings.HasPrefix(request, "PATCH") {
			body = `{"data":{"type":"doors","id":"1"}}`
		}
		c.Send(request, body, as("bob")...).Reads(404, missing.Body)
	}
}

type (
	Mark struct {
		Text string `json:"text" api:"id"`
	}
	Sheet struct {
		ID    int64   `json:"id"`
		Mark  string  `json:"mark" api:"ref=Mark"`
		Other *string `json:"other" api:"ref=Mark"`
	}
)

// Identifiers are strings, of any type: those of the record, and those of references.
func TestIdentifiersAreTheTextsThatTheyAre(t *testing.T) {
	t.Parallel()
	texts := []string{"plain", `a"b`, `a\b`, "é", "a b", "x.json", "1", "-1", "007", "😀", "a;b", "null"}
	var marks []Mark
	var sheets []Sheet
	for i, text := range texts {
		marks = append(marks, Mark{text})
		sheets = append(sheets, Sheet{int64(i + 1), text, &texts[len(texts)-1-i]})
	}
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		api := spec.NewAPI(t, resource.Config{References: references, Formats: append(format.Standard(), jsonapi.Format)},
			resource.Of[Mark]{Store: memory.New(marks...)}, resource.Of[Sheet]{Store: memory.New(sheets...)})
		c := spec.Client{T: t, Handler: api, MediaType: jsonapi.MediaType}
		type object struct {
			ID            string            `json:"id"`
			Links         map[string]string `json:"links"`
			Relationships map[string]struct {
				Data struct {
					ID   string `json:"id"`
					Type string `json:"type"`
				} `json:"data"`
				Links map[string]string `json:"links"`
			} `json:"relationships"`
		}
		var page struct {
			Data []object `json:"data"`
		}
		if err := json.Unmarshal([]byte(c.Send("GET /api/sheets?page[size]=50", "", "Accept", jsonapi.MediaType).HasStatus(http.StatusOK).Body), &page); err != nil || len(page.Data) != len(texts) {
			t.Fatalf("%d sheets: %v", len(page.Data), err)
		}
		for i, sheet := range page.Data {
			for name, want := range map[string]string{"mark": texts[i], "other": texts[len(texts)-1-i]} {
				got := sheet.Relationships[name]
				var mark struct {
					Data object `json:"data"`
				}
				body := c.Send("GET "+got.Links["related"], "", "Accept", jsonapi.MediaType).HasStatus(http.StatusOK).Body
				if err := json.Unmarshal([]byte(body), &mark); err != nil && want != "x.json" || got.Data.ID != want || got.Data.Type != "marks" || want != "x.json" && mark.Data.ID != want {
					t.Errorf("%s of sheet %d is %+v, want %q; there is %s", name, i+1, got, want, body)
				}
			}
		}
	}
}

type product struct {
	ID int64 `json:"id"`
}

type review struct {
	ID      int64 `json:"id"`
	Product int64 `json:"product" api:"ref=Product"`
}

type rating struct {
	ID int64 `json:"id"`
}

// below are the operations of a resource whose records are below others alone.
func below() []operation.Operation {
	return []operation.Operation{
		operation.GetCollection{URITemplate: "/products/{product}/reviews"},
		operation.Post{URITemplate: "/products/{product}/reviews"},
		operation.Get{URITemplate: "/products/{product}/reviews/{id}"},
	}
}

func TestATypeBelowAnotherRecordIsCalledAsItsCollection(t *testing.T) {
	t.Parallel()
	accept := []string{"Accept", "application/vnd.api+json", "Content-Type", "application/vnd.api+json"}
	c := newClient(t, resource.Config{}, resource.Of[review]{ShortName: "Review", Operations: below()}, resource.Of[product]{ShortName: "Product"})
	c.Send("POST /api/products.jsonapi", `{"data":{"type":"products"}}`)
	c.Send("POST /api/products/1/reviews", `{"data":{"type":"reviews"}}`, accept...).HasStatus(201).Mentions(`{"type":"reviews","id":"1"`)
	c.Send("GET /api/products/1/reviews", "", accept...).HasStatus(200).Mentions(`{"type":"reviews","id":"1"`)
}

func TestACollectionOfItsOwnHasTheNameOfTheType(t *testing.T) {
	t.Parallel()
	accept := []string{"Accept", "application/vnd.api+json", "Content-Type", "application/vnd.api+json"}
	c := newClient(t, resource.Config{}, resource.Of[review]{ShortName: "Review", Operations: below()}, resource.Of[product]{ShortName: "Product"},
		resource.Of[rating]{ShortName: "Rating", Operations: []operation.Operation{
			operation.Post{URITemplate: "/reviews"}, operation.Get{URITemplate: "/reviews/{id}"}, operation.GetCollection{URITemplate: "/reviews"},
		}})
	c.Send("POST /api/reviews", `{"data":{"type":"reviews"}}`, accept...).HasStatus(201).Mentions(`{"type":"reviews","id":"1"`)
	c.Send("POST /api/products.jsonapi", `{"data":{"type":"products"}}`)
	c.Send("POST /api/products/1/reviews", `{"data":{"type":"Review"}}`, accept...).HasStatus(201).Mentions(`{"type":"Review","id":"1"`)
}

// Each row is a query of treasures, with the text of its error.
func TestErrorsUseTheNamesOfJSONAPI(t *testing.T) {
	t.Parallel()
	const allowed = `"allowed":["page[number]","page[size]","page[cursor]","filter[name]","filter[worth][gt]","filter[worth][gte]","filter[worth][lt]",` +
		`"filter[worth][lte]","filter[worth][between]","filter[owner]","filter[owner][ne]","filter","sort","fields[treasures]","include","filter[id]"]`
	c := newHoard(t, resource.Config{})
	for query, says := range map[string]string{
		"wood=1":                  allowed,
		"filter[wood]=1":          allowed,
		"itemsPerPge=1":           `"detail":"Unknown parameter \"itemsPerPge\"; did you mean \"page[size]\"?"`,
		"expnd=owner":             `"detail":"Unknown parameter \"expnd\"; did you mean \"include\"?"`,
		"filds=name":              `"detail":"Unknown parameter \"filds\"; did you mean \"fields[treasures]\"?"`,
		"filter[worth][gtee]=1":   `"detail":"Unknown parameter \"filter[worth][gtee]\"; did you mean \"filter[worth][gte]\"?"`,
		"filter[worth][gt]=x":     `"detail":"filter[worth][gt] must be an integer"`,
		"filter[owner]=x":         `"detail":"filter[owner] must be the id of an existing User"`,
		"page[x]=1":               `"detail":"Unknown parameter page[x]; allowed: page[number], page[size], page[cursor]."`,
		"page[number]=0":          `"detail":"page[number] must be an integer between 1 and 10000"`,
		"sort=wood":               `"detail":"sort must be a comma-separated list of: name, -name, worth, -worth"`,
		"include=wood":            `"detail":"include must be a comma-separated list of: owner, owner.boss, heir, heir.boss, tags"`,
		"fields[treasures]=wood":  `"detail":"fields[treasures] must be a comma-separated list of: id, name, worth, owner, heir, tags"`,
		"fields[users]=name":      `"detail":"Only fields of the type of the response can be selected: fields[treasures]."`,
		"page[size]=x&sort=-wood": `"parameter":"page[size]"`,
	} {
		c.Send("GET /api/treasures.jsonapi?"+query, "").HasStatus(400).Mentions(says)
	}
	c.Send("GET /api/treasures/1.jsonapi?page[number]=1", "").HasStatus(400).Mentions(`"allowed":["fields[treasures]","include"]`)
	// Other formats have Trove's own names.
	c.Send("GET /api/treasures.json?expnd=1", "").HasStatus(400).Mentions(`did you mean \"expand\"?`, `"allowed":["page","itemsPerPage","cursor","name","worth[gt]"`, `"order[name]"`, `"fields","expand","id"]`)
}

func TestErrorsCallFieldsAttributesAndRelationships(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		send := func(data string) func(int, ...string) {
			answer := c.Send("POST /api/treasures.jsonapi", `{"data":{"type":"treasures",`+data+`}}`)
			return func(status int, texts ...string) { answer.HasStatus(status).Mentions(texts...) }
		}
		send(`"attributes":{"nam":"x"}`)(400, `"detail":"Unknown field \"nam\"; did you mean \"name\"?"`)
		send(`"attributes":{"ownr":"x"}`)(400, `"detail":"Unknown field \"ownr\""`)
		send(`"relationships":{"ownr":{"data":null}}`)(400, `"detail":"Unknown relationship; allowed: owner, heir, tags."`)
		send(`"attributes":{"name":"Tin"},"relationships":{"owner":{"data":{"type":"users","id":"77"}}}`)(400, `"detail":"owner must have the id of an existing User"`)
		c.Send("POST /api/treasures.json", `{"nam":"x"}`, "Content-Type", format.JSON).HasStatus(400).Mentions(`Unknown field \"nam\"; did you mean \"name\"?`)
	}
}
