package format_test

import (
	"net/http"
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
)

// medals are at templates of a user's own: of one record without suffixes, of all with them.
func medals() resource.Of[Medal] {
	return resource.Of[Medal]{Operations: []operation.Operation{
		operation.Get{URITemplate: "/honours/medals/{name}"},
		operation.Put{URITemplate: "/honours/medals/{name}", AllowCreate: true},
		operation.Patch{URITemplate: "/honours/medals/{name}"},
		operation.Delete{URITemplate: "/honours/medals/{name}"},
		operation.GetCollection{URITemplate: "/honours/medals{._format}"},
		operation.Post{URITemplate: "/honours/medals{._format}"},
	}}
}

func TestATemplateTakesASuffixWhereItHasOne(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{}, medals())
		c.Send("POST /api/honours/medals", `{"name":"gold"}`).HasStatus(http.StatusCreated)
		accept := []string{"Accept", in.mediaType}
		for request, status := range map[string]int{
			"GET /api/honours/medals" + in.suffix:         http.StatusOK,
			"GET /api/honours/medals/gold" + in.suffix:    http.StatusNotFound,
			"PATCH /api/honours/medals/gold" + in.suffix:  http.StatusNotFound,
			"DELETE /api/honours/medals/gold" + in.suffix: http.StatusNotFound,
		} {
			c.Send(request, "", accept...).HasStatus(status)
		}
		c.Send("GET /api/honours/medals/gold", "", accept...).HasStatus(http.StatusOK).Has("Content-Type", contentTypeOf(in)).Has("Vary", "Accept")
		// There a suffix is a part of the identifier, as any other text is.
		made := c.Send("PUT /api/honours/medals/silver"+in.suffix, `{"metal":"Ag"}`, "Accept", in.mediaType, "Content-Type", "application/json").HasStatus(http.StatusCreated)
		made.Has("Location", "/api/honours/medals/silver"+in.suffix)
		c.Send("GET "+made.Header.Get("Location"), "", accept...).Reads(http.StatusOK, made.Body).Has("Content-Type", contentTypeOf(in))
	})
}

// Responses link to no suffix that the client has not requested.
func TestNoResponseLinksToASuffix(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{}, medals(), resource.Of[Lamp]{})
		c.Send("POST /api/honours/medals", `{"name":"gold"}`).HasStatus(http.StatusCreated)
		c.Send("POST /api/lamps", `{"name":"a"}`).HasStatus(http.StatusCreated)
		for _, path := range []string{"/api", "/api/honours/medals", "/api/honours/medals/gold", "/api/lamps", "/api/lamps/1", "/api/lamps?itemsPerPage=1&cursor="} {
			answer := c.Send("GET "+path, "", "Accept", in.mediaType).HasStatus(http.StatusOK)
			told := strings.NewReplacer("/docs.jsonld", "").Replace(answer.Body + strings.Join(answer.Header.Values("Link"), " "))
			for _, other := range languages {
				if strings.Contains(told, other.suffix) {
					t.Errorf("%s leads to %s: %s", path, other.suffix, told)
				}
			}
		}
	})
}

// contentTypeOf returns the Content-Type of responses in a format.
func contentTypeOf(in spoken) string {
	if in.mediaType == "text/csv" {
		return "text/csv; charset=utf-8; header=present"
	}
	return in.mediaType
}

// 406, 415 and OPTIONS list everything that the client could have sent or requested.
func TestErrorsListTheAllowedMediaTypes(t *testing.T) {
	t.Parallel()
	c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
	const sent = `"application/json","application/ld+json","application/hal+json","application/vnd.api+json","text/csv"`
	many := strings.Replace(sent, `,"application/ld`, `,"application/x-ndjson","application/ld`, 1)
	for request, supported := range map[string]string{"GET /api/lamps/1": sent, "GET /api/lamps": many, "POST /api/lamps": sent} {
		c.Send(request, "", "Accept", "image/png").HasStatus(http.StatusNotAcceptable).Mentions(`"supported":[`+supported+`]`).Has("Vary", "Accept")
	}
	read := strings.NewReplacer(`"`, "", ",", ", ").Replace(sent)
	c.Send("POST /api/lamps", "x", "Content-Type", "image/png").HasStatus(http.StatusUnsupportedMediaType).Mentions(`"supported":[`+sent+`]`).Has("Accept-Post", read)
	c.Send("PUT /api/lamps/1", "x", "Content-Type", "image/png").HasStatus(http.StatusUnsupportedMediaType).Mentions(`"supported":[` + sent + `]`)
	c.Send("PATCH /api/lamps/1", "x", "Content-Type", "image/png").HasStatus(http.StatusUnsupportedMediaType).Mentions(`"supported":["application/merge-patch+json",`+sent+`]`).
		Has("Accept-Patch", "application/merge-patch+json, "+read)
	options := c.Send("OPTIONS /api/lamps", "").Has("Accept-Post", read)
	c.Send("OPTIONS /api/lamps/1", "").Has("Accept-Patch", "application/merge-patch+json, "+read)
	if options.Status != http.StatusNoContent {
		t.Errorf("OPTIONS is %d", options.Status)
	}
}

