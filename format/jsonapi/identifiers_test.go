package jsonapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

type (
	Mark struct {
		Text string `json:"text" api:"id"`
	}
	Sheet struct {
		ID    int64   `json:"id"`
		Mark  string  `json:"mark" api:"ref=Mark"`
		Other *string `json:"other" api:"ref=Mark"`
	}
)

// Identifiers are strings, of any type: those of the record, and those of references.
func TestIdentifiersAreTheTextsThatTheyAre(t *testing.T) {
	t.Parallel()
	texts := []string{"plain", `a"b`, `a\b`, "é", "a b", "x.json", "1", "-1", "007", "😀", "a;b", "null"}
	var marks []Mark
	var sheets []Sheet
	for i, text := range texts {
		marks = append(marks, Mark{text})
		sheets = append(sheets, Sheet{int64(i + 1), text, &texts[len(texts)-1-i]})
	}
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		api, err := resource.New(resource.Config{References: references, Formats: append(format.Standard(), jsonapi.Format)},
			resource.Of[Mark]{Store: memory.New(marks...)}, resource.Of[Sheet]{Store: memory.New(sheets...)})
		if err != nil {
			t.Fatal(err)
		}
		c := formattest.Client{T: t, API: api, MediaType: jsonapi.MediaType}
		type object struct {
			ID            string            `json:"id"`
			Links         map[string]string `json:"links"`
			Relationships map[string]struct {
				Data struct {
					ID   string `json:"id"`
					Type string `json:"type"`
				} `json:"data"`
				Links map[string]string `json:"links"`
			} `json:"relationships"`
		}
		var page struct {
			Data []object `json:"data"`
		}
		if err := json.Unmarshal([]byte(c.Send("GET /api/sheets?page[size]=50", "", "Accept", jsonapi.MediaType).Mentions(http.StatusOK).Body), &page); err != nil || len(page.Data) != len(texts) {
			t.Fatalf("%d sheets: %v", len(page.Data), err)
		}
		for i, sheet := range page.Data {
			for name, want := range map[string]string{"mark": texts[i], "other": texts[len(texts)-1-i]} {
				got := sheet.Relationships[name]
				var mark struct {
					Data object `json:"data"`
				}
				body := c.Send("GET "+got.Links["related"], "", "Accept", jsonapi.MediaType).Mentions(http.StatusOK).Body
				if err := json.Unmarshal([]byte(body), &mark); err != nil && want != "x.json" || got.Data.ID != want || got.Data.Type != "marks" || want != "x.json" && mark.Data.ID != want {
					t.Errorf("%s of sheet %d is %+v, want %q; there is %s", name, i+1, got, want, body)
				}
			}
		}
	}
}
