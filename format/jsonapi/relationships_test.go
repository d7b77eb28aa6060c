package jsonapi_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

const ofTags = "/api/treasures/1/relationships/tags"

// tags is the body of a relationship to tags.
func tags(names ...string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = `{"type":"tags","id":"` + name + `"}`
	}
	return `{"data":[` + strings.Join(list, ",") + `]}`
}

// hasTags holds treasure 1 to its tags.
func (c client) hasTags(names ...string) {
	c.T.Helper()
	data := strings.TrimSuffix(tags(names...), "}")
	c.Send("GET "+ofTags, "").Is(200, open+data[1:]+`,"links":{"self":"`+ofTags+`"}}`)
}

func TestARelationshipIsReadAtItsPath(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		c.hasTags("old", "a/b")
		c.Send("GET /api/treasures/1/relationships/owner", "").Has("Content-Type", jsonapi.MediaType).
			Is(200, open+`"data":{"type":"users","id":"1"},"links":{"self":"/api/treasures/1/relationships/owner","related":"/api/users/1"}}`)
		c.Send("GET /api/treasures/1/relationships/heir", "").
			Is(200, open+`"data":null,"links":{"self":"/api/treasures/1/relationships/heir"}}`)
	}
}

func TestToManyRelationshipsAreReplacedAddedToAndTakenFrom(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"new"}}`).Mentions(201)
		for range 2 { // what is there already is not added again
			c.Send("POST "+ofTags, tags("new", "old", "new")).Is(204, "")
			c.hasTags("old", "a/b", "new")
		}
		for range 2 { // what is gone already is not missed
			c.Send("DELETE "+ofTags, tags("a/b", "none")).Is(204, "")
			c.hasTags("old", "new")
		}
		c.Send("PATCH "+ofTags, tags("a/b", "old")).Is(204, "")
		c.hasTags("a/b", "old")
		c.Send("PATCH "+ofTags, tags()).Is(204, "")
		c.hasTags()
		c.Send("POST "+ofTags, tags()).Is(204, "")
		c.Send("GET /api/treasures/1.jsonapi", "").Mentions(200, `"name":"Gold"`, `"worth":5`, `"owner":{"data":{"type":"users","id":"1"}`)
	}
}

func TestToOneRelationshipsAreReplaced(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	const heir, owner = "/api/treasures/1/relationships/heir", "/api/treasures/1/relationships/owner"
	c.Send("PATCH "+heir, `{"data":{"type":"users","id":"2"}}`).Is(204, "")
	c.Send("GET "+heir, "").Mentions(200, `"data":{"type":"users","id":"2"}`, `"related":"/api/users/2"`)
	c.Send("PATCH "+heir, `{"data":null}`).Is(204, "")
	c.Send("GET "+heir, "").Mentions(200, `"data":null`)
	c.Send("PATCH "+owner, `{"data":null}`).Mentions(400, `"pointer":"/data"`)
	for _, method := range []string{"POST", "DELETE"} {
		c.Send(method+" "+heir, `{"data":{"type":"users","id":"2"}}`).Mentions(405).Has("Allow", "GET, HEAD, PATCH, OPTIONS")
	}
}

// Each row is a body for the tags of treasure 1, with its error and the place of it.
func TestRejectedChangesOfRelationships(t *testing.T) {
	t.Parallel()
	const unknown = `"must have the id of an existing Tag"`
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		for _, row := range []struct {
			body    string
			status  int
			pointer string
		}{
			{`{"data":[{"type":"users","id":"1"}]}`, 409, "/data/0/type"},
			{`{"data":[{"type":"tags","id":"old"},{"type":"Tag","id":"old"}]}`, 409, "/data/1/type"},
			{`{"data":[{"id":"old"}]}`, 400, "/data/0/type"},
			{`{"data":[{"type":"tags"}]}`, 400, "/data/0/id"},
			{`{"data":[{"type":"tags","id":1}]}`, 400, "/data/0/id"},
			{`{"data":[{"type":"tags","lid":"x"}]}`, 400, "/data/0/lid"},
			{`{"data":["old"]}`, 400, "/data/0"},
			{`{"data":{"type":"tags","id":"old"}}`, 400, "/data"},
			{`{"data":null}`, 400, "/data"},
			{`{"data":"old"}`, 400, "/data"},
			{`{"links":{}}`, 400, ""},
			{`{"tags":["/api/tags/old"]}`, 400, ""},
			{`[]`, 400, ""},
			{`null`, 400, ""},
			{`{`, 400, ""},
			{`{"data":[],"data":[]}`, 400, "/data"},
		} {
			for _, method := range []string{"PATCH", "POST", "DELETE"} {
				answer := c.Send(method+" "+ofTags, row.body).Mentions(row.status, `"errors":[`)
				if row.pointer != "" {
					answer.Mentions(row.status, `"pointer":"`+row.pointer+`"`)
				}
			}
		}
		for _, method := range []string{"PATCH", "POST"} {
			answer := c.Send(method+" "+ofTags, tags("old", "none", "a/b", "nil")).Mentions(400, `"pointer":"/data/1"`, `"pointer":"/data/3"`, strings.Trim(unknown, `"`))
			if strings.Count(answer.Body, `"pointer"`) != 2 {
				t.Errorf("other places are told, too: %s", answer.Body)
			}
		}
		c.hasTags("old", "a/b")
	}
}

