package formats_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// card is a format of a user's own: a field on each line, records separated by a rule.
func card() format.Format {
	item := func(b []byte, item format.Item) ([]byte, error) {
		members, err := item.Fields()
		b = fmt.Appendf(b, "# %s %s %s\n", item.Type(), item.ID(), item.Path())
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
			return fmt.Appendf(b, "== %d of %s at %s self %s next %s last %s\n", total, page.Type(), page.Path(), links.Self, links.Next, links.Last), err
		}},
		Read: readCard,
		WriteError: func(b []byte, r *format.ErrorResponse) ([]byte, error) {
			b = fmt.Appendf(b, "! %d %s: %s\n", r.Status, r.Title, r.Detail)
			for _, v := range r.Violations {
				b = fmt.Appendf(b, "- %s (%s): %s\n", v.Pointer, v.Code, v.Message)
			}
			return b, nil
		},
		Index: func(b []byte, entries []format.Entry) ([]byte, error) {
			for _, e := range entries {
				b = fmt.Appendf(b, "%s: %s\n", e.Type, e.Path)
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

func formats() []format.Format { return append(format.Standard(), card()) }

const asCard = "text/x-card"

func TestAFormatOfAUsersOwn(t *testing.T) {
	t.Parallel()
	of := spec.Mugs()
	of.Pagination.ItemsPerPage = 1
	c := spec.NewClient(t, resource.Config{Formats: formats()}, of)
	const first = "# Mug 1 /api/mugs/1\nid: 1\nname: \"a, {b\"\nfills: 2\n"
	c.Send("POST /api/mugs", "name: \"a, {b\"\nfills: 2\n", "Content-Type", asCard, "Accept", asCard).Reads(201, first).
		Has("Content-Type", "text/x-card; charset=utf-8").Has("Location", "/api/mugs/1").Has("Vary", "Accept")
	c.Send("POST /api/mugs", `{"name":"c"}`).HasStatus(201).Has("Content-Type", "application/json")
	c.Send("GET /api/mugs/1.card", "").Reads(200, first)
	c.Send("GET /api/mugs/1", "", "Accept", asCard).Reads(200, first).Has("Vary", "Accept")
	c.Send("GET /api/mugs/1", "").Is(200, `{"id":1,"name":"a, {b","fills":2}`)
	c.Send("PATCH /api/mugs/1.card", "fills: 5", "Content-Type", asCard).Reads(200, strings.Replace(first, "2\n", "5\n", 1)).Has("Content-Location", "/api/mugs/1")
	c.Send("POST /api/mugs/1/drink", "size: 3", "Content-Type", asCard, "Accept", asCard).Reads(200, first)

	c.Send("GET /api/mugs.card?colour=1", "", "Accept", "application/json").HasStatus(400). // the suffix takes precedence over Accept
												Has("Content-Type", "text/x-card; charset=utf-8").Mentions("! 400 Bad Request: ")
	c.Send("GET /api/mugs.card", "").Reads(200, first+
		"== 2 of Mug at /api/mugs self /api/mugs.card next /api/mugs.card?page=2 last /api/mugs.card?page=2\n").Has("X-Total-Count", "2")
	c.Send("GET /api/mugs.card?page=2", "").Mentions("# Mug 2 /api/mugs/2\n", "self /api/mugs.card?page=2 next  last")
}

func TestErrorsAreInTheRequestedFormat(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Formats: formats()}, spec.Mugs(), resource.Of[sip2]{ShortName: "Sip", Errors: validation.Problem})
	const cards = "text/x-card; charset=utf-8"
	c.Send("POST /api/mugs", `{"name":"","fills":"x"}`, "Accept", asCard).Has("Content-Type", cards).
		Reads(400, "! 400 There was a validation error: \n- /fills (type): fills must be an integer\n- /name (notblank): name must not be blank\n")
	c.Send("POST /api/sips", `{"size":"x"}`, "Accept", asCard).HasStatus(422).Mentions("! 422 There was", "- /size (type)")
	c.Send("POST /api/mugs", "name", "Content-Type", asCard, "Accept", asCard).Has("Content-Type", cards).
		Reads(400, "! 400 Bad Request: A line of a Mug has no colon.\n")
	c.Send("POST /api/mugs", "name: broken", "Content-Type", asCard).IsProblem(400).Mentions("The request body is not well-formed text/x-card.")
	c.Send("POST /api/mugs", "name: [[", "Content-Type", asCard).IsProblem(400)
	c.Send("GET /api/mugs/9.card", "").Has("Content-Type", cards).Reads(404, "! 404 Not Found: The mug does not exist.\n")
	c.Send("DELETE /api/mugs/9", "", "Accept", asCard).Has("Content-Type", cards).HasStatus(404).Has("Vary", "Accept")
	c.Send("GET /api/mugs/9", "").IsProblem(404)
	c.Send("GET /api/mugs/9", "", "Accept", "image/png").IsProblem(406).Mentions(`"supported":["application/json","text/x-card"]`)
	c.Send("GET /api/mugs", "", "Accept", "image/png").IsProblem(406).Mentions(`["application/json","application/x-ndjson","text/x-card"]`)
	c.Send("POST /api/mugs", "x", "Content-Type", "image/png").IsProblem(415).Mentions(`["application/json","text/x-card"]`).
		Has("Accept-Post", "application/json, text/x-card")
	c.Send("PATCH /api/mugs/1", "x", "Content-Type", "image/png").IsProblem(415).
		Has("Accept-Patch", "application/merge-patch+json, application/json, text/x-card")
	c.Send("GET /api/mugs/1.cards", "").IsProblem(404)
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	c.Send("POST /api/mugs", "name: "+deep, "Content-Type", asCard).IsProblem(413).Mentions("levels deep")
}

