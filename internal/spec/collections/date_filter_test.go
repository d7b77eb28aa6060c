package collections_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// Stay has dates as strings.
type Stay struct {
	ID   int64     `json:"id"`
	From string    `json:"from" validate:"datetime=2006-01-02" api:"filter=exact|range"`
	To   string    `json:"to" validate:"omitempty,datetime=02.01.2006" api:"filter"`
	Note string    `json:"note" validate:"omitempty,datetime=15:04" api:"filter=partial"`
	Made time.Time `json:"made" api:"filter=range"`
}

func TestAFilterByADateRequiresADate(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Stay]{})
	c.Send("POST /api/stays", `{"from":"2026-05-01","made":"2026-01-01T00:00:00Z"}`).HasStatus(201)
	const form = "a date or time in the format 2006-01-02"
	for query, want := range map[string]string{
		"from[gte]=2026-13-45":                 "from[gte] must be " + form,
		"from=soon":                            "from must be " + form,
		"from=":                                "from must be " + form,
		"from[ne]=2026-5-1":                    "from[ne] must be " + form,
		"from[between]=2026-01-01..2026-02-30": "from[between] has an invalid value after the ..: it must be " + form,
		"from[between]=x..2026-02-28":          "from[between] has an invalid value before the ..: it must be " + form,
		"to=2026-05-01":                        "to must be a date or time in the format 02.01.2006",
		"made[gte]=2026-13-45":                 "made[gte] must be a date and time such as 2006-01-02T15:04:05Z, or a date such as 2006-01-02",
	} {
		name, value, _ := strings.Cut(query, "=")
		c.Send("GET /api/stays?"+url.QueryEscape(name)+"="+url.QueryEscape(value), "").IsProblem(400).Mentions(want).Lacks("soon")
	}
	for query, found := range map[string]int{
		"from=2026-05-01": 1, "from[gte]=2026-05-02": 0, "from[between]=2026-01-01..2026-12-31": 1, "to=": 1, "to=01.05.2026": 0, "note=1": 0,
	} {
		name, value, _ := strings.Cut(query, "=")
		a := c.Send("GET /api/stays?"+url.QueryEscape(name)+"="+url.QueryEscape(value), "").HasStatus(200)
		if ids := spec.IDsOf(t, a.Body); len(ids) != found {
			t.Errorf("%s finds %v, want %d records", query, ids, found)
		}
	}
}

func TestTheDocumentStatesTheFormOfDatesInFilters(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Stay]{})
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"from[gte]":     `{"examples":["2026-01-15"],"format":"date","type":"string"}`,
		"from":          `{"examples":[["2026-01-15"]],"items":{"type":"string","format":"date"},"maxItems":100,"type":"array"}`,
		"to":            `{"examples":[["02.01.2006"]],"items":{"anyOf":[{"format":"layout","type":"string"},{"maxLength":0,"type":"string"}],"type":"string"},"maxItems":100,"type":"array"}`,
		"from[between]": `{"examples":["2026-01-15..2026-01-16"],"type":"string","format":"range"}`,
		"note":          `{"examples":[["15:04"]],"items":{"minLength":1,"type":"string"},"maxItems":100,"type":"array"}`,
	} {
		p := document.Paths.Value("/api/stays").Get.Parameters.GetByInAndName("query", name)
		got, err := json.Marshal(p.Schema)
		if err != nil || spec.Canonical(t, string(got)) != spec.Canonical(t, want) {
			t.Errorf("%s has the schema %s, want %s; %v", name, got, want, err)
		}
	}
}