func TestRelationshipsKeepToTheLimitOfTheirList(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	for _, name := range []string{"c", "d", "e", "f"} {
		c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"`+name+`"}}`).Mentions(201)
	}
	c.Send("POST "+ofTags, tags("c", "d", "e")).Is(204, "")
	c.Send("POST "+ofTags, tags("f")).Mentions(400, "at most 5", `"pointer":"/data"`)
	c.Send("PATCH "+ofTags, tags("a/b", "old", "c", "d", "e", "f")).Mentions(400, "at most 5", `"pointer":"/data"`)
	c.Send("POST "+ofTags, tags("e", "d")).Is(204, "")
}

func TestRelationshipsSpeakJSONAPIAlone(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	c.Send("GET "+ofTags, "", "Accept", format.JSON).Mentions(406)
	c.Send("GET "+ofTags, "", "Accept", jsonapi.MediaType+`; ext="https://example.com/x"`).Mentions(406)
	for _, method := range []string{"PATCH", "POST", "DELETE"} {
		for _, mediaType := range []string{format.JSON, "application/merge-patch+json", "text/plain", jsonapi.MediaType + "; charset=utf-8"} {
			c.Send(method+" "+ofTags, tags(), "Content-Type", mediaType).Mentions(415, `"errors":[`, jsonapi.MediaType)
		}
		c.Send(method+" "+ofTags+".json", tags()).Mentions(404)
	}
	c.Send("GET "+ofTags+"?include=owner", "").Mentions(400, `"parameter":"include"`)
	c.Send("OPTIONS "+ofTags, "").Mentions(204).Has("Allow", "GET, HEAD, POST, PATCH, DELETE, OPTIONS").Has("Accept-Patch", jsonapi.MediaType)
	for _, path := range []string{"/api/treasures/1/relationships/name", "/api/treasures/1/relationships", "/api/users/1/relationships/treasures"} {
		c.Send("GET "+path, "").Mentions(404)
	}
	for _, method := range []string{"GET", "PATCH", "POST", "DELETE"} {
		body := tags()
		if method == "GET" {
			body = ""
		}
		c.Send(method+" /api/treasures/9/relationships/tags", body).Mentions(404, `"errors":[`)
		c.Send(method+" /api/treasures/x/relationships/tags", body).Mentions(404, `"errors":[`)
	}
}

func TestRelationshipsAreGuardedByConditions(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	tag := c.Send("GET /api/treasures/1.jsonapi", "").Header.Get("ETag")
	own := c.Send("GET "+ofTags, "").Header.Get("ETag")
	if own == "" || own == tag {
		t.Errorf("the tag of the relationship is %q, that of the record %q", own, tag)
	}
	c.Send("GET "+ofTags, "", "If-None-Match", own).Is(304, "")
	for _, tag := range []string{tag, own} {
		c.Send("POST "+ofTags, tags("old"), "If-Match", tag).Is(204, "") // which changes nothing
	}
	c.Send("GET /api/treasures/1.jsonapi", "").Has("ETag", tag)
	c.Send("DELETE "+ofTags, tags("old"), "If-Match", own).Is(204, "")
	for _, method := range []string{"PATCH", "POST", "DELETE"} {
		c.Send(method+" "+ofTags, tags(), "If-Match", tag).Mentions(412, `"errors":[`)
	}
}

func TestRelationshipsAddedAtTheSameTimeAreAllSaved(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	c.Send("PATCH "+ofTags, tags()).Is(204, "")
	var both sync.WaitGroup
	for _, name := range []string{"old", "a/b"} {
		both.Go(func() { c.Client.Send("POST "+ofTags, tags(name)) })
	}
	both.Wait()
	c.Send("GET "+ofTags, "").Mentions(200, `"id":"old"`, `"id":"a/b"`)
}

// Relationships are the resource's own Get and Patch, hooks and all.
func TestRelationshipsRunTheHooksOfThePatch(t *testing.T) {
	t.Parallel()
	type Box struct {
		ID    int64    `json:"id"`
		Count int      `json:"count" api:"readonly"`
		Tags  []string `json:"tags" validate:"max=5" api:"ref=Tag"`
	}
	var kinds []string
	c := newClient(t, resource.Config{}, resource.Of[Tag]{}, resource.Of[Box]{
		Prepare: func(_ context.Context, req *operation.Request, b *Box) error {
			kinds = append(kinds, req.Kind.String())
			if b.Count = len(b.Tags); b.Count == 3 {
				return operation.Error{Status: http.StatusTeapot, Title: "Full", Detail: "Three are too many."}
			}
			return nil
		},
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, b *Box, save operation.Save[Box]) error {
			if len(b.Tags) == 1 && b.Tags[0] == "evil" {
				return errors.Join(operation.Error{Status: http.StatusForbidden, Title: "Evil"})
			}
			return save(ctx, b)
		}),
	})
	for _, name := range []string{"a", "b", "c", "evil"} {
		c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"`+name+`"}}`).Mentions(201)
	}
	c.Send("POST /api/boxes.jsonapi", `{"data":{"type":"boxes"}}`).Mentions(201)
	const at = "/api/boxes/1/relationships/tags"
	c.Send("POST "+at, tags("a", "b")).Is(204, "")
	c.Send("GET /api/boxes/1.jsonapi", "").Mentions(200, `"count":2`)
	c.Send("POST "+at, tags("c")).Mentions(418, "Three are too many.")
	c.Send("PATCH "+at, tags("evil")).Mentions(403, `"errors":[`)
	c.Send("DELETE "+at, tags("a")).Is(204, "")
	c.Send("GET /api/boxes/1.jsonapi", "").Mentions(200, `"count":1`, `"id":"b"`)
	if len(kinds) != 5 || kinds[0] != "Post" || slices.ContainsFunc(kinds[1:], func(kind string) bool { return kind != "Patch" }) {
		t.Errorf("Prepare has run for %v", kinds)
	}
}

func TestWhichRelationshipsThereAre(t *testing.T) {
	t.Parallel()
	type Chest struct {
		ID    int64    `json:"id"`
		Made  *int64   `json:"made" api:"ref=User,createonly"`
		Seen  *int64   `json:"seen" api:"ref=User,readonly"`
		Heir  *int64   `json:"heir" api:"ref=User"`
		Magic *int64   `json:"magic" api:"ref=User,writeonly"`
		Tags  []string `json:"tags" validate:"max=5" api:"ref=Tag"`
	}
	routes := func(d resource.Of[Chest]) string {
		c := newClient(t, resource.Config{}, resource.Of[User]{Operations: []operation.Operation{operation.Get{}}}, resource.Of[Tag]{}, d)
		var list []string
		for _, route := range c.api.Routes() {
			if route.Resource == "Chest" && strings.Contains(route.Path, "/relationships/") {
				list = append(list, route.Method+" "+strings.TrimPrefix(route.Path, "/api/chests/{id}/relationships/")+" "+route.Operation)
			}
		}
		return strings.Join(list, "\n")
	}
	const reading = `GET made getChestMadeRelationship
GET seen getChestSeenRelationship
GET heir getChestHeirRelationship
GET tags getChestTagsRelationship`
	const all = `GET made getChestMadeRelationship
GET seen getChestSeenRelationship
GET heir getChestHeirRelationship
PATCH heir patchChestHeirRelationship
GET tags getChestTagsRelationship
PATCH tags patchChestTagsRelationship
POST tags addChestTagsRelationship
DELETE tags removeChestTagsRelationship`
	plain := []format.Format{format.Standard()[0]}
	for name, test := range map[string]struct {
		of   resource.Of[Chest]
		want string
	}{
		"those that answers show and a Patch sets": {resource.Of[Chest]{}, all},
		"none are changed without a Patch":         {resource.Of[Chest]{Operations: []operation.Operation{operation.Get{}, operation.Put{}}}, reading},
		"none without a Get":                       {resource.Of[Chest]{Operations: []operation.Operation{operation.Patch{}}}, ""},
		"none in another format":                   {resource.Of[Chest]{Formats: plain}, ""},
		"none are changed by a Patch in another":   {resource.Of[Chest]{Operations: []operation.Operation{operation.Get{}, operation.Patch{Formats: plain}}}, reading},
		"those that the view of the Get has": {
			resource.Of[Chest]{Operations: []operation.Operation{operation.Get{View: &operation.View{Name: "Small", Members: []string{"id", "seen"}}}, operation.Patch{}}},
			"GET seen getChestSeenRelationship",
		},
	} {
		if got := routes(test.of); got != test.want {
			t.Errorf("%s: there are\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

func TestAPathOfARelationshipThatIsTakenIsAMistake(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonapi.Format)}, resource.Of[User]{Operations: append(operation.Standard(),
		operation.Get{Name: "boss", URITemplate: "/users/{id}/relationships/boss"})})
	if err == nil || !strings.Contains(err.Error(), "the operations getUserBossRelationship and bossUser have the same route GET /api/users/{id}/relationships/boss") {
		t.Errorf("the mistakes are %v", err)
	}
}

// Identifiers may end like a suffix, or have what paths encode.
func TestLinksOfRelationshipsLeadThere(t *testing.T) {
	t.Parallel()
	type Robot struct {
		Serial string   `json:"serial" api:"id"`
		Twin   *string  `json:"twin" api:"ref=Robot"`
		Tags   []string `json:"tags" validate:"max=5" api:"ref=Tag"`
	}
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newClient(t, resource.Config{References: references}, resource.Of[Robot]{}, resource.Of[Tag]{})
		links := regexp.MustCompile(`"(?:self|related)":"([^"]*)"`)
		for _, serial := range []string{"x", "x.json", "a/b", "é", "..", "50%"} {
			c.Send("POST /api/robots.jsonapi", `{"data":{"type":"robots","id":"`+serial+`"}}`).Mentions(201)
			c.Send("PATCH /api/robots/x/relationships/twin", `{"data":{"type":"robots","id":"`+serial+`"}}`).Is(204, "")
			for _, link := range links.FindAllStringSubmatch(c.Send("GET /api/robots.jsonapi", "").Body, -1) {
				c.Send("GET "+link[1], "", "Accept", jsonapi.MediaType).Mentions(200)
			}
		}
	}
}

func TestTheDocumentHasRelationships(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"3.1", "3.0"} {
		doc, err := openapi.Document(newHoard(t, resource.Config{}).api, openapi.Config{Title: "Hoard", Version: "1", OpenAPI: version})
		if err != nil {
			t.Fatal(err)
		}
		item := doc.Paths.Value("/api/treasures/{id}/relationships/tags")
		for method, id := range map[string]string{
			"GET": "getTreasureTagsRelationship", "PATCH": "patchTreasureTagsRelationship", "POST": "addTreasureTagsRelationship", "DELETE": "removeTreasureTagsRelationship",
		} {
			op := item.GetOperation(method)
			if op == nil || op.OperationID != id {
				t.Errorf("%s is %v", method, op)
				continue
			}
			if method == "GET" {
				if content := op.Responses.Value("200").Value.Content; len(content) != 1 || content[jsonapi.MediaType] == nil {
					t.Errorf("%s answers %v", method, content)
				}
				continue
			}
			content := op.RequestBody.Value.Content
			if len(content) != 1 || content[jsonapi.MediaType] == nil || op.Responses.Value("204") == nil {
				t.Errorf("%s takes %v and answers %v", method, content, op.Responses)
				continue
			}
			data := content[jsonapi.MediaType].Schema.Value.Properties["data"].Value
			if limit := data.MaxItems; (method == "PATCH") != (limit != nil && *limit == 5) {
				t.Errorf("%s takes at most %v", method, limit)
			}
		}
	}
}

// References are not compared with one another: that of many would take the square of their number.
func TestWhatAChangeOfARelationshipCostsIsLinear(t *testing.T) { //nolint:paralleltest // others would allocate, too
	c := newHoard(t, resource.Config{})
	allocated := func(count int) float64 {
		names := make([]string, count)
		for i := range names {
			names[i] = "none" + strconv.Itoa(i)
		}
		body := tags(names...)
		n, _ := alloctest.Count(2, func() { c.Send("POST "+ofTags, body).Mentions(400) })
		return n
	}
	if few, many := allocated(750), allocated(3000); many > 5*few {
		t.Errorf("%v allocations for four times as many references as took %v", many, few)
	}
}
