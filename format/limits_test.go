package format_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/resource"
)

// The limits of bodies apply to everything that was sent, including what a format ignores.
func TestLimitsApplyToIgnoredValues(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{MaxBodyDepth: 9, MaxBodyValues: 50, Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)}, resource.Of[Lamp]{})
	if err != nil {
		t.Fatal(err)
	}
	deep, wide := strings.Repeat("[", 9)+strings.Repeat("]", 9), "["+strings.Repeat("1,", 50)+"1]"
	for mediaType, body := range map[string]string{
		hal.MediaType:     `{"name":"a","_links":{"x":VALUE}}`,
		jsonapi.MediaType: `{"data":{"type":"lamps","attributes":{"name":"a"}},"meta":{"x":VALUE}}`,
		jsonld.MediaType:  `{"name":"a","@type":["Lamp",VALUE]}`,
	} {
		c := formattest.Client{T: t, API: api, MediaType: mediaType}
		for _, value := range []string{deep, wide} {
			c.Send("POST /api/lamps", strings.Replace(body, "VALUE", value, 1)).Mentions(http.StatusRequestEntityTooLarge, "must not")
		}
		c.Send("POST /api/lamps", strings.Replace(body, "VALUE", `"Thing"`, 1)).Mentions(http.StatusCreated)
	}
	hals := formattest.Client{T: t, API: api, MediaType: hal.MediaType}
	hals.Send("POST /api/lamps", `{"name":"a","_embedded":`+deep+`}`).Mentions(http.StatusRequestEntityTooLarge, "must not")
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
		api, err := resource.New(resource.Config{Formats: formats}, resource.Of[Lamp]{})
		if err != nil {
			t.Fatal(err)
		}
		c := formattest.Client{T: t, API: api, MediaType: "*/*"}
		c.Send("GET /api", "").Mentions(http.StatusOK, "/api/lamps").Has("Content-Type", want)
		c.Send("GET /api", "", "Accept", format.JSON).Mentions(http.StatusOK, "/api/lamps").Has("Content-Type", format.JSON)
	}
}
