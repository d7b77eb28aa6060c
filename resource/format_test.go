package resource_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// card is a format of a user's own: a member on each line, records parted by a rule.
func card() format.Format {
	item := func(b []byte, item format.Item) ([]byte, error) {
		members, err := item.Members()
		b = fmt.Appendf(b, "# %s %s %s\n", item.Type(), item.ID(), item.Address())
		for _, m := range members {
			b = fmt.Appendf(b, "%s: %s\n", m.Name, m.JSON)
		}
		return b, err
	}
	return format.Format{
		MediaType: "text/x-card", ContentType: "text/x-card; charset=utf-8", Suffix: ".card",
		Item: item,
		Collection: format.Collection{Item: item, Separator: "--\n", End: func(b []byte, page format.Page) ([]byte, error) {
			links, err := page.Links()
			total, _ := page.Total()
			return fmt.Appendf(b, "== %d of %s at %s self %s next %s last %s\n", total, page.Type(), page.Address(), links.Self, links.Next, links.Last), err
		}},
		Read: readCard,
		Refuse: func(b []byte, r *format.Refusal) ([]byte, error) {
			b = fmt.Appendf(b, "! %d %s: %s\n", r.Status, r.Title, r.Detail)
			for _, v := range r.Violations {
				b = fmt.Appendf(b, "- %s (%s): %s\n", v.Pointer, v.Code, v.Message)
			}
			return b, nil
		},
		Index: func(b []byte, entries []format.Entry) ([]byte, error) {
			for _, e := range entries {
				b = fmt.Appendf(b, "%s: %s\n", e.Type, e.Address)
			}
			return b, nil
		},
		Schema: func(record json.RawMessage, collection bool) json.RawMessage {
			if collection {
				return json.RawMessage(`{"type":"array","description":"cards","items":` + string(record) + `}`)
			}
			return record
		},
	}
}

func readCard(body *format.Body) ([]byte, error) {
	b := []byte{'{'}
	for line := range strings.Lines(string(body.Bytes)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			return nil, &format.Error{Detail: "A line of a " + body.Type + " has no colon."}
		}
		if value == "broken" {
			return nil, fmt.Errorf("%s is secret", value) //nolint:err113 // it must not reach the client
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%q:%s", name, value)
	}
	return append(b, '}'), nil
}

// reads compares a body that is no JSON.
func (a answer) reads(status int, body string) answer {
	a.t.Helper()
	if a.status != status || a.body != body {
		a.t.Errorf("the answer is %d\n%s\nwant %d\n%s", a.status, a.body, status, body)
	}
	return a
}

func formats() []format.Format { return append(format.Standard(), card()) }

const asCard = "text/x-card"

func TestAFormatOfAUsersOwn(t *testing.T) {
	t.Parallel()
	of := mugs()
	of.Pagination.ItemsPerPage = 1
	c := newClient(t, resource.Config{Formats: formats()}, of)
	const first = "# Mug 1 /api/mugs/1\nid: 1\nname: \"a, {b\"\nfills: 2\n"
	c.send("POST /api/mugs", "name: \"a, {b\"\nfills: 2\n", "Content-Type", asCard, "Accept", asCard).reads(201, first).
		has("Content-Type", "text/x-card; charset=utf-8").has("Location", "/api/mugs/1").has("Vary", "Accept")
	c.send("POST /api/mugs", `{"name":"c"}`).hasStatus(201).has("Content-Type", "application/json")
	c.send("GET /api/mugs/1.card", "").reads(200, first)
	c.send("GET /api/mugs/1", "", "Accept", asCard).reads(200, first).has("Vary", "Accept")
	c.send("GET /api/mugs/1", "").is(200, `{"id":1,"name":"a, {b","fills":2}`)
	c.send("PATCH /api/mugs/1.card", "fills: 5", "Content-Type", asCard).reads(200, strings.Replace(first, "2\n", "5\n", 1)).has("Content-Location", "/api/mugs/1")
	c.send("POST /api/mugs/1/drink", "size: 3", "Content-Type", asCard, "Accept", asCard).reads(200, first)

	c.send("GET /api/mugs.card?colour=1", "", "Accept", "application/json").hasStatus(400). // the suffix goes before Accept
												has("Content-Type", "text/x-card; charset=utf-8").mentions("! 400 Bad Request: ")
	c.send("GET /api/mugs.card", "").reads(200, first+
		"== 2 of Mug at /api/mugs self /api/mugs.card next /api/mugs.card?page=2 last /api/mugs.card?page=2\n").has("X-Total-Count", "2")
	c.send("GET /api/mugs.card?page=2", "").mentions("# Mug 2 /api/mugs/2\n", "self /api/mugs.card?page=2 next  last")
}