type sip2 struct {
	ID   int64 `json:"id"`
	Size int   `json:"size"`
}

func TestATagGuardsARecordInEveryFormat(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Formats: formats()}, spec.Mugs())
	c.Send("POST /api/mugs", `{"name":"a"}`).HasStatus(201)
	plain := c.Send("GET /api/mugs/1", "").Header.Get("ETag")
	asked := c.Send("GET /api/mugs/1.card", "").Header.Get("ETag")
	state, _, _ := strings.Cut(strings.Trim(plain, `"`), ".")
	if plain == asked || !strings.HasPrefix(asked, `"`+state+".") {
		t.Errorf("the tags are %s and %s; they must share the state alone", plain, asked)
	}
	c.Send("GET /api/mugs/1.card", "", "If-None-Match", asked).HasStatus(304)
	c.Send("GET /api/mugs/1.card", "", "If-None-Match", plain).HasStatus(200)
	c.Send("PATCH /api/mugs/1", `{"fills":1}`, "If-Match", asked).HasStatus(200)
	c.Send("PATCH /api/mugs/1", `{"fills":2}`, "If-Match", asked).IsProblem(412)
	c.Send("PATCH /api/mugs/1", "fills: 2", "Content-Type", asCard, "If-Match", plain).IsProblem(412)
}

func TestARepeatGetsTheFormatOfTheFirstResponse(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Formats: formats()}, spec.Mugs())
	first := c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k", "Accept", asCard).HasStatus(201)
	for _, path := range []string{"POST /api/mugs", "POST /api/mugs.json"} {
		c.Send(path, `{"name":"a"}`, spec.KeyField, "k", "Accept", "application/json").Reads(201, first.Body).
			Has("Idempotent-Replayed", "true").Has("Content-Type", "text/x-card; charset=utf-8")
	}
	c.Send("GET /api/mugs", "").Is(200, `[{"id":1,"name":"a","fills":0}]`)
}

func TestAnOperationNamesItsOwnFormats(t *testing.T) {
	t.Parallel()
	only := []format.Format{card()}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Mug]{Formats: only, Operations: []operation.Operation{
		operation.Get{}, operation.GetCollection{Formats: formats()[:1]}, operation.Post{Formats: formats()},
	}})
	c.Send("POST /api/mugs", `{"name":"a"}`).HasStatus(201)
	c.Send("GET /api/mugs/1", "").HasStatus(200).Mentions("# Mug 1")
	c.Send("GET /api/mugs/1.json", "").HasStatus(404)
	c.Send("GET /api/mugs.json", "").Is(200, `[{"id":1,"name":"a","fills":0}]`)
	c.Send("GET /api/mugs.card", "").IsProblem(404)
}

func TestTheIndexHasAlternates(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Formats: formats()}, spec.Mugs())
	c.Send("GET /api", "").Is(200, `{"Mug":"/api/mugs"}`).Has("Link", `</api>; rel="alternate"; type="text/x-card"`)
	c.Send("GET /api", "", "Accept", asCard).Reads(200, "Mug: /api/mugs\n").Has("Link", `</api>; rel="alternate"; type="application/json"`).
		Has("Content-Type", "text/x-card; charset=utf-8")
	c.Send("GET /api", "", "Accept", "image/png").IsProblem(406).Mentions(asCard)
	c.Send("GET /api.card", "", "Accept", "application/json").Reads(200, "Mug: /api/mugs\n").Has("Link", `</api>; rel="alternate"; type="application/json"`)
	c.Send("GET /api.json", "", "Accept", asCard).Is(200, `{"Mug":"/api/mugs"}`).Has("Content-Type", "application/json").Has("Vary", "")
	c.Send("HEAD /api.json", "").Reads(200, "")
	c.Send("POST /api.json", "").IsProblem(405).Has("Allow", "GET, HEAD, OPTIONS")
	c.Send("GET /api.ndjson", "").IsProblem(404)
}

