package collections_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

func TestATimeIsFoundByTheValueThatWasSent(t *testing.T) {
	t.Parallel()
	type moment struct {
		ID int64      `json:"id"`
		At time.Time  `json:"at" api:"filter=exact|range,sort"`
		To *time.Time `json:"to" api:"filter=exact|range,sort"`
	}
	spec.Alike(t, resource.Of[moment]{}, func(c spec.Client) {
		for _, sent := range []string{
			"2026-11-22T09:30:00.123456789Z", "2026-11-22T11:30:00.1234569+02:00", "1969-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00.000000001Z",
		} {
			made := c.Send("POST /api/things", `{"at":"`+sent+`","to":"`+sent+`"}`).HasStatus(201)
			at := url.QueryEscape(sent)
			for query, want := range map[string]int{
				"at=" + at: 1, "at[gte]=" + at + "&at[lte]=" + at: 1, "at[between]=" + at + ".." + at: 1,
				"at[gt]=" + at + "&at[lt]=2030-01-01": 0, "at[lt]=" + at + "&at[gte]=" + at: 0, "at=" + at + "&at=2030-01-01T00:00:00Z": 1,
				"to=" + at: 1, "to[gte]=" + at + "&to[lte]=" + at: 1, "to[between]=" + at + ".." + at: 1,
			} {
				found := c.Send("GET /api/things?"+query, "").HasStatus(200)
				if body := "[" + made.Body + "]"; want == 1 && found.Body != body || want == 0 && found.Body != "[]" {
					c.T.Errorf("%s finds %s", query, found.Body)
				}
			}
			c.Send("DELETE "+made.Header.Get("Location"), "").HasStatus(204)
		}
	})
}