func TestAcceptChoosesTheFormatThatWeighsMost(t *testing.T) {
	t.Parallel()
	c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
	c.Send("POST /api/lamps", `{"name":"a"}`).HasStatus(http.StatusCreated)
	for accept, want := range map[string]string{
		"": "application/json", "*/*": "application/json", "application/*": "application/json", "text/*": contentTypeOf(spoken{mediaType: "text/csv"}),
		"application/json;q=0.5, application/ld+json":                    "application/ld+json",
		"application/json;q=0.5, application/ld+json;q=0.4":              "application/json",
		"application/*, application/json;q=0":                            "application/ld+json",
		"text/html, application/hal+json;q=0.1":                          "application/hal+json",
		"APPLICATION/HAL+JSON":                                           "application/hal+json",
		`application/ld+json; profile="http://www.w3.org/ns/json-ld#x"`:  "application/ld+json",
		`application/hal+json; profile="https://example.com/lamps"`:      "application/hal+json",
		"application/vnd.api+json; ext=bulk, application/hal+json;q=0.1": "application/hal+json",
	} {
		c.Send("GET /api/lamps/1", "", "Accept", accept).HasStatus(http.StatusOK).Has("Content-Type", want).Has("Vary", "Accept")
	}
	for _, accept := range []string{"image/png", "application/json;q=0, */*;q=0", jsonapi.MediaType + "; ext=bulk"} {
		c.Send("GET /api/lamps/1", "", "Accept", accept).HasStatus(http.StatusNotAcceptable).Has("Content-Type", "application/problem+json")
		c.Send("GET /api/lamps/1.jsonld", "", "Accept", accept).HasStatus(http.StatusOK).Has("Content-Type", "application/ld+json")
	}
}

// It is Content-Type that says which format a body has, and neither Accept nor the suffix.
func TestContentTypeSaysTheFormatOfTheBody(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
		sent := []string{in.mediaType, strings.ToUpper(in.mediaType)}
		if in.mediaType != jsonapi.MediaType { // which has no such parameter
			sent = append(sent, in.mediaType+"; charset=utf-8", in.mediaType+`;charset="UTF-8"`, in.mediaType+" ; x=y")
		}
		for _, contentType := range sent {
			for _, other := range languages {
				c.Send("POST /api/lamps"+other.suffix, in.lamp, "Content-Type", contentType).HasStatus(http.StatusCreated).Has("Content-Type", contentTypeOf(other))
				c.Send("POST /api/lamps", in.lamp, "Content-Type", contentType, "Accept", other.mediaType).HasStatus(http.StatusCreated).Has("Content-Type", contentTypeOf(other))
			}
		}
		for _, request := range []string{"POST /api/lamps", "PUT /api/lamps/1", "PATCH /api/lamps/1", "POST /api/lamps" + in.suffix} {
			for _, missing := range []string{"", "x", "*/*", in.mediaType + "," + in.mediaType} {
				in.isRefusal(t, request+" as "+missing, c.Send(request, in.lamp, "Content-Type", missing, "Accept", in.mediaType), http.StatusUnsupportedMediaType)
			}
		}
		c.Send("DELETE /api/lamps/1", "", "Content-Type", "image/png").HasStatus(http.StatusNoContent)
	})
}