func TestAFormatStreams(t *testing.T) {
	t.Parallel()
	f := card()
	f.Stream = true
	f.Collection.Begin = func(b []byte, _ format.Page) ([]byte, error) { return append(b, "%\n"...), nil }
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), f)}, spec.Mugs())
	for i := range 70 {
		c.Send("POST /api/mugs", fmt.Sprintf(`{"name":"%d"}`, i)).HasStatus(201)
	}
	got := c.Send("GET /api/mugs.card", "").HasStatus(200)
	if n := strings.Count(got.Body, "--\n"); n != 69 || !strings.HasPrefix(got.Body, "%\n# Mug 1 ") || strings.Count(got.Body, "== 0 of Mug") != 1 {
		t.Errorf("%d separators in %.300s", n, got.Body)
	}
}

func TestTheDocumentListsEveryMediaType(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: formats()}, spec.Mugs())
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
		"a malformed media type":   {[]format.Format{{JSON: true, MediaType: "csv"}}, `Formats[0].MediaType is "csv", which is not a media type`},
		"parameters":               {[]format.Format{{JSON: true, MediaType: "Text/CSV; a=b"}}, `write it as "text/csv"`},
		"two of a media type":      {append(format.Standard(), format.Format{MediaType: format.JSON, Item: writer}), `Formats[2].MediaType is "application/json", as is that of [0]`},
		"two of a suffix":          {append(format.Standard(), format.Format{MediaType: "a/b", Suffix: ".json", Item: writer}), `Formats[2].Suffix is ".json", as is that of [0]`},
		"another Content-Type":     {append(format.Standard(), format.Format{MediaType: "a/b", ContentType: "a/c", Item: writer}), `Formats[2].ContentType is "a/c"; allowed: a/b, with optional parameters`},
		"two lines of a field":     {append(format.Standard(), format.Format{MediaType: "a/b", ContentType: "a/b;c=\"d\r\ne\"", Item: writer}), `Formats[2].ContentType is`},
		"a suffix without a dot":   {append(format.Standard(), format.Format{MediaType: "a/b", Suffix: "b", Item: writer}), `Formats[2].Suffix is "b"; write it as ".b"`},
		"a suffix that is a path":  {append(format.Standard(), format.Format{MediaType: "a/b", Suffix: "/b", Item: writer}), `use a dot`},
		"no function":              {append(format.Standard(), format.Format{MediaType: "a/b"}), `Formats[2] needs an Item, a Collection or a Read`},
		"JSON with functions":      {[]format.Format{{JSON: true, MediaType: "a/b", Item: writer}}, `Formats[0] has both JSON and functions of its own; remove one of the two`},
		"types without a reader":   {append(format.Standard(), format.Format{MediaType: "a/b", Item: writer, Reads: []string{"a/c"}}), `Formats[2] has media types of bodies, but no Read; add Read, or remove Reads and Patches`},
		"two readers of one type":  {append(format.Standard(), format.Format{MediaType: "a/b", Read: readCard, Reads: []string{format.JSON}}), `Formats[2].Reads has "application/json", which [0] already reads; Content-Type must select one format`},
		"around no record":         {append(format.Standard(), format.Format{MediaType: "a/b", Item: writer, Collection: format.Collection{Separator: ","}}), `Collection has no Item`},
		"nothing writes an item":   {format.Standard()[1:], `Formats has no format that writes one item; give one an Item`},
		"nothing writes many":      {[]format.Format{{MediaType: "a/b", Item: writer, Read: readCard}}, `Formats has no format that writes a collection; give one a Collection`},
		"nothing reads":            {[]format.Format{{MediaType: "a/b", Item: writer, Collection: card().Collection}}, `Formats has no format that reads a body; give one a Read`},
		"a stream of nothing":      {append(format.Standard(), format.Format{MediaType: "a/b", Item: writer, Stream: true}), `Formats[2].Stream needs Collection.Item`},
		"Patches without a reader": {append(format.Standard(), format.Format{MediaType: "a/b", Item: writer, Patches: []string{"a/c"}}), `Formats[2] has media types of bodies, but no Read; add Read, or remove Reads and Patches`},
	} {
		_, err := resource.New(resource.Config{Formats: test.formats}, resource.Of[spec.Mug]{})
		if err == nil || strings.Count(err.Error(), test.want) != 1 {
			t.Errorf("%s: the error is %v, want %s, once", name, err, test.want)
		}
	}
	for _, of := range []resource.Of[spec.Mug]{
		{Formats: []format.Format{{MediaType: "x"}}},
		{Operations: []operation.Operation{operation.Get{Formats: []format.Format{{MediaType: "x"}}}}},
	} {
		if _, err := resource.New(resource.Config{}, of); err == nil || !strings.Contains(err.Error(), `Mug: `) || !strings.Contains(err.Error(), `Formats[0].MediaType is "x"`) {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestAFormatThatFailsIsAFaultOfTheService(t *testing.T) {
	t.Parallel()
	f := card()
	f.Item = func([]byte, format.Item) ([]byte, error) { return nil, fmt.Errorf("secret") } //nolint:err113 // it must not reach the client
	f.WriteError = func([]byte, *format.ErrorResponse) ([]byte, error) { panic("secret") }
	f.Collection.Item = func(b []byte, item format.Item) ([]byte, error) {
		if item.ID() == "1" {
			return append(b, "half"...), fmt.Errorf("secret") //nolint:err113 // it must not reach the log's reader alone
		}
		return append(b, item.ID()...), nil
	}
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), f)}, spec.Mugs())
	c.Send("POST /api/mugs.card", `{"name":"lost"}`).IsProblem(500)
	c.Send("POST /api/mugs", `{"name":"a"}`).HasStatus(201)
	c.Send("POST /api/mugs", `{"name":"b"}`).HasStatus(201)
	c.Send("GET /api/mugs.card", "").HasStatus(200).Mentions("== 2 of Mug")
	if body := c.Send("GET /api/mugs.card", "").Body; strings.Contains(body, "half") {
		t.Errorf("a record that cannot be written leaves a trace: %s", body)
	}
}

