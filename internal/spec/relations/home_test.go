package relations_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Mooring is below coves alone.
type Mooring struct {
	Code string  `json:"code" api:"id"`
	Cove string  `json:"cove" api:"ref=Cove"`
	Next *string `json:"next" api:"ref=Cove"`
}

func TestTheOnlyPathOfARecordCanBeBelowAnotherRecord(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)
	api, err := resource.New(resource.Config{Formats: formats}, resource.Of[Mooring]{Path: "/coves/{cove}/moorings"}, resource.Of[Cove]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("POST /api/coves", `{"name":"Bree/East"}`).HasStatus(201)
	const at = "/api/coves/Bree%2FEast/moorings"
	c.Send("POST "+at, `{"code":"a;b"}`).HasStatus(201).Has("Location", at+"/a%3Bb").Has("Content-Location", at+"/a%3Bb")
	c.Send("GET "+at+"/a%3Bb", "").HasStatus(200)
	c.Send("PATCH "+at+"/a%3Bb", `{}`).HasStatus(200).Has("Content-Location", at+"/a%3Bb")
	c.Send("PUT "+at+"/a%3Bb.json", `{}`).HasStatus(200).Has("Content-Location", at+"/a%3Bb")
	c.Send("POST "+at, `{"code":"x.json"}`).HasStatus(201).Has("Location", at+"/x%2Ejson")
	c.Send("GET "+at+"/x%2Ejson", "").HasStatus(200)
	for suffix, want := range map[string]string{
		".jsonld": `"@id":"` + at + `/a%3Bb"`, ".jsonhal": `"self":{"href":"` + at + `/a%3Bb"}`, ".jsonapi": `"self":"` + at + `/a%3Bb"`,
	} {
		c.Send("GET "+at+"/a%3Bb"+suffix, "").HasStatus(200).Mentions(want)
		c.Send("GET "+at+suffix, "").HasStatus(200).Mentions(want)
	}
	c.Send("PATCH "+at+"/a%3Bb", `{"@id":"`+at+`/a%3Bb","next":"/api/coves/Bree%2FEast"}`, "Content-Type", "application/merge-patch+json").HasStatus(400)
	document := c.Send("GET /api/docs.json", "").HasStatus(200).Body
	if !strings.Contains(document, `"Location"`) || strings.Contains(document, "/moorings/{code}/") {
		t.Errorf("the document says nothing of Location: %s", document)
	}
}

func TestInvalidNestedPaths(t *testing.T) {
	t.Parallel()
	hidden := spec.OpenBut(map[string]access.Field{"cove": {Read: access.Not(access.Public)}})
	for name, declared := range map[string]resource.Of[Mooring]{
		"a reference that may be null": {Access: spec.Open(), Operations: []operation.Operation{
			operation.Post{}, operation.Get{URITemplate: "/coves/{next}/moorings/{code}"},
		}},
		"a reference that not everybody sees": {Access: hidden, Operations: []operation.Operation{
			operation.Post{}, operation.Get{URITemplate: "/coves/{cove}/moorings/{code}"},
		}},
	} {
		c := spec.NewClient(t, resource.Config{}, declared, resource.Of[Cove]{Access: spec.Open()})
		c.Send("POST /api/coves", `{"name":"Bree"}`).HasStatus(201)
		made := c.Send("POST /api/moorings", `{"code":"a","cove":"/api/coves/Bree","next":"/api/coves/Bree"}`)
		if made.HasStatus(201).Header.Get("Location") != "" {
			t.Errorf("%s: Location is %s", name, made.Header.Get("Location"))
		}
	}
}
