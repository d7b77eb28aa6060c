package format_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

type Lamp struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank,max=20"`
	Watts int    `json:"watts" validate:"gte=0" api:"sort"`
}

// spoken is a format with bodies in it, and what its errors look like.
type spoken struct {
	mediaType, suffix string
	lamp              string // a body of a lamp that is called a
	nameless          string // the same with a blank name
	refusals          string // the media type of errors
	refusal           string // what each has
	invalid           string // what those of violations have
}

var languages = []spoken{
	{format.JSON, ".json", `{"name":"a"}`, `{"name":" "}`, "application/problem+json", `"title":`, `"name":"name must not be blank"`},
	{jsonld.MediaType, ".jsonld", `{"@type":"Lamp","name":"a"}`, `{"@type":"Lamp","name":" "}`, jsonld.MediaType, `"@type":`, `"propertyPath":"name","message":"name must not be blank"`},
	{"application/hal+json", ".jsonhal", `{"_links":{},"name":"a"}`, `{"_links":{},"name":" "}`, "application/problem+json", `"title":`, `"name":"name must not be blank"`},
	{jsonapi.MediaType, ".jsonapi", `{"data":{"type":"lamps","attributes":{"name":"a"}}}`, `{"data":{"type":"lamps","attributes":{"name":" "}}}`, jsonapi.MediaType, `"errors":[{"`, `"source":{"pointer":"/data/attributes/name"}`},
	{"text/csv", ".csv", "name\r\na\r\n", "name\n\" \"\n", "application/problem+json", `"title":`, `"name":"name must not be blank"`},
}

func newLamps(t *testing.T, config resource.Config, of ...resource.Declaration) spec.Client {
	t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	config.Formats = append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
	api := spec.NewAPI(t, config, of...)
	return spec.Client{T: t, Handler: api, MediaType: format.JSON}
}

// eachRefusal runs a test once for each format of responses.
func eachRefusal(t *testing.T, test func(t *testing.T, in spoken)) {
	t.Helper()
	for _, in := range languages {
		t.Run(strings.TrimPrefix(in.suffix, "."), func(t *testing.T) {
			t.Parallel()
			test(t, in)
		})
	}
}

// isRefusal compares a response with an error in a format.
func (in spoken) isRefusal(t *testing.T, what string, a spec.Response, status int) {
	t.Helper()
	if a.Status != status || a.Header.Get("Content-Type") != in.refusals || !strings.Contains(a.Body, in.refusal) || len(a.Body) > 2000 {
		t.Errorf("%s: the answer is %d %s %.300q, want %d %s with %q", what, a.Status, a.Header.Get("Content-Type"), a.Body, status, in.refusals, in.refusal)
	}
}

func TestABodyInTheShapeOfAnotherFormatIsRejectedInTheRequestedFormat(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		for _, read := range languages {
			for _, shape := range languages {
				what := shape.mediaType + " as " + read.mediaType
				answer := c.Send("POST /api/lamps", shape.lamp, "Content-Type", read.mediaType, "Accept", in.mediaType)
				isJSON := shape.mediaType == format.JSON && (read.mediaType == jsonld.MediaType || read.mediaType == "application/hal+json")
				if shape == read || isJSON {
					if answer.Status != http.StatusCreated {
						t.Errorf("%s: the answer is %d %s", what, answer.Status, answer.Body)
					}
					continue
				}
				in.isRefusal(t, what, answer, http.StatusBadRequest)
			}
			for _, body := range []string{"", " ", "\xff\xfe", "\x00"} {
				in.isRefusal(t, fmt.Sprintf("%q as %s", body, read.mediaType), c.Send("POST /api/lamps", body, "Content-Type", read.mediaType, "Accept", in.mediaType), http.StatusBadRequest)
			}
		}
	})
}

// An error about an unknown record or field has its place in the format of the response.
func TestABodyOfAnotherRecordIsRejectedInTheRequestedFormat(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		for range 2 {
			c.Send("POST /api/lamps", `{"name":"a"}`).HasStatus(http.StatusCreated)
		}
		for _, test := range []struct {
			what, mediaType, body string
			status                int
		}{
			{"@id of another record", jsonld.MediaType, `{"@id":"/api/lamps/2","name":"b"}`, http.StatusBadRequest},
			{"@type of another resource", jsonld.MediaType, `{"@type":"Medal","name":"b"}`, http.StatusBadRequest},
			{"self of another record", hal.MediaType, `{"_links":{"self":{"href":"/api/lamps/2"}},"name":"b"}`, http.StatusConflict},
			{"the id of another record", jsonapi.MediaType, `{"data":{"type":"lamps","id":"2","attributes":{"name":"b"}}}`, http.StatusConflict},
			{"another type", jsonapi.MediaType, `{"data":{"type":"medals","id":"1","attributes":{"name":"b"}}}`, http.StatusConflict},
			{"an unknown relationship", jsonapi.MediaType, `{"data":{"type":"lamps","id":"1","relationships":{"shelf":{"data":null}}}}`, http.StatusBadRequest},
			{"an unknown column", csv.MediaType, "name,shelf\nb,1\n", http.StatusBadRequest},
			{"a column twice", csv.MediaType, "name,name\nb,b\n", http.StatusBadRequest},
		} {
			answer := c.Send("PATCH /api/lamps/1", test.body, "Content-Type", test.mediaType, "Accept", in.mediaType)
			in.isRefusal(t, test.what, answer, test.status)
			if !strings.Contains(answer.Body, "pointer") && !strings.Contains(answer.Body, "shelf") && !strings.Contains(answer.Body, "name") {
				t.Errorf("%s: no place is told by %s", test.what, answer.Body)
			}
		}
		c.Send("GET /api/lamps/1", "").Reads(http.StatusOK, `{"id":1,"name":"a","watts":0}`)
	})
}

