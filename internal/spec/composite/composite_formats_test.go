package composite_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

func TestAReferenceToARecordOfTwoIdentifiersInEachFormat(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
	warehouses(t, resource.Config{Formats: formats}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/parcels", `{"name":"box","ledge":"`+oddly+`"}`).HasStatus(http.StatusCreated)
		c.Send("GET /api/parcels/1.jsonld", "").HasStatus(http.StatusOK).Mentions(`"ledge":"` + oddly + `"`)
		c.Send("GET /api/parcels/1.jsonld?expand=ledge", "").HasStatus(http.StatusOK).Mentions(`"ledge":{"@id":"`+oddly+`"`, `"name":"high"`)
		c.Send("GET /api/parcels/1.jsonhal?expand=ledge", "").HasStatus(http.StatusOK).Mentions(`"ledge":{"href":"`+oddly+`"}`, `"name":"high"`)
		c.Send("GET /api/parcels/1.jsonapi?expand=ledge", "").HasStatus(http.StatusOK).
			Mentions(`"ledge":{"data":{"type":"ledges","id":"1;b%3Bc%2Fd"}`, `"included":[{"type":"ledges","id":"1;b%3Bc%2Fd"`)
		c.Send("GET /api/parcels.csv", "").HasStatus(http.StatusOK).Mentions(oddly)
		header := []string{"Accept", jsonapi.MediaType, "Content-Type", jsonapi.MediaType}
		body := func(id string) string {
			return `{"data":{"type":"parcels","id":"1","relationships":{"ledge":{"data":{"type":"ledges","id":"` + id + `"}}}}}`
		}
		c.Send("PATCH /api/parcels/1", body("2;a"), header...).HasStatus(http.StatusOK).Mentions(`"id":"2;a"`)
		c.Send("GET /api/parcels/1", "").Mentions(`"ledge":"/api/ledges/2;a"`)
		c.Send("PATCH /api/parcels/1", body("9;a"), header...).HasStatus(http.StatusBadRequest)
		c.Send("PATCH /api/parcels/1", body("2"), header...).HasStatus(http.StatusBadRequest)
	})
	warehouses(t, resource.Config{Formats: formats, References: resource.Identifiers}, func(t *testing.T, c spec.Client) {
		t.Helper()
		c.Send("POST /api/parcels", `{"name":"box","ledge":"1;b%3Bc%2Fd"}`).HasStatus(http.StatusCreated)
		c.Send("GET /api/parcels/1.jsonhal", "").HasStatus(http.StatusOK).Mentions(`"ledge":{"href":"` + oddly + `"}`)
		c.Send("GET /api/parcels/1.jsonapi", "").HasStatus(http.StatusOK).Mentions(`"ledge":{"data":{"type":"ledges","id":"1;b%3Bc%2Fd"}`)
	})
}
