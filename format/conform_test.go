package format_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// All that the document says of an API that has everything holds in each format.
func TestAnAPIThatHasEverythingIsAsDocumented(t *testing.T) {
	t.Parallel()
	_, api := newMuseum(t)
	openapitest.Conform(t, api, openapitest.Requests(20))
}

type Socket struct {
	Place string     `json:"place"`
	Since *time.Time `json:"since"`
	Wires struct {
		Count  int   `json:"count"`
		Colors []int `json:"colors"`
	} `json:"wires"`
}

type Part struct {
	Maker string `json:"maker"`
}

// Chandelier has a field of each kind that a record can have.
type Chandelier struct {
	Part

	ID       int64             `json:"id"`
	Bought   time.Time         `json:"bought"`
	Mended   *time.Time        `json:"mended"`
	Sold     time.Time         `json:"sold,omitzero"`
	Note     string            `json:"note,omitempty"`
	Seal     []byte            `json:"seal"`
	Lumen    uint64            `json:"lumen"`
	Height   float32           `json:"height"`
	Weight   float64           `json:"weight"`
	Floor    int8              `json:"floor"`
	Lit      *bool             `json:"lit"`
	Socket   Socket            `json:"socket"`
	Spare    *Socket           `json:"spare"`
	Sockets  []Socket          `json:"sockets"`
	Arms     map[string]Socket `json:"arms"`
	Plan     json.RawMessage   `json:"plan"`
	Any      any               `json:"any"`
	Grid     [][]int           `json:"grid"`
	Size     [3]int            `json:"size"`
	Names    []*string         `json:"names"`
	Switches []bool            `json:"switches"`
	Prices   []float64         `json:"prices"`
	Cleaned  []time.Time       `json:"cleaned"`
	Owner    *int64            `json:"owner" api:"ref=Lamp"`
	Lamps    []int64           `json:"lamps" validate:"max=3" api:"ref=Lamp"`
}

// What a client has read it can send back as it is, in any format, and nothing of the record has changed.
func TestWhatWasReadIsTakenBackInEveryFormat(t *testing.T) {
	t.Parallel()
	const needed = `"bought":"0001-01-01T00:00:00Z","socket":{"place":"","since":null,"wires":{"count":0,"colors":[]}},"size":[0,0,0]`
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		lamp := map[resource.References]string{resource.Paths: `"/api/lamps/1"`, resource.Identifiers: "1"}[references]
		c := newLamps(t, resource.Config{References: references}, resource.Of[Lamp]{}, resource.Of[Chandelier]{})
		c.Send("POST /api/lamps", `{"name":"a"}`).HasStatus(http.StatusCreated)
		for name, body := range map[string]string{
			"all that there can be": `{"maker":"k","bought":"2026-01-02T03:04:05.123456+02:00","mended":"2026-01-02T00:00:00Z","sold":"2026-01-02T03:04:05Z","note":"x",
				"seal":"AP8=","lumen":9223372036854775807,"height":3.4e38,"weight":1e308,"floor":-128,"lit":false,
				"socket":{"place":"a, \"b\"","since":"2026-01-02T00:00:00Z","wires":{"count":-1,"colors":[1,-2]}},
				"spare":{"place":"","since":null,"wires":{"count":0,"colors":[3]}},"sockets":[{"place":"x","since":null,"wires":{"count":0,"colors":[]}}],
				"arms":{"a.b":{"place":"","since":null,"wires":{"count":0,"colors":[]}}},"plan":{"z":[1,null,{}]},"any":{"n":1.5,"b":[true]},
				"grid":[[1],[],[2,3]],"size":[1,2,3],"names":["a",null],"switches":[true,false],"prices":[1,2.5,1e300],"cleaned":["2026-01-02T03:04:05Z"],
				"owner":` + lamp + `,"lamps":[` + lamp + `]}`,
			"as little as there can be":   `{` + needed + `,"plan":null}`,
			"texts that look like others": `{` + needed + `,"maker":"null","note":"[1]","plan":"1","any":"true","names":["'=a","[x"],"seal":"+w=="}`,
			"texts that are formulas":     `{` + needed + `,"maker":"=1+1","note":"'-1","plan":"=x","any":"@x","names":["=1","-2"]}`,
			"texts that are blank":        `{` + needed + `,"maker":"  ","plan":"","any":"","names":["a b",""]}`,
			"lists of one":                `{` + needed + `,"plan":[],"any":[""],"names":["-1"],"prices":[-1],"grid":[[]]}`,
		} {
			made := c.Send("POST /api/chandeliers", body).HasStatus(http.StatusCreated)
			at := made.Header.Get("Location")
			for _, in := range languages {
				read := c.Send("GET "+at+in.suffix, "").HasStatus(http.StatusOK)
				for _, method := range []string{"PUT ", "PATCH "} {
					if sent := c.Send(method+at, read.Body, "Content-Type", in.mediaType); sent.Status != http.StatusOK || sent.Body != made.Body {
						t.Errorf("%s: %s%s of %q gets %d\n%s\nwant\n%s", name, method, in.suffix, read.Body, sent.Status, sent.Body, made.Body)
					}
				}
			}
		}
	}
}