func TestErrorsHaveTheRequestedFormat(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		accept := []string{"Accept", in.mediaType}
		for _, mediaType := range []string{"text/plain", "application/xml", in.mediaType + "; charset=latin1", "x"} {
			in.isRefusal(t, mediaType, c.Send("POST /api/lamps", in.lamp, "Content-Type", mediaType, "Accept", in.mediaType), http.StatusUnsupportedMediaType)
		}
		in.isRefusal(t, "a missing record", c.Send("GET /api/lamps/9", "", accept...).Has("Vary", "Accept"), http.StatusNotFound)
		in.isRefusal(t, "a missing record by its suffix", c.Send("GET /api/lamps/9"+in.suffix, ""), http.StatusNotFound)
		in.isRefusal(t, "a record that would be deleted", c.Send("DELETE /api/lamps/9", "", accept...), http.StatusNotFound)
		in.isRefusal(t, "an unknown parameter", c.Send("GET /api/lamps?colour=1", "", accept...), http.StatusBadRequest)
		in.isRefusal(t, "a condition", c.Send("GET /api/lamps", "", append(accept, "If-None-Match", "x")...), http.StatusBadRequest)
		deep := `{"name":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`
		in.isRefusal(t, "what is nested too deep", c.Send("POST /api/lamps", deep, accept...), http.StatusRequestEntityTooLarge)
	})
}

// A body can be as large as the service allows. Its errors have places, and do not repeat the values.
func TestAMegabyteInOneCell(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{MaxBodyBytes: 4 << 20}, resource.Of[Lamp]{})
		for _, body := range []string{"name\r\n" + strings.Repeat("a", 1<<20), "name\n\"" + strings.Repeat("a", 1<<20) + "\"\n"} {
			answer := c.Send("POST /api/lamps", body, "Content-Type", "text/csv", "Accept", in.mediaType)
			in.isRefusal(t, "a long cell", answer, http.StatusBadRequest)
			answer.HasStatus(http.StatusBadRequest).Mentions("name must be at most 20 characters long")
		}
		for _, body := range []string{"name,name\na,b", "name,watts,watts\na,1,2"} {
			in.isRefusal(t, body, c.Send("POST /api/lamps", body, "Content-Type", "text/csv", "Accept", in.mediaType), http.StatusBadRequest)
		}
		c = newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		in.isRefusal(t, "a body that is too large", c.Send("POST /api/lamps", "name\n"+strings.Repeat("a", 2<<20), "Content-Type", "text/csv", "Accept", in.mediaType),
			http.StatusRequestEntityTooLarge)
	})
}

func TestErrorsGiveTheStatusInEveryFormat(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		for _, test := range []struct {
			config resource.Config
			of     resource.Of[Lamp]
			status int
		}{
			{resource.Config{}, resource.Of[Lamp]{}, 400},
			{resource.Config{Errors: validation.Problem}, resource.Of[Lamp]{}, 422},
			{resource.Config{}, resource.Of[Lamp]{Errors: validation.Problem}, 422},
			{resource.Config{Errors: validation.Problem}, resource.Of[Lamp]{Errors: validation.Map}, 400},
		} {
			c := newLamps(t, test.config, test.of)
			answer := c.Send("POST /api/lamps", in.nameless, "Content-Type", in.mediaType, "Accept", in.mediaType)
			in.isRefusal(t, "a blank name", answer, test.status)
			if test.status == http.StatusBadRequest {
				answer.HasStatus(test.status).Mentions(in.invalid)
			}
		}
	})
}

