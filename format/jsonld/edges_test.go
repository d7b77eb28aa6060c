package jsonld_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type buoy struct {
	ID   int64  `json:"id"`
	Note string `json:"note,omitempty"`
}

func newBuoys(t *testing.T, prefix string, declarations ...resource.Declaration) http.Handler {
	t.Helper()
	api, err := resource.New(resource.Config{Prefix: prefix, Formats: append(format.Standard(), jsonld.Format), Logger: slog.New(slog.DiscardHandler)}, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// Fields of the entry point have the names of resources with a small letter, unless that has another meaning.
func TestNamesInTheEntrypoint(t *testing.T) {
	t.Parallel()
	at := func(path string) []operation.Operation {
		return []operation.Operation{operation.GetCollection{Name: "list" + path[1:], URITemplate: path}, operation.Get{Name: "get" + path[1:], URITemplate: path + "/{id}"}}
	}
	api := newBuoys(t, "/", resource.Of[buoy]{ShortName: "Buoy", Operations: at("/big")}, resource.Of[buoy]{ShortName: "buoy", Operations: at("/small")},
		resource.Of[buoy]{ShortName: "Hydra", Operations: at("/heads")}, resource.Of[buoy]{ShortName: "Xsd", Operations: at("/types")}, resource.Of[buoy]{ShortName: "HTTPServer"})
	send(t, api, "GET /", "").is(http.StatusOK, `{"@context":"/contexts/Entrypoint","@id":"/","@type":"Entrypoint",`+
		`"Buoy":"/big","buoy":"/small","Hydra":"/heads","Xsd":"/types","httpServer":"/http_servers"}`)
	send(t, api, "GET /docs.jsonld", "").hasStatus(http.StatusOK).mentions(`"entrypoint":"/"`).mentions(`"@id":"#Entrypoint/Buoy"`).mentions(`"@id":"#Entrypoint/buoy"`)
	send(t, api, "GET /contexts/Entrypoint", "").mentions(`"Hydra":{"@id":"Entrypoint/Hydra","@type":"@id"}`)
	send(t, api, "GET /small", "").mentions(`"@context":"/contexts/buoy","@id":"/small"`)
}

// The documentation omits hidden fields and handlers.
func TestWhatTheDocumentationLeavesOut(t *testing.T) {
	t.Parallel()
	drop := func(context.Context, *buoy, struct{}) (buoy, error) { return buoy{ID: 1}, nil }
	api := newBuoys(t, "",
		resource.Of[buoy]{Operations: []operation.Operation{operation.GetCollection{}, operation.Get{}, operation.Post{Name: "drop", URITemplate: "/buoys", Handler: operation.Handle(drop)}}},
		resource.Of[buoy]{ShortName: "Wreck", Operations: []operation.Operation{operation.GetCollection{Hidden: true}, operation.Get{Hidden: true}}})
	got := send(t, api, "GET /api/docs.jsonld", "").hasStatus(http.StatusOK).mentions(`{"@type":"Operation","title":"dropBuoy",`)
	if strings.Contains(got.body, "reck") {
		t.Errorf("the documentation tells of what is hidden: %s", got.body)
	}
	send(t, api, "GET /api/wrecks", "").hasStatus(http.StatusOK).mentions(`"@context":"/api/contexts/Wreck"`)
	send(t, api, "GET /api/contexts/Wreck", "").hasStatus(http.StatusOK)
}

func TestEmptyResponses(t *testing.T) {
	t.Parallel()
	type word struct {
		Text string `json:"text,omitempty"`
	}
	some := func(context.Context, *buoy, struct{}) ([]*buoy, error) { return []*buoy{nil, {ID: 1}}, nil }
	none := func(context.Context, *buoy, struct{}) (word, error) { return word{}, nil }
	api := newBuoys(t, "", resource.Of[buoy]{Operations: []operation.Operation{
		operation.Get{},
		operation.Get{Name: "none", URITemplate: "/none", Handler: operation.Handle(none)},
		operation.Get{Name: "some", URITemplate: "/some", Handler: operation.Handle(some)},
	}})
	send(t, api, "GET /api/none", "").is(http.StatusOK, `{"@context":{"@version":1.1,"@vocab":"/api/docs.jsonld#","hydra":"http://www.w3.org/ns/hydra/core#",`+
		`"xsd":"http://www.w3.org/2001/XMLSchema#","text":{"@id":"text"}}}`)
	plain := send(t, api, "GET /api/some", "", "Accept", format.JSON)
	if linked := send(t, api, "GET /api/some", ""); linked.status != plain.status || plain.status == http.StatusOK && !strings.Contains(linked.body, `"member":[null,{"@id":"/api/buoys/1"`) {
		t.Errorf("the answer is %d %s, as JSON %d %s", linked.status, linked.body, plain.status, plain.body)
	}
}

// A 5xx shows only the incident; an error of the user shows everything.
func TestErrorsHaveTheFieldsOfProblems(t *testing.T) {
	t.Parallel()
	fail := func(context.Context, *buoy, struct{}) (buoy, error) { return buoy{}, errors.New("secret") }
	refuse := func(context.Context, *buoy, struct{}) (buoy, error) {
		return buoy{}, operation.Error{Status: 402, Type: "https://example.com/unpaid", Title: "Unpaid"}
	}
	api := newBuoys(t, "", resource.Of[buoy]{Operations: []operation.Operation{
		operation.Get{Name: "fail", URITemplate: "/fail", Handler: operation.Handle(fail)}, operation.Get{Name: "refuse", URITemplate: "/refuse", Handler: operation.Handle(refuse)},
	}})
	got := send(t, api, "GET /api/fail", "").hasStatus(http.StatusInternalServerError).mentions(`"description":"Internal Server Error","instance":"urn:uuid:`)
	if strings.Contains(got.body, "secret") {
		t.Errorf("the cause is told: %s", got.body)
	}
	send(t, api, "GET /api/refuse", "").is(http.StatusPaymentRequired, `{"@context":"/api/contexts/Error","@type":"Error","type":"https://example.com/unpaid","title":"Unpaid","status":402,"description":"Unpaid"}`)
}