var linked = regexp.MustCompile(`<([^<>]*)>; rel="(first|last|prev|next)"`)

// pagesOf returns where other pages are, by the names that they have in the field Link.
func pagesOf(t *testing.T, mediaType string, answer spec.Response) map[string]string {
	t.Helper()
	var body struct {
		View      map[string]string  `json:"view"`
		Links     map[string]*string `json:"links"`
		Relations map[string]struct {
			Href string `json:"href"`
		} `json:"_links"`
	}
	if mediaType != format.JSON {
		if err := json.Unmarshal([]byte(answer.Body), &body); err != nil {
			t.Fatalf("%v: %s", err, answer.Body)
		}
	}
	pages := map[string]string{}
	for _, name := range []string{"first", "last", "prev", "next"} {
		at := body.Relations[name].Href
		if mediaType == jsonapi.MediaType && body.Links[name] != nil {
			at = *body.Links[name]
		} else if mediaType == jsonld.MediaType {
			at = body.View[map[string]string{"first": "first", "last": "last", "prev": "previous", "next": "next"}[name]]
		}
		if at != "" {
			pages[name] = at
		}
	}
	if mediaType == format.JSON {
		for _, field := range answer.Header.Values("Link") {
			for _, link := range linked.FindAllStringSubmatch(field, -1) {
				pages[link[2]] = link[1]
			}
		}
	}
	return pages
}

// By its links alone a client reaches all pages, by numbers and by cursors, and goes back from the last one.
func TestPagesLeadOnAndBackInEveryFormat(t *testing.T) {
	t.Parallel()
	for _, mediaType := range []string{format.JSON, jsonld.MediaType, hal.MediaType, jsonapi.MediaType} {
		c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		for i := range 5 {
			c.Send("POST /api/lamps", `{"name":"`+strconv.Itoa(i)+`"}`).HasStatus(http.StatusCreated)
		}
		for _, first := range []string{"/api/lamps?itemsPerPage=2", "/api/lamps?itemsPerPage=2&cursor="} {
			walk := func(at, rel string) []string {
				var bodies []string
				for ; at != ""; at = pagesOf(t, mediaType, c.Send("GET "+at, "", "Accept", mediaType).HasStatus(http.StatusOK))[rel] {
					if bodies = append(bodies, at); len(bodies) > 5 {
						t.Fatalf("%s: there is no end of pages: %v", mediaType, bodies)
					}
				}
				return bodies
			}
			on := walk(first, "next")
			back := walk(on[len(on)-1], "prev")
			if len(on) != 3 || len(back) != 3 {
				t.Errorf("%s: the pages are %q, and back %q", mediaType, on, back)
			}
			pages := pagesOf(t, mediaType, c.Send("GET "+on[1], "", "Accept", mediaType))
			again := pagesOf(t, mediaType, c.Send("GET "+pages["first"], "", "Accept", mediaType).HasStatus(http.StatusOK))
			if again["prev"] != "" || again["next"] == "" {
				t.Errorf("%s: the first page of %v leads to %v", mediaType, pages, again)
			}
		}
	}
}

// The limits of bodies apply to everything that was sent, including what a format ignores.
func TestLimitsApplyToIgnoredValues(t *testing.T) {
	t.Parallel()
	api := spec.NewAPI(t, resource.Config{MaxBodyDepth: 9, MaxBodyValues: 50, Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)}, resource.Of[Lamp]{})
	deep, wide := strings.Repeat("[", 9)+strings.Repeat("]", 9), "["+strings.Repeat("1,", 50)+"1]"
	for mediaType, body := range map[string]string{
		hal.MediaType:     `{"name":"a","_links":{"x":VALUE}}`,
		jsonapi.MediaType: `{"data":{"type":"lamps","attributes":{"name":"a"}},"meta":{"x":VALUE}}`,
		jsonld.MediaType:  `{"name":"a","@type":["Lamp",VALUE]}`,
	} {
		c := spec.Client{T: t, Handler: api, MediaType: mediaType}
		for _, value := range []string{deep, wide} {
			c.Send("POST /api/lamps", strings.Replace(body, "VALUE", value, 1)).HasStatus(http.StatusRequestEntityTooLarge).Mentions("must not")
		}
		c.Send("POST /api/lamps", strings.Replace(body, "VALUE", `"Thing"`, 1)).HasStatus(http.StatusCreated)
	}
	hals := spec.Client{T: t, Handler: api, MediaType: hal.MediaType}
	hals.Send("POST /api/lamps", `{"name":"a","_embedded":`+deep+`}`).HasStatus(http.StatusRequestEntityTooLarge).Mentions("must not")
}

