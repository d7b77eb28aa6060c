package jsonapi_test

import (
	"testing"

	"github.com/trove-api/trove/resource"
)

func TestABodyMayBeWhatWasRead(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		for _, record := range []string{"/api/treasures/1", "/api/treasures/2", "/api/users/2", "/api/tags/a%2Fb"} {
			was := c.Send("GET "+record+".jsonapi", "").Mentions(200).Body
			c.Send("PUT "+record+".jsonapi", was).Is(200, was)
			c.Send("PATCH "+record+".jsonapi", was).Is(200, was)
		}
		c.Send("PATCH /api/treasures/2.jsonapi", ` { "data" : { "type":"treasures", "@a":1, "relationships" : { "heir" : {"data": null} , "tags":{"data":[ {"id":"old","type":"tags"} ]} } } } `).
			Mentions(200, `"heir":{"data":null}`, `"tags":{"data":[{"type":"tags","id":"old"}]}`)
		c.Send("PATCH /api/treasures/2.jsonapi", `{"data":{"type":"treasures","attributes":{"@x":1,"worth":7},"relationships":{"@x":1,"tags":{"data":[]},"owner":{"links":{}}}}}`).
			Mentions(200, `"worth":7`, `"tags":{"data":[]}`, `"owner":{"data":{"type":"users","id":"2"}`)
	}
}

func TestABodyThatIsNotADocumentIsRejected(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		was := c.Send("GET /api/treasures/1.jsonapi", "").Body
		for body, told := range map[string]struct {
			status  int
			pointer string
		}{
			`{}`:                                   {400, ""},
			`[]`:                                   {400, ""},
			`null`:                                 {400, ""},
			` `:                                    {400, ""},
			`{"data":`:                             {400, ""},
			`{"data":null}`:                        {400, "/data"},
			`{"data":[]}`:                          {400, "/data"},
			`{"data":{}}`:                          {400, "/data"},
			`{"data":{"type":7}}`:                  {400, "/data/type"},
			`{"data":{"type":"users"}}`:            {409, "/data/type"},
			`{"data":{"type":"a","type":"b"}}`:     {400, "/data/type"},
			of(`"id":"2"`):                         {409, "/data/id"},
			of(`"id":1`):                           {400, "/data/id"},
			of(`"lid":"x"`):                        {400, "/data/lid"},
			of(`"attributes":7`):                   {400, "/data/attributes"},
			of(`"attributes":{"id":1}`):            {400, "/data/attributes/id"},
			of(`"attributes":{"owner":1}`):         {400, "/data/attributes/owner"},
			of(`"attributes":{"nmae":1}`):          {400, "/data/attributes/nmae"},
			of(`"attributes":{"name":1}`):          {400, "/data/attributes/name"},
			of(`"attributes":{"name":"x"}`):        {400, "/data/attributes/name"},
			of(`"attributes":{"a":{"b":1,"b":2}}`): {400, "/data/attributes/a/b"},
			of(`"relationships":[]`):               {400, "/data/relationships"},
			of(`"relationships":{"wood":{"data":null}}`):                                                  {400, "/data/relationships/wood"},
			of(`"relationships":{"name":{"data":null}}`):                                                  {400, "/data/relationships/name"},
			of(`"relationships":{"owner":null}`):                                                          {400, "/data/relationships/owner"},
			of(`"relationships":{"owner":{}}`):                                                            {400, "/data/relationships/owner"},
			of(`"relationships":{"owner":{"data":null}}`):                                                 {400, "/data/relationships/owner"},
			of(`"relationships":{"owner":{"data":[]}}`):                                                   {400, "/data/relationships/owner/data"},
			of(`"relationships":{"owner":{"data":{"type":"tags","id":"1"}}}`):                             {400, "/data/relationships/owner/data/type"},
			of(`"relationships":{"owner":{"data":{"type":"users","id":1}}}`):                              {400, "/data/relationships/owner/data/id"},
			of(`"relationships":{"owner":{"data":{"type":"users","id":"x"}}}`):                            {400, "/data/relationships/owner/data/id"},
			of(`"relationships":{"owner":{"data":{"type":"users","lid":"x"}}}`):                           {400, "/data/relationships/owner/data/lid"},
			of(`"relationships":{"owner":{"data":{"type":"users","id":"7"}}}`):                            {400, "/data/relationships/owner"},
			of(`"relationships":{"tags":{"data":null}}`):                                                  {400, "/data/relationships/tags/data"},
			of(`"relationships":{"tags":{"data":["old"]}}`):                                               {400, "/data/relationships/tags/data/0"},
			of(`"relationships":{"tags":{"data":[{"type":"tags","id":"old"},{"type":"tags","id":"x"}]}}`): {400, "/data/relationships/tags/data/1"},
		} {
			answer := c.Send("PATCH /api/treasures/1.jsonapi", body).Mentions(told.status, `"errors":[{"status":"4`)
			if told.pointer != "" {
				answer.Mentions(told.status, `"source":{"pointer":"`+told.pointer+`"}`)
			}
		}
		c.Send("GET /api/treasures/1.jsonapi", "").Is(200, was)
		isGolden(t, c.Send("PATCH /api/treasures/1.jsonapi", of(`"attributes":{"name":"x","nmae":3,"worth":"s"},"relationships":{"owner":{"data":{"type":"users","id":"7"}}}`)), 400, "violations")
		isGolden(t, c.Send("GET /api/treasures/9.jsonapi", ""), 404, "missing")
	}
}

// of returns a document of a treasure.
func of(members string) string { return `{"data":{"type":"treasures",` + members + `}}` }

func TestWhoChoosesTheID(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	c.Send("POST /api/users.jsonapi", `{"data":{"type":"users","id":"7","attributes":{"name":"Cid"}}}`).Mentions(403, `"source":{"pointer":"/data/id"}`)
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"new","attributes":{"color":"red"}}}`).Mentions(201, `"id":"new"`).Has("Location", "/api/tags/new")
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"new","attributes":{"color":"red"}}}`).Mentions(409, `"source":{"pointer":"/data/id"}`)
	// The status of a body that is not valid is that of the resource's Errors.
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","attributes":{"color":"red"}}}`).Mentions(422, `"status":"422"`, `"source":{"pointer":"/data/id"}`)
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"x","attributes":{"name":"y","color":"red"}}}`).Mentions(400, `"source":{"pointer":"/data/attributes/name"}`)
}