func TestRefusalsAreToldInTheFormatThatWasAskedFor(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{Formats: formats()}, mugs(), resource.Of[sip2]{ShortName: "Sip", Errors: validation.Problem})
	const cards = "text/x-card; charset=utf-8"
	c.send("POST /api/mugs", `{"name":"","fills":"x"}`, "Accept", asCard).has("Content-Type", cards).
		reads(400, "! 400 There was a validation error: \n- /fills (type): fills must be an integer\n- /name (notblank): name must not be blank\n")
	c.send("POST /api/sips", `{"size":"x"}`, "Accept", asCard).hasStatus(422).mentions("! 422 There was", "- /size (type)")
	c.send("POST /api/mugs", "name", "Content-Type", asCard, "Accept", asCard).has("Content-Type", cards).
		reads(400, "! 400 Bad Request: A line of a Mug has no colon.\n")
	c.send("POST /api/mugs", "name: broken", "Content-Type", asCard).isProblem(400).mentions("The body is not well-formed text/x-card.")
	c.send("POST /api/mugs", "name: [[", "Content-Type", asCard).isProblem(400)
	c.send("GET /api/mugs/9.card", "").has("Content-Type", cards).reads(404, "! 404 Not Found: There is no such Mug.\n")
	c.send("DELETE /api/mugs/9", "", "Accept", asCard).has("Content-Type", cards).hasStatus(404).has("Vary", "Accept")
	c.send("GET /api/mugs/9", "").isProblem(404)
	c.send("GET /api/mugs/9", "", "Accept", "image/png").isProblem(406).mentions(`"supported":["application/json","text/x-card"]`)
	c.send("GET /api/mugs", "", "Accept", "image/png").isProblem(406).mentions(`["application/json","application/x-ndjson","text/x-card"]`)
	c.send("POST /api/mugs", "x", "Content-Type", "image/png").isProblem(415).mentions(`["application/json","text/x-card"]`).
		has("Accept-Post", "application/json, text/x-card")
	c.send("PATCH /api/mugs/1", "x", "Content-Type", "image/png").isProblem(415).
		has("Accept-Patch", "application/merge-patch+json, application/json, text/x-card")
	c.send("GET /api/mugs/1.cards", "").isProblem(404)
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	c.send("POST /api/mugs", "name: "+deep, "Content-Type", asCard).isProblem(413).mentions("levels deep")
}

type sip2 struct {
	ID   int64 `json:"id"`
	Size int   `json:"size"`
}

func TestATagGuardsARecordInEveryFormat(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{Formats: formats()}, mugs())
	c.send("POST /api/mugs", `{"name":"a"}`).hasStatus(201)
	plain := c.send("GET /api/mugs/1", "").header.Get("ETag")
	asked := c.send("GET /api/mugs/1.card", "").header.Get("ETag")
	state, _, _ := strings.Cut(strings.Trim(plain, `"`), ".")
	if plain == asked || !strings.HasPrefix(asked, `"`+state+".") {
		t.Errorf("the tags are %s and %s; they must share the state alone", plain, asked)
	}
	c.send("GET /api/mugs/1.card", "", "If-None-Match", asked).hasStatus(304)
	c.send("GET /api/mugs/1.card", "", "If-None-Match", plain).hasStatus(200)
	c.send("PATCH /api/mugs/1", `{"fills":1}`, "If-Match", asked).hasStatus(200)
	c.send("PATCH /api/mugs/1", `{"fills":2}`, "If-Match", asked).isProblem(412)
	c.send("PATCH /api/mugs/1", "fills: 2", "Content-Type", asCard, "If-Match", plain).isProblem(412)
}

