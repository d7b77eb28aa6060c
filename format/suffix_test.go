package format_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/format/jsonapi"
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
		c.Send("POST /api/honours/medals", `{"name":"gold"}`).Mentions(http.StatusCreated)
		accept := []string{"Accept", in.mediaType}
		for request, status := range map[string]int{
			"GET /api/honours/medals" + in.suffix:         http.StatusOK,
			"GET /api/honours/medals/gold" + in.suffix:    http.StatusNotFound,
			"PATCH /api/honours/medals/gold" + in.suffix:  http.StatusNotFound,
			"DELETE /api/honours/medals/gold" + in.suffix: http.StatusNotFound,
		} {
			c.Send(request, "", accept...).Mentions(status)
		}
		c.Send("GET /api/honours/medals/gold", "", accept...).Mentions(http.StatusOK).Has("Content-Type", contentTypeOf(in)).Has("Vary", "Accept")
		// There a suffix is a part of the identifier, as any other text is.
		made := c.Send("PUT /api/honours/medals/silver"+in.suffix, `{"metal":"Ag"}`, "Accept", in.mediaType, "Content-Type", "application/json").Mentions(http.StatusCreated)
		made.Has("Location", "/api/honours/medals/silver"+in.suffix)
		c.Send("GET "+made.Header.Get("Location"), "", accept...).Is(http.StatusOK, made.Body).Has("Content-Type", contentTypeOf(in))
	})
}

// What is answered leads to no suffix that the client has not asked for.
func TestNoAnswerLeadsToASuffix(t *testing.T) {
	t.Parallel()
	eachRefusal(t, func(t *testing.T, in spoken) {
		t.Helper()
		c := newLamps(t, resource.Config{}, medals(), resource.Of[Lamp]{})
		c.Send("POST /api/honours/medals", `{"name":"gold"}`).Mentions(http.StatusCreated)
		c.Send("POST /api/lamps", `{"name":"a"}`).Mentions(http.StatusCreated)
		for _, path := range []string{"/api", "/api/honours/medals", "/api/honours/medals/gold", "/api/lamps", "/api/lamps/1", "/api/lamps?itemsPerPage=1&cursor="} {
			answer := c.Send("GET "+path, "", "Accept", in.mediaType).Mentions(http.StatusOK)
			told := strings.NewReplacer("/docs.jsonld", "", "/vnd.msgpack", "").Replace(answer.Body + strings.Join(answer.Header.Values("Link"), " "))
			for _, other := range languages {
				if strings.Contains(told, other.suffix) {
					t.Errorf("%s leads to %s: %s", path, other.suffix, told)
				}
			}
		}
	})
}

// contentTypeOf returns the field of answers in a format.
func contentTypeOf(in spoken) string {
	if in.mediaType == "text/csv" {
		return "text/csv; charset=utf-8; header=present"
	}
	return in.mediaType
}

// A client is told by 406 and 415, and by OPTIONS, all that it could have sent or asked for.
func TestRefusalsListTheMediaTypesThatThereAre(t *testing.T) {
	t.Parallel()
	c := newLamps(t, resource.Config{}, resource.Of[Lamp]{})
	const sent = `"application/json","application/ld+json","application/hal+json","application/vnd.api+json","text/csv","application/vnd.msgpack"`
	many := strings.Replace(sent, `,"application/ld`, `,"application/x-ndjson","application/ld`, 1)
	for request, supported := range map[string]string{"GET /api/lamps/1": sent, "GET /api/lamps": many, "POST /api/lamps": sent} {
		c.Send(request, "", "Accept", "image/png").Mentions(http.StatusNotAcceptable, `"supported":[`+supported+`]`).Has("Vary", "Accept")
	}
	read := strings.NewReplacer(`"`, "", ",", ", ").Replace(sent)
	c.Send("POST /api/lamps", "x", "Content-Type", "image/png").Mentions(http.StatusUnsupportedMediaType, `"supported":[`+sent+`]`).Has("Accept-Post", read)
	c.Send("PUT /api/lamps/1", "x", "Content-Type", "image/png").Mentions(http.StatusUnsupportedMediaType, `"supported":[`+sent+`]`)
	c.Send("PATCH /api/lamps/1", "x", "Content-Type", "image/png").Mentions(http.StatusUnsupportedMediaType, `"supported":["application/merge-patch+json",`+sent+`]`).
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
	c.Send("POST /api/lamps", `{"name":"a"}`).Mentions(http.StatusCreated)
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
		"application/xml, application/vnd.msgpack;q=0.2, */*;q=0.1":      "application/vnd.msgpack",
	} {
		c.Send("GET /api/lamps/1", "", "Accept", accept).Mentions(http.StatusOK).Has("Content-Type", want).Has("Vary", "Accept")
	}
	for _, accept := range []string{"image/png", "application/json;q=0, */*;q=0", jsonapi.MediaType + "; ext=bulk"} {
		c.Send("GET /api/lamps/1", "", "Accept", accept).Mentions(http.StatusNotAcceptable).Has("Content-Type", "application/problem+json")
		c.Send("GET /api/lamps/1.jsonld", "", "Accept", accept).Mentions(http.StatusOK).Has("Content-Type", "application/ld+json")
	}
}
