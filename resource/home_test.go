package resource_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
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

func TestARecordThatIsOnlyBelowAnotherHasItsAddressThere(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)
	api, err := resource.New(resource.Config{Formats: formats}, resource.Of[Mooring]{Path: "/coves/{cove}/moorings"}, resource.Of[Cove]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := client{t, api}
	c.send("POST /api/coves", `{"name":"Bree/East"}`).hasStatus(201)
	const at = "/api/coves/Bree%2FEast/moorings"
	c.send("POST "+at, `{"code":"a;b"}`).hasStatus(201).has("Location", at+"/a%3Bb").has("Content-Location", at+"/a%3Bb")
	c.send("GET "+at+"/a%3Bb", "").hasStatus(200)
	c.send("PATCH "+at+"/a%3Bb", `{}`).hasStatus(200).has("Content-Location", at+"/a%3Bb")
	c.send("PUT "+at+"/a%3Bb.json", `{}`).hasStatus(200).has("Content-Location", at+"/a%3Bb")
	c.send("POST "+at, `{"code":"x.json"}`).hasStatus(201).has("Location", at+"/x.json.json")
	c.send("GET "+at+"/x.json.json", "").hasStatus(200)
	for suffix, want := range map[string]string{
		".jsonld": `"@id":"` + at + `/a%3Bb"`, ".jsonhal": `"self":{"href":"` + at + `/a%3Bb"}`, ".jsonapi": `"self":"` + at + `/a%3Bb"`,
	} {
		c.send("GET "+at+"/a%3Bb"+suffix, "").hasStatus(200).mentions(want)
		c.send("GET "+at+suffix, "").hasStatus(200).mentions(want)
	}
	c.send("PATCH "+at+"/a%3Bb", `{"@id":"`+at+`/a%3Bb","next":"/api/coves/Bree%2FEast"}`, "Content-Type", "application/merge-patch+json").hasStatus(400)
	document := c.send("GET /api/docs.json", "").hasStatus(200).body
	if !strings.Contains(document, `"Location"`) || strings.Contains(document, "/moorings/{code}/") {
		t.Errorf("the document says nothing of Location: %s", document)
	}
}

func TestWhatMakesNoAddressBelow(t *testing.T) {
	t.Parallel()
	hidden := openBut(map[string]access.Member{"cove": {Read: access.Not(access.Public)}})
	for name, declared := range map[string]resource.Of[Mooring]{
		"a reference that may be null": {Access: open(), Operations: []operation.Operation{
			operation.Post{}, operation.Get{URITemplate: "/coves/{next}/moorings/{code}"},
		}},
		"a reference that not everybody sees": {Access: hidden, Operations: []operation.Operation{
			operation.Post{}, operation.Get{URITemplate: "/coves/{cove}/moorings/{code}"},
		}},
	} {
		c := newClient(t, resource.Config{}, declared, resource.Of[Cove]{Access: open()})
		c.send("POST /api/coves", `{"name":"Bree"}`).hasStatus(201)
		made := c.send("POST /api/moorings", `{"code":"a","cove":"/api/coves/Bree","next":"/api/coves/Bree"}`)
		if made.hasStatus(201).header.Get("Location") != "" {
			t.Errorf("%s: Location is %s", name, made.header.Get("Location"))
		}
	}
}