func TestARepeatIsAnsweredInTheFormatOfTheFirstAnswer(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{Formats: formats()}, mugs())
	first := c.send("POST /api/mugs", `{"name":"a"}`, keyField, "k", "Accept", asCard).hasStatus(201)
	for _, path := range []string{"POST /api/mugs", "POST /api/mugs.json"} {
		c.send(path, `{"name":"a"}`, keyField, "k", "Accept", "application/json").reads(201, first.body).
			has("Idempotent-Replayed", "true").has("Content-Type", "text/x-card; charset=utf-8")
	}
	c.send("GET /api/mugs", "").is(200, `[{"id":1,"name":"a","fills":0}]`)
}

func TestAnOperationNamesItsOwnFormats(t *testing.T) {
	t.Parallel()
	only := []format.Format{card()}
	c := newClient(t, resource.Config{}, resource.Of[mug]{Formats: only, Operations: []operation.Operation{
		operation.Get{}, operation.GetCollection{Unset: []string{"Formats"}}, operation.Post{Formats: formats()},
	}})
	c.send("POST /api/mugs", `{"name":"a"}`).hasStatus(201)
	c.send("GET /api/mugs/1", "").hasStatus(200).mentions("# Mug 1")
	c.send("GET /api/mugs/1.json", "").hasStatus(404)
	c.send("GET /api/mugs.json", "").is(200, `[{"id":1,"name":"a","fills":0}]`)
	c.send("GET /api/mugs.card", "").isProblem(404)
}

func TestTheIndexHasAlternates(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{Formats: formats()}, mugs())
	c.send("GET /api", "").is(200, `{"Mug":"/api/mugs"}`).has("Link", `</api>; rel="alternate"; type="text/x-card"`)
	c.send("GET /api", "", "Accept", asCard).reads(200, "Mug: /api/mugs\n").has("Link", `</api>; rel="alternate"; type="application/json"`).
		has("Content-Type", "text/x-card; charset=utf-8")
	c.send("GET /api", "", "Accept", "image/png").isProblem(406).mentions(asCard)
	c.send("GET /api.card", "", "Accept", "application/json").reads(200, "Mug: /api/mugs\n").has("Link", `</api>; rel="alternate"; type="application/json"`)
	c.send("GET /api.json", "", "Accept", asCard).is(200, `{"Mug":"/api/mugs"}`).has("Content-Type", "application/json").has("Vary", "")
	c.send("HEAD /api.json", "").reads(200, "")
	c.send("POST /api.json", "").isProblem(405).has("Allow", "GET, HEAD, OPTIONS")
	c.send("GET /api.ndjson", "").isProblem(404)
}

func TestAFormatStreams(t *testing.T) {
	t.Parallel()
	f := card()
	f.Stream = true
	f.Collection.Begin = func(b []byte, _ format.Page) ([]byte, error) { return append(b, "%\n"...), nil }
	c := newClient(t, resource.Config{Formats: append(format.Standard(), f)}, mugs())
	for i := range 70 {
		c.send("POST /api/mugs", fmt.Sprintf(`{"name":"%d"}`, i)).hasStatus(201)
	}
	got := c.send("GET /api/mugs.card", "").hasStatus(200)
	if n := strings.Count(got.body, "--\n"); n != 69 || !strings.HasPrefix(got.body, "%\n# Mug 1 ") || strings.Count(got.body, "== 0 of Mug") != 1 {
		t.Errorf("%d separators in %.300s", n, got.body)
	}
}