func TestResponsesToPostPutAndPatchHaveAContentLocationInEveryFormat(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		c.Send("POST /api/lamps", `{"name":"a"}`).HasStatus(http.StatusCreated)
		for _, request := range []string{"POST /api/lamps", "PUT /api/lamps/1", "PATCH /api/lamps/1", "POST /api/lamps" + in.suffix, "PUT /api/lamps/1" + in.suffix, "PATCH /api/lamps/1" + in.suffix} {
			answer := c.Send(request, in.lamp, "Content-Type", in.mediaType, "Accept", in.mediaType)
			place := answer.Header.Get("Content-Location")
			if answer.Status/100 != 2 || place == "" || answer.Status == http.StatusCreated && place != answer.Header.Get("Location") {
				t.Errorf("%s: the answer is %d %s, of %q", request, answer.Status, answer.Body, place)
			}
			c.Send("GET "+place, "", "Accept", in.mediaType).Reads(http.StatusOK, answer.Body).Has("ETag", answer.Header.Get("ETag"))
		}
	})
}

func TestCollectionsHaveTheSameOrderInEveryFormat(t *testing.T) {
	t.Parallel()
	for _, in := range append(languages, spoken{mediaType: "application/x-ndjson", suffix: ".ndjson"}) {
		c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		for _, body := range []string{`{"name":"first","watts":1}`, `{"name":"second","watts":3}`, `{"name":"third","watts":2}`} {
			c.Send("POST /api/lamps", body).HasStatus(http.StatusCreated)
		}
		want := c.Send("GET /api/lamps"+in.suffix+"?order[watts]=desc", "").Body
		at := []int{strings.Index(want, "second"), strings.Index(want, "third"), strings.Index(want, "first")}
		if at[0] < 0 || !slices.IsSorted(at) {
			t.Errorf("%s: the order is %v in %s", in.mediaType, at, want)
		}
		got := c.Send("GET /api/lamps"+in.suffix+"?order[watts]=DESC", "").HasStatus(http.StatusOK)
		if strings.ReplaceAll(got.Body, "DESC", "desc") != want {
			t.Errorf("%s: in capitals the answer is %s, want %s", in.mediaType, got.Body, want)
		}
		c.Send("GET /api/lamps"+in.suffix+"?order[watts]=ASC", "").HasStatus(http.StatusOK)
		c.Send("GET /api/lamps"+in.suffix+"?order[watts]=up", "").HasStatus(http.StatusBadRequest)
	}
}

func TestEachFormatHasAnEntryPointWithAlternates(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		for _, answer := range []spec.Response{c.Send("GET /api", "", "Accept", in.mediaType).Has("Vary", "Accept"), c.Send("GET /api"+in.suffix, "")} {
			contentType, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
			if answer.Status != http.StatusOK || contentType != in.mediaType || !strings.Contains(answer.Body, "/api/lamps") {
				t.Errorf("the entry point is %d %s %s", answer.Status, contentType, answer.Body)
			}
			links := strings.Join(answer.Header.Values("Link"), ", ")
			for _, other := range languages {
				link := `</api>; rel="alternate"; type="` + other.mediaType + `"`
				if has := strings.Contains(links, link); has != (other != in) {
					t.Errorf("whether the answer leads to %s: %v, in %s", other.mediaType, has, links)
				}
			}
		}
		c.Send("GET /api", "", "Accept", "image/png").HasStatus(http.StatusNotAcceptable).Mentions(in.mediaType)
	})
}

// CSV collections are the whole result, as NDJSON; a handler that takes a list takes rows.
func TestTablesContainTheCompleteResult(t *testing.T) {
	t.Parallel()
	c := newLamps(t, resource.Config{}, resource.Of[Lamp]{Operations: append(operation.Standard(),
		operation.Post{Name: "import", URITemplate: "/lamps/import", Handler: operation.Handle(func(_ context.Context, _ *Lamp, in []operation.CreateOf[Lamp]) (int, error) {
			return len(in), nil
		})})})
	for range 35 {
		c.Send("POST /api/lamps", `{"name":"=a"}`).HasStatus(http.StatusCreated)
	}
	for suffix, lines := range map[string]int{".csv": 36, ".ndjson": 35} {
		if got := strings.Count(c.Send("GET /api/lamps"+suffix, "").HasStatus(http.StatusOK).Body, "\n"); got != lines {
			t.Errorf("%s has %d lines, want %d", suffix, got, lines)
		}
	}
	table := c.Send("GET /api/lamps.csv", "").Body
	if !strings.HasPrefix(table, "id,name,watts\r\n1,'=a,0\r\n") || strings.Count(table, "\n") != strings.Count(table, "\r\n") {
		t.Errorf("the table is %q", table)
	}
	for _, rows := range []string{"\ufeffname\na\nb\n", "name\r\na\r\nb", "watts,name\n1,a\n2,b\n"} {
		c.Send("POST /api/lamps/import", rows, "Content-Type", "text/csv").Reads(http.StatusOK, "2")
	}
	c.Send("POST /api/lamps.json", "name\n'=x", "Content-Type", "text/csv").HasStatus(http.StatusCreated).Mentions(`"name":"=x"`)
	c.Send("POST /api/lamps.json", "\ufeffname\r\nx\r\n", "Content-Type", "text/csv").HasStatus(http.StatusCreated).Mentions(`"name":"x"`)
}