// An operation with its own formats supports only these: in bodies, responses, errors and suffixes.
func TestAnOperationHasTheFormatsThatItNames(t *testing.T) {
	t.Parallel()
	c := newLamps(t, resource.Config{}, resource.Of[Lamp]{Formats: []format.Format{hal.Format}, Operations: []operation.Operation{
		operation.Get{Formats: []format.Format{jsonld.Format, csv.Format}},
		operation.GetCollection{},
		operation.Post{Formats: []format.Format{jsonld.Format}},
		operation.Patch{Formats: format.Standard()[:1]},
	}})
	c.Send("POST /api/lamps", `{"name":"a"}`, "Content-Type", jsonld.MediaType).HasStatus(http.StatusCreated).Has("Content-Type", jsonld.MediaType)
	c.Send("POST /api/lamps", `{"name":"a"}`).HasStatus(http.StatusUnsupportedMediaType).Mentions(`"supported":["application/ld+json"]`).Has("Accept-Post", jsonld.MediaType)
	c.Send("POST /api/lamps", `{"name":"a"}`, "Content-Type", jsonld.MediaType, "Accept", format.JSON).HasStatus(http.StatusNotAcceptable).Mentions(`"supported":["application/ld+json"]`)
	c.Send("GET /api/lamps/1", "").HasStatus(http.StatusOK).Has("Content-Type", jsonld.MediaType)
	c.Send("GET /api/lamps/1.csv", "").HasStatus(http.StatusOK).Mentions("1,a,0")
	c.Send("GET /api/lamps/1", "", "Accept", hal.MediaType).HasStatus(http.StatusNotAcceptable).Mentions(`"supported":["application/ld+json","text/csv"]`).Has("Vary", "Accept")
	c.Send("GET /api/lamps", "").HasStatus(http.StatusOK).Mentions(`"_embedded"`).Has("Content-Type", hal.MediaType)
	c.Send("GET /api/lamps", "", "Accept", jsonld.MediaType).HasStatus(http.StatusNotAcceptable).Mentions(`"supported":["application/hal+json"]`)
	c.Send("PATCH /api/lamps/1", `{"name":"b"}`).HasStatus(http.StatusOK).Has("Content-Type", format.JSON)
	c.Send("PATCH /api/lamps/1", `{"name":"b"}`, "Content-Type", jsonld.MediaType).HasStatus(http.StatusUnsupportedMediaType).Has("Accept-Patch", "application/merge-patch+json, application/json")
	for request, status := range map[string]int{
		"GET /api/lamps/1.jsonld": 200, "GET /api/lamps/1.json": 404, "GET /api/lamps/1.jsonhal": 404, "GET /api/lamps.jsonhal": 200, "GET /api/lamps.jsonld": 404, "GET /api/lamps.csv": 404,
	} {
		c.Send(request, "").HasStatus(status)
	}
	// The entry point of a format lists what can be had in it.
	c.Send("GET /api.jsonhal", "").HasStatus(http.StatusOK).Mentions(`"lamp":{"href":"/api/lamps"}`)
	c.Send("GET /api.jsonld", "").Reads(http.StatusOK, `{"@context":"/api/contexts/Entrypoint","@id":"/api","@type":"Entrypoint"}`)
}

// Each format has an entry point, even if only one resource or operation supports it.
func TestAFormatOfOneResourceHasAnEntryPoint(t *testing.T) {
	t.Parallel()
	for _, of := range []resource.Of[Lamp]{
		{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)},
		{Operations: []operation.Operation{operation.GetCollection{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)}}},
	} {
		api := spec.NewAPI(t, resource.Config{}, of, resource.Of[Medal]{})
		c := spec.Client{T: t, Handler: api, MediaType: format.JSON}
		c.Send("GET /api", "").Reads(http.StatusOK, `{"Lamp":"/api/lamps","Medal":"/api/medals"}`)
		for _, in := range languages {
			for _, answer := range []spec.Response{c.Send("GET /api", "", "Accept", in.mediaType), c.Send("GET /api"+in.suffix, "")} {
				answer.HasStatus(http.StatusOK).Mentions("/api/lamps").Has("Content-Type", contentTypeOf(in))
				if in.mediaType != format.JSON && strings.Contains(answer.Body, "medals") {
					t.Errorf("%s leads to what is not answered in it: %s", in.mediaType, answer.Body)
				}
				for _, other := range languages {
					if links := strings.Join(answer.Header.Values("Link"), ", "); strings.Contains(links, other.mediaType) != (other != in) {
						t.Errorf("%s: the alternates are %s", in.mediaType, links)
					}
				}
			}
		}
	}
}