// As elsewhere, a client that requests no format gets the first.
func TestTheEntryPointIsInTheFirstFormat(t *testing.T) {
	t.Parallel()
	for want, formats := range map[string][]format.Format{
		jsonapi.MediaType: {jsonapi.Format},
		jsonld.MediaType:  append([]format.Format{jsonld.Format}, format.Standard()...),
		format.JSON:       append(format.Standard(), jsonld.Format),
		hal.MediaType:     {hal.Format, jsonld.Format},
	} {
		api := spec.NewAPI(t, resource.Config{Formats: formats}, resource.Of[Lamp]{})
		c := spec.Client{T: t, Handler: api, MediaType: "*/*"}
		c.Send("GET /api", "").HasStatus(http.StatusOK).Mentions("/api/lamps").Has("Content-Type", want)
		c.Send("GET /api", "", "Accept", format.JSON).HasStatus(http.StatusOK).Mentions("/api/lamps").Has("Content-Type", format.JSON)
	}
}

func returning[T any](name string, value T) operation.Get {
	return operation.Get{Name: name, URITemplate: "/" + name, Handler: operation.Handle(func(context.Context, *Lamp, struct{}) (T, error) { return value, nil })}
}

// A handler's result that is not an object with fields becomes a value inside one, in formats whose documents are
// objects. Names of a map are data, even if the format gives them a meaning.
func TestValuesThatAreNotObjectsAreWrapped(t *testing.T) {
	t.Parallel()
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)}, resource.Of[Lamp]{Operations: []operation.Operation{
		returning("number", 42), returning("text", "=a"), returning("list", []string{"a"}),
		returning("map", map[string]any{"@context": "http://example.com/", "_links": 1}), returning("object", struct {
			A int `json:"a"`
		}{1}),
	}})
	c := spec.Client{T: t, Handler: api, MediaType: format.JSON}
	const node = `{"@context":{"value":{"@id":"http://www.w3.org/1999/02/22-rdf-syntax-ns#value","@type":"@json"}},"value":`
	for name, value := range map[string]string{
		"number": "42", "text": `"=a"`, "list": `["a"]`, "map": `{"@context":"http://example.com/","_links":1}`,
	} {
		c.Send("GET /api/"+name, "", "Accept", hal.MediaType).Reads(http.StatusOK, `{"value":`+value+`}`)
		c.Send("GET /api/"+name, "", "Accept", jsonld.MediaType).Reads(http.StatusOK, node+value+`}`)
	}
	c.Send("GET /api/object", "", "Accept", hal.MediaType).Reads(http.StatusOK, `{"a":1}`)
	c.Send("GET /api/object", "", "Accept", jsonld.MediaType).HasStatus(http.StatusOK).Mentions(`"@vocab":"/api/docs.jsonld#"`, `,"a":1}`)
	c.Send("GET /api/map", "", "Accept", jsonapi.MediaType).HasStatus(http.StatusOK).Mentions(`"meta":{`)
}

func TestStandardReturnsJSONAndNDJSONInANewSlice(t *testing.T) {
	t.Parallel()
	first, second := format.Standard(), format.Standard()
	_ = append(first[:1], hal.Format)
	if len(second) != 2 || second[0].MediaType != format.JSON || second[1].MediaType != "application/x-ndjson" || second[0].Suffix != ".json" || second[1].Suffix != ".ndjson" {
		t.Errorf("the formats are %+v", second)
	}
}

// An API without Formats has the standard ones. An API with Formats has just these, and the first is the default.
func TestAnAPIHasTheFormatsThatItNames(t *testing.T) {
	t.Parallel()
	standard := format.Standard()
	for _, test := range []struct {
		rule            string
		formats         []format.Format
		first, supports string
	}{
		{"none", nil, format.JSON, `["application/json","application/x-ndjson"]`},
		{"the standard ones", standard, format.JSON, `["application/json","application/x-ndjson"]`},
		{"one more", append(format.Standard(), hal.Format), format.JSON, `["application/json","application/x-ndjson","application/hal+json"]`},
		{"another first", append([]format.Format{hal.Format}, format.Standard()...), hal.MediaType, `["application/hal+json","application/json","application/x-ndjson"]`},
		{"another alone", []format.Format{hal.Format}, hal.MediaType, `["application/hal+json"]`},
	} {
		api := spec.NewAPI(t, resource.Config{Formats: test.formats}, resource.Of[Lamp]{})
		c := spec.Client{T: t, Handler: api, MediaType: test.first}
		c.Send("POST /api/lamps", `{"name":"a"}`).HasStatus(http.StatusCreated).Has("Content-Type", test.first)
		c.Send("GET /api/lamps", "").HasStatus(http.StatusOK).Has("Content-Type", test.first).Has("Vary", "Accept")
		c.Send("GET /api/lamps", "", "Accept", "image/png").HasStatus(http.StatusNotAcceptable).Mentions(`"supported":` + test.supports)
	}
}
