package collections_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestThePagesOfEveryFormatLeadOnByOffset(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)}, resource.Of[Frigate]{
		ShortName: "Ship", Store: memory.New(fleet(25)...), Pagination: operation.Pagination{ItemsPerPage: 10, ClientOffset: new(true)},
	})
	for _, suffix := range []string{"jsonld", "jsonhal", "jsonapi"} {
		got := c.Send("GET /api/ships."+suffix+"?offset=7", "").HasStatus(200)
		for _, want := range []string{"offset=0", "offset=17"} {
			if !strings.Contains(got.Body, want) {
				t.Errorf("%s has no link with %s", suffix, want)
			}
		}
	}
}