func TestTheDocumentListsEveryMediaType(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: formats()}, mugs())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{Title: "Mugs", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	collection := doc.Paths.Value("/api/mugs")
	of := collection.Get.Responses.Value("200").Value.Content[asCard]
	if of == nil || of.Schema.Value.Description != "cards" || of.Schema.Value.Items.Ref != "#/components/schemas/Mug" {
		t.Errorf("the collection has %+v", of)
	}
	if body := collection.Post.RequestBody.Value.Content[asCard]; body == nil || body.Schema.Ref != collection.Post.RequestBody.Value.Content[format.JSON].Schema.Ref {
		t.Errorf("the body has %+v", body)
	}
}

func TestMistakenFormats(t *testing.T) {
	t.Parallel()
	writer := card().Item
	for name, test := range map[string]struct {
		formats []format.Format
		want    string
	}{
		"an empty list":            {[]format.Format{}, "Formats is empty"},
		"no media type":            {[]format.Format{{JSON: true}}, `Formats[0].MediaType is missing`},
		"a malformed media type":   {[]format.Format{{JSON: true, MediaType: "csv"}}, `Formats[0].MediaType is "csv", which is no media type`},
		"parameters":               {[]format.Format{{JSON: true, MediaType: "Text/CSV; a=b"}}, `write it as "text/csv"`},
		"two of a media type":      {append(format.Standard(), format.Format{MediaType: format.JSON, Item: writer}), `Formats[2].MediaType is "application/json", which is that of [0]`},
		"two of a suffix":          {append(format.Standard(), format.Format{MediaType: "a/b", Suffix: ".json", Item: writer}), `Formats[2].Suffix is ".json", which is that of [0]`},
		"another Content-Type":     {append(format.Standard(), format.Format{MediaType: "a/b", ContentType: "a/c", Item: writer}), `Formats[2].ContentType is "a/c"; allowed: a/b, with parameters`},
		"two lines of a field":     {append(format.Standard(), format.Format{MediaType: "a/b", ContentType: "a/b;c=\"d\r\ne\"", Item: writer}), `Formats[2].ContentType is`},
		"a suffix without a dot":   {append(format.Standard(), format.Format{MediaType: "a/b", Suffix: "b", Item: writer}), `Formats[2].Suffix is "b"; write it as ".b"`},
		"a suffix that is a path":  {append(format.Standard(), format.Format{MediaType: "a/b", Suffix: "/b", Item: writer}), `allowed: a dot`},
		"no function":              {append(format.Standard(), format.Format{MediaType: "a/b"}), `Formats[2] can do nothing`},
		"JSON with functions":      {[]format.Format{{JSON: true, MediaType: "a/b", Item: writer}}, `Formats[0] is JSON as it is, and has functions`},
		"types without a reader":   {append(format.Standard(), format.Format{MediaType: "a/b", Item: writer, Reads: []string{"a/c"}}), `has no Read`},
		"two readers of one type":  {append(format.Standard(), format.Format{MediaType: "a/b", Read: readCard, Reads: []string{format.JSON}}), `which [0] reads`},
		"around no record":         {append(format.Standard(), format.Format{MediaType: "a/b", Item: writer, Collection: format.Collection{Separator: ","}}), `Collection has no Item`},
		"nothing writes an item":   {format.Standard()[1:], `Config.Formats has no format that writes one item`},
		"nothing writes many":      {[]format.Format{{MediaType: "a/b", Item: writer, Read: readCard}}, `Config.Formats has no format that writes a collection`},
		"nothing reads":            {[]format.Format{{MediaType: "a/b", Item: writer, Collection: card().Collection}}, `Config.Formats has no format that reads a body`},
		"a stream of nothing":      {append(format.Standard(), format.Format{MediaType: "a/b", Item: writer, Stream: true}), `Formats[2].Stream is for collections`},
		"Patches without a reader": {append(format.Standard(), format.Format{MediaType: "a/b", Item: writer, Patches: []string{"a/c"}}), `has no Read`},
	} {
		_, err := resource.New(resource.Config{Formats: test.formats}, resource.Of[mug]{})
		if err == nil || strings.Count(err.Error(), test.want) != 1 {
			t.Errorf("%s: the error is %v, want %s, once", name, err, test.want)
		}
	}
	for _, of := range []resource.Of[mug]{
		{Formats: []format.Format{{MediaType: "x"}}},
		{Operations: []operation.Operation{operation.Get{Formats: []format.Format{{MediaType: "x"}}}}},
	} {
		if _, err := resource.New(resource.Config{}, of); err == nil || !strings.Contains(err.Error(), `resource Mug`) || !strings.Contains(err.Error(), `Formats[0].MediaType is "x"`) {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestAFormatThatFailsIsAFaultOfTheService(t *testing.T) {
	t.Parallel()
	f := card()
	f.Item = func([]byte, format.Item) ([]byte, error) { return nil, fmt.Errorf("secret") } //nolint:err113 // it must not reach the client
	f.Refuse = func([]byte, *format.Refusal) ([]byte, error) { panic("secret") }
	f.Collection.Item = func(b []byte, item format.Item) ([]byte, error) {
		if item.ID() == "1" {
			return append(b, "half"...), fmt.Errorf("secret") //nolint:err113 // it must not reach the log's reader alone
		}
		return append(b, item.ID()...), nil
	}
	c := newClient(t, resource.Config{Formats: append(format.Standard(), f)}, mugs())
	c.send("POST /api/mugs.card", `{"name":"lost"}`).isProblem(500)
	c.send("POST /api/mugs", `{"name":"a"}`).hasStatus(201)
	c.send("POST /api/mugs", `{"name":"b"}`).hasStatus(201)
	c.send("GET /api/mugs.card", "").hasStatus(200).mentions("== 2 of Mug")
	if body := c.send("GET /api/mugs.card", "").body; strings.Contains(body, "half") {
		t.Errorf("a record that cannot be written leaves a trace: %s", body)
	}
}

// FuzzMembers holds that members are the record, whatever is in it.
func FuzzMembers(f *testing.F) {
	type note struct {
		ID   int64           `json:"id"`
		Text string          `json:"text"`
		Any  json.RawMessage `json:"any"`
		At   time.Time       `json:"at"`
		Tags []string        `json:"tags"`
	}
	f.Add(`a "quoted\ {text}`, `{"a":[1,{"b":"}"}]}`)
	f.Add(",:", ` [ 1 , "]" ] `)
	whole := format.Format{MediaType: asCard, Suffix: ".card", Item: func(b []byte, item format.Item) ([]byte, error) {
		members, err := item.Members()
		made := map[string]json.RawMessage{}
		for _, m := range members {
			made[m.Name] = m.JSON
		}
		text, failed := json.Marshal(made)
		if failed != nil {
			return b, failed
		}
		return append(b, text...), err
	}}
	config := resource.Config{Formats: append(format.Standard(), whole)}
	f.Fuzz(func(t *testing.T, text, other string) {
		c := newClient(t, config, resource.Of[note]{})
		body, err := json.Marshal(map[string]any{"text": text, "any": json.RawMessage(other)})
		if err != nil {
			t.Skip()
		}
		made := c.send("POST /api/notes", string(body))
		if made.status != 201 {
			t.Skip()
		}
		var want, got any
		address := made.header.Get("Location")
		for path, into := range map[string]*any{address: &want, address + ".card": &got} {
			decoder := json.NewDecoder(bytes.NewReader([]byte(c.send("GET "+path, "").body)))
			decoder.UseNumber()
			if err := decoder.Decode(into); err != nil {
				t.Fatal(err)
			}
		}
		if fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("members are %v of %v", got, want)
		}
	})
}