// FuzzFields checks that the fields are those of the record, with any values.
func FuzzFields(f *testing.F) {
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
		members, err := item.Fields()
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
		c := spec.NewClient(t, config, resource.Of[note]{})
		body, err := json.Marshal(map[string]any{"text": text, "any": json.RawMessage(other)})
		if err != nil {
			t.Skip()
		}
		made := c.Send("POST /api/notes", string(body))
		if made.Status != 201 {
			t.Skip()
		}
		var want, got any
		address := made.Header.Get("Location")
		for path, into := range map[string]*any{address: &want, address + ".card": &got} {
			decoder := json.NewDecoder(bytes.NewReader([]byte(c.Send("GET "+path, "").Body)))
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

func TestAFormatChecksTypes(t *testing.T) {
	t.Parallel()
	var told []*format.Type
	planned := format.Format{MediaType: asCard, For: func(of *format.Type) (format.Format, error) {
		told = append(told, of)
		f := card()
		return f, nil
	}}
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), planned)}, resource.Of[spec.DragonTreasure]{})
	c.Send("POST /api/dragon_treasures", "name: \"ring\"\n", "Content-Type", asCard, "Accept", asCard).HasStatus(201).Mentions("# DragonTreasure 1")
	c.Send("GET /api/dragon_treasures", "", "Accept", asCard).HasStatus(200).Mentions("== 1 of")
	answers := 0
	for _, of := range told {
		if of.Name != "DragonTreasure" || of.Kind != format.Object || len(of.Fields) != 7 {
			t.Fatalf("the type is %+v", of)
		}
		if !of.Request {
			answers++
		}
		for i, want := range []format.TypeField{
			{Name: "id", Type: &format.Type{Kind: format.Integer}, Readable: true},
			{Name: "name", Type: &format.Type{Kind: format.Text}, Readable: true, Writable: true},
			{Name: "description", Type: &format.Type{Kind: format.Text, Nullable: true}, Readable: true, Writable: true},
		} {
			got := of.Fields[i]
			if got.Name != want.Name || got.Type.Kind != want.Type.Kind || got.Type.Nullable != want.Type.Nullable || got.Readable != want.Readable || got.Writable != want.Writable {
				t.Errorf("a member is %+v, want %+v", got, want)
			}
		}
	}
	if answers != 1 {
		t.Errorf("%d of %d types are of answers, want one for all operations", answers, len(told))
	}
}

func TestAFormatRejectsAType(t *testing.T) {
	t.Parallel()
	planned := format.Format{MediaType: asCard, For: func(*format.Type) (format.Format, error) { return format.Format{}, errors.New("it is too wide") }}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), planned)}, resource.Of[spec.DragonTreasure]{})
	spec.WantLine(t, err, "DragonTreasure: format text/x-card: it is too wide") // and not a line for each operation
}

func TestAFormatRejectsTheTypeOfOneOperation(t *testing.T) {
	t.Parallel()
	planned := format.Format{MediaType: asCard, For: func(*format.Type) (format.Format, error) { return format.Format{}, errors.New("it is too wide") }}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), planned)}, resource.Of[spec.DragonTreasure]{
		Operations: []operation.Operation{operation.Get{}},
	})
	spec.WantLine(t, err, "DragonTreasure: operation 1 (Get): format text/x-card: it is too wide")
}
