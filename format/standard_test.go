package format_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/resource"
)

func TestStandardReturnsJSONAndNDJSONInANewSlice(t *testing.T) {
	t.Parallel()
	first, second := format.Standard(), format.Standard()
	_ = append(first[:1], hal.Format)
	if len(second) != 2 || second[0].MediaType != format.JSON || second[1].MediaType != "application/x-ndjson" || second[0].Suffix != ".json" || second[1].Suffix != ".ndjson" {
		t.Errorf("the formats are %+v", second)
	}
}

// An API without Formats has the standard ones. An API with Formats has just these, and the first is the default.
func TestAnAPIHasTheFormatsThatItNames(t *testing.T) {
	t.Parallel()
	standard := format.Standard()
	for _, test := range []struct {
		rule            string
		formats         []format.Format
		first, supports string
	}{
		{"none", nil, format.JSON, `["application/json","application/x-ndjson"]`},
		{"the standard ones", standard, format.JSON, `["application/json","application/x-ndjson"]`},
		{"one more", append(format.Standard(), hal.Format), format.JSON, `["application/json","application/x-ndjson","application/hal+json"]`},
		{"another first", append([]format.Format{hal.Format}, format.Standard()...), hal.MediaType, `["application/hal+json","application/json","application/x-ndjson"]`},
		{"another alone", []format.Format{hal.Format}, hal.MediaType, `["application/hal+json"]`},
	} {
		api, err := resource.New(resource.Config{Formats: test.formats}, resource.Of[Lamp]{})
		if err != nil {
			t.Fatal(err)
		}
		c := formattest.Client{T: t, API: api, MediaType: test.first}
		c.Send("POST /api/lamps", `{"name":"a"}`).Mentions(http.StatusCreated).Has("Content-Type", test.first)
		c.Send("GET /api/lamps", "").Mentions(http.StatusOK).Has("Content-Type", test.first).Has("Vary", "Accept")
		c.Send("GET /api/lamps", "", "Accept", "image/png").Mentions(http.StatusNotAcceptable, `"supported":`+test.supports)
	}
}
