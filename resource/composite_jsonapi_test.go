package resource_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/resource"
)

func TestARecordOfTwoIdentifiersInJSONAPI(t *testing.T) {
	t.Parallel()
	stowages(t, resource.Config{Formats: append(format.Standard(), jsonapi.Format)}, func(t *testing.T, c client) {
		t.Helper()
		headers := []string{"Accept", jsonapi.MediaType, "Content-Type", jsonapi.MediaType}
		c.send("POST /api/ballasts", tar).hasStatus(http.StatusCreated)
		c.send("GET /api/ballasts/1;a%3Bb", "", headers[:2]...).hasStatus(http.StatusOK).
			mentions(`"id":"1;a%3Bb","attributes":{"place":"a;b","ware":"tar","weight":3},"relationships":{"hold":{"data":{"type":"holds","id":"1"}`)
		c.send("PATCH /api/ballasts/1;a%3Bb", `{"data":{"type":"ballasts","id":"1;a%3Bb","attributes":{"weight":9}}}`, headers...).
			hasStatus(http.StatusOK).mentions(`"weight":9`)
		c.send("PATCH /api/ballasts/1;a%3Bb", `{"data":{"type":"ballasts","id":"1;b","attributes":{"weight":9}}}`, headers...).hasStatus(http.StatusConflict)
		c.send("POST /api/ballasts", `{"data":{"type":"ballasts","attributes":{"place":"q","ware":"w"},
			"relationships":{"hold":{"data":{"type":"holds","id":"1"}}}}}`, headers...).
			hasStatus(http.StatusCreated).mentions(`"id":"1;q"`).has("Location", "/api/ballasts/1;q")
	})
}
