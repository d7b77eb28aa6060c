package jsonapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
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
		c.Send("POST /api/holds.jsonapi", `{"data":{"type":"holds","attributes":{"name":"fore"}}}`).Mentions(201)
		const sent = `{"data":{"type":"ballasts","attributes":{"ware":"tar","place":"a;b"},"relationships":{"hold":{"data":{"type":"holds","id":"1"}}}}}`
		c.Send("POST /api/ballasts", sent, accept...).Is(201, open+`"data":`+first+`}`).Has("Location", "/api/ballasts/1;a%3Bb")
		c.Send("POST /api/ballasts", sent, accept...).Mentions(409, `"errors":[{"status":"409"`)
		c.Send("POST /api/holds/1/ballasts", `{"data":{"type":"ballasts","attributes":{"ware":"rum","place":"c"}}}`, accept...).Is(201, open+`"data":`+second+`}`)
		c.Send("POST /api/ballasts", `{"data":{"type":"ballasts","id":"1;d","attributes":{"ware":"tar"}}}`, accept...).Mentions(403, `"pointer":"/data/id"`)
		for _, address := range []string{"/api/ballasts", "/api/holds/1/ballasts"} {
			c.Send("GET "+address, "", accept...).Mentions(200, `"data":[`+first+`,`+second+`]`)
		}
		c.Send("GET /api/ballasts?include=hold", "", accept...).Mentions(200, `"included":[{"type":"holds","id":"1"`)
		c.Send("GET /api/holds/1", "", accept...).Mentions(200, `"ballasts":{"links":{"related":"/api/holds/1/ballasts"}}`)
		c.Send("PATCH /api/ballasts/1;a%3Bb", open+`"data":`+first+`}`, accept...).Is(200, open+`"data":`+first+`}`)
		c.Send("PATCH /api/ballasts/1;c", `{"data":{"type":"ballasts","id":"2;c"}}`, accept...).Mentions(409, `"pointer":"/data/id"`)
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
		c.Send("POST /api/doors.jsonapi", `{"data":{"type":"doors","attributes":{"name":"d","code":"s3cret","owner":"`+of+`"}`+next+`}}`, as("root")...).Mentions(201)
	}
	for _, address := range []string{"/api/doors.jsonapi", "/api/doors/2.jsonapi?include=next", "/api/doors.jsonapi?include=next,next.next", "/api/cards.jsonapi", "/api/doors.jsonapi?include=next&fields[doors]=name,code,all"} {
		seen := c.Client.Send("GET "+address, "", as("ann")...).Mentions(200, `"type":"doors"`)
		if strings.Contains(seen.Body, `"code"`) || strings.Contains(seen.Body, `"all"`) || strings.Contains(seen.Body, "s3cret") {
			t.Errorf("%s tells what is hidden: %s", address, seen.Body)
		}
	}
	c.Send("GET /api/doors/2.jsonapi?include=next", "", as("root")...).Mentions(200, `"code":"s3cret"`, `"all":{"data":[]`)
	c.Send("GET /api/cards.jsonapi", "", as("root")...).Mentions(200, `"attributes":{"name":"d"},"relationships":{"next":{"data":null}}`)
	c.Send("GET /api/doors.jsonapi?include=next", "", as("bob")...).Mentions(200, `"data":[{"type":"doors","id":"3"`, `"included":[],`, `"totalItems":1`)
	c.Send("GET /api/doors/3.jsonapi?include=next", "", as("bob")...).Mentions(200, `"included":[]}`)
	missing := c.Send("GET /api/doors/99.jsonapi", "", as("bob")...).Mentions(404)
	for _, request := range []string{"GET /api/doors/1.jsonapi", "PATCH /api/doors/1.jsonapi", "DELETE /api/doors/1.jsonapi"} {
		body := ""
		if strings.HasPrefix(request, "PATCH") {
			body = `{"data":{"type":"doors","id":"1"}}`
		}
		c.Send(request, body, as("bob")...).Is(404, missing.Body)
	}
}
