package resource_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/format/msgpack"
	"github.com/trove-api/trove/resource"
)

func TestAReferenceToARecordOfTwoIdentifiersInEachFormat(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format, msgpack.Format)
	warehouses(t, resource.Config{Formats: formats}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/parcels", `{"name":"box","ledge":"`+oddly+`"}`).hasStatus(http.StatusCreated)
		c.send("GET /api/parcels/1.jsonld", "").hasStatus(http.StatusOK).mentions(`"ledge":"` + oddly + `"`)
		c.send("GET /api/parcels/1.jsonld?expand=ledge", "").hasStatus(http.StatusOK).mentions(`"ledge":{"@id":"`+oddly+`"`, `"name":"high"`)
		c.send("GET /api/parcels/1.jsonhal?expand=ledge", "").hasStatus(http.StatusOK).mentions(`"ledge":{"href":"`+oddly+`"}`, `"name":"high"`)
		c.send("GET /api/parcels/1.jsonapi?expand=ledge", "").hasStatus(http.StatusOK).
			mentions(`"ledge":{"data":{"type":"ledges","id":"1;b%3Bc%2Fd"}`, `"included":[{"type":"ledges","id":"1;b%3Bc%2Fd"`)
		c.send("GET /api/parcels.csv", "").hasStatus(http.StatusOK).mentions(oddly)
		packed := c.send("GET /api/parcels/1.msgpack?expand=ledge", "").hasStatus(http.StatusOK)
		if got, want := unpacked(t, packed.body), c.send("GET /api/parcels/1?expand=ledge", "").body; got != want {
			t.Errorf("MessagePack has %s, want %s", got, want)
		}
		c.send("PATCH /api/parcels/1", c.send("GET /api/parcels/1.msgpack", "").body, "Content-Type", msgpack.MediaType).
			hasStatus(http.StatusOK).mentions(`"ledge":"` + oddly + `"`)
		header := []string{"Accept", jsonapi.MediaType, "Content-Type", jsonapi.MediaType}
		body := func(id string) string {
			return `{"data":{"type":"parcels","id":"1","relationships":{"ledge":{"data":{"type":"ledges","id":"` + id + `"}}}}}`
		}
		c.send("PATCH /api/parcels/1", body("2;a"), header...).hasStatus(http.StatusOK).mentions(`"id":"2;a"`)
		c.send("GET /api/parcels/1", "").mentions(`"ledge":"/api/ledges/2;a"`)
		c.send("PATCH /api/parcels/1", body("9;a"), header...).hasStatus(http.StatusBadRequest)
		c.send("PATCH /api/parcels/1", body("2"), header...).hasStatus(http.StatusBadRequest)
	})
	warehouses(t, resource.Config{Formats: formats, References: resource.Identifiers}, func(t *testing.T, c client) {
		t.Helper()
		c.send("POST /api/parcels", `{"name":"box","ledge":"1;b%3Bc%2Fd"}`).hasStatus(http.StatusCreated)
		c.send("GET /api/parcels/1.jsonhal", "").hasStatus(http.StatusOK).mentions(`"ledge":{"href":"` + oddly + `"}`)
		c.send("GET /api/parcels/1.jsonapi", "").hasStatus(http.StatusOK).mentions(`"ledge":{"data":{"type":"ledges","id":"1;b%3Bc%2Fd"}`)
	})
}
