package composite_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

func TestARecordOfTwoIdentifiersInJSONAPI(t *testing.T) {
	t.Parallel()
	stowages(t, resource.Config{Formats: append(format.Standard(), jsonapi.Format)}, func(t *testing.T, c spec.Client) {
		t.Helper()
		headers := []string{"Accept", jsonapi.MediaType, "Content-Type", jsonapi.MediaType}
		c.Send("POST /api/ballasts", tar).HasStatus(http.StatusCreated)
		c.Send("GET /api/ballasts/1;a%3Bb", "", headers[:2]...).HasStatus(http.StatusOK).
			Mentions(`"id":"1;a%3Bb","attributes":{"place":"a;b","ware":"tar","weight":3},"relationships":{"hold":{"data":{"type":"holds","id":"1"}`)
		c.Send("PATCH /api/ballasts/1;a%3Bb", `{"data":{"type":"ballasts","id":"1;a%3Bb","attributes":{"weight":9}}}`, headers...).
			HasStatus(http.StatusOK).Mentions(`"weight":9`)
		c.Send("PATCH /api/ballasts/1;a%3Bb", `{"data":{"type":"ballasts","id":"1;b","attributes":{"weight":9}}}`, headers...).HasStatus(http.StatusConflict)
		c.Send("POST /api/ballasts", `{"data":{"type":"ballasts","attributes":{"place":"q","ware":"w"},
			"relationships":{"hold":{"data":{"type":"holds","id":"1"}}}}}`, headers...).
			HasStatus(http.StatusCreated).Mentions(`"id":"1;q"`).Has("Location", "/api/ballasts/1;q")
	})
}
