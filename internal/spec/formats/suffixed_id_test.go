package formats_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

// Paper is a record whose identifier may end in the suffix of a format.
type Paper struct {
	Name string `json:"name" api:"id"`
	Text string `json:"text"`
}

// Copy has a composite identifier, and refers to a paper.
type Copy struct {
	Hall  string `json:"hall" api:"id"`
	Name  string `json:"name" api:"id"`
	Paper string `json:"paper" api:"ref=Paper,filter"`
}

// Loan refers to a copy, by both parts of its identifier.
type Loan struct {
	ID   int64   `json:"id"`
	Copy CopyKey `json:"copy" api:"ref=Copy"`
}

// CopyKey is the identifier of a copy.
type CopyKey struct {
	Hall string `json:"hall"`
	Name string `json:"name"`
}

func TestAnIdentifierThatEndsInASuffixIsWrittenWithAnEscapedDot(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
	for name, escaped := range map[string]string{
		"report.csv": "report%2Ecsv", "x.json": "x%2Ejson", "a b/c.jsonld": "a%20b%2Fc%2Ejsonld", "x.json.json": "x.json%2Ejson",
		".json": "%2Ejson", "é.csv": "%C3%A9%2Ecsv", "x.json;y.csv": "x.json%3By%2Ecsv",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, resource.Config{Formats: formats}, resource.Of[Paper]{}, resource.Of[Copy]{}, resource.Of[Loan]{})
			quoted := spec.CanonicalString(name)
			paper, copied := "/api/papers/"+escaped, "/api/copies/hall.json;"+escaped
			c.Send("POST /api/papers", `{"name":"report","text":"another"}`).HasStatus(201)
			c.Send("POST /api/papers", `{"name":`+quoted+`,"text":"this"}`).HasStatus(201).Has("Location", paper)
			c.Send("PATCH "+paper, `{"text":"changed"}`).HasStatus(200)
			c.Send("GET "+paper, "").HasStatus(200).Has("Content-Type", "application/json").Mentions(`"name":`+quoted, `"changed"`)
			c.Send("GET "+paper, "", "Accept", "application/hal+json").HasStatus(200).Has("Content-Type", "application/hal+json").Mentions(`"` + paper + `"`)
			c.Send("GET "+paper+".jsonld", "").HasStatus(200).Has("Content-Type", "application/ld+json").Mentions(`"@id":"` + paper + `"`)
			for _, spelled := range []string{paper, strings.ReplaceAll(paper, "%2E", ".")} {
				body := `{"hall":"hall.json","name":` + quoted + `,"paper":"` + spelled + `"}`
				c.Send("POST /api/copies", body).HasStatus(201).Has("Location", copied).Mentions(`"paper":"` + paper + `"`)
				c.Send("GET /api/copies?paper="+strings.ReplaceAll(spelled, "%", "%25"), "").HasStatus(200).Has("X-Total-Count", "1")
				c.Send("POST /api/loans", `{"copy":"`+strings.ReplaceAll(copied, "%2E", ".")+`"}`).HasStatus(201).Mentions(`"copy":"` + copied + `"`)
				for accept, wants := range map[string][]string{
					"application/json":         {`"paper":"` + paper + `"`},
					"application/ld+json":      {`"@id":"` + copied + `"`, `"paper":"` + paper + `"`},
					"application/hal+json":     {`"self":{"href":"` + copied + `"}`, `"paper":{"href":"` + paper + `"}`},
					"application/vnd.api+json": {`"self":"` + copied + `"`},
					"text/csv":                 {paper},
				} {
					c.Send("GET /api/copies", "", "Accept", accept).HasStatus(200).Mentions(wants...)
					c.Send("GET "+copied, "", "Accept", accept).HasStatus(200).Mentions(wants...)
				}
				c.Send("DELETE /api/loans/1", "")
				c.Send("DELETE /api/loans/2", "")
				c.Send("DELETE "+copied, "").HasStatus(204)
			}
			c.Send("DELETE "+paper, "").HasStatus(204)
			c.Send("GET /api/papers/report", "").HasStatus(200).Mentions("another")
		})
	}
}
