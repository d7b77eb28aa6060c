package bodies_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Shelf has maps with every kind of value.
type Shelf struct {
	Code   string                     `json:"code" api:"id"`
	Bools  map[string]bool            `json:"bools"`
	Ints   map[string]int             `json:"ints"`
	Floats map[string]float64         `json:"floats"`
	Words  map[string]string          `json:"words"`
	Times  map[string]time.Time       `json:"times"`
	Bytes  map[string][]byte          `json:"bytes"`
	Maybe  map[string]*int            `json:"maybe"`
	Lists  map[string][]string        `json:"lists"`
	Places map[string]Address         `json:"places"`
	Maps   map[string]map[string]int  `json:"maps"`
	Any    map[string]any             `json:"any"`
	Raw    map[string]json.RawMessage `json:"raw"`
	Sizes  map[string]Sizes           `json:"sizes"`
	Counts map[string]json.Number     `json:"counts"`
}

// entries are values of the maps, by their fields.
var entries = map[string]string{
	"bools": `true`, "ints": `1`, "floats": `1.5`, "words": `"a"`, "times": `"2026-01-02T03:04:05Z"`, "bytes": `"AQI="`, "maybe": `1`,
	"lists": `["a"]`, "places": `{"city":"Rome","street":null}`, "maps": `{"x":1}`, "any": `{"x":1}`, "raw": `{"x":1}`,
	"sizes": `{"h":2,"w":1}`, "counts": `1.50`,
}

func TestANullRemovesAnEntryOfAMapOfAnyType(t *testing.T) {
	t.Parallel()
	operations := []operation.Operation{
		operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Patch{}, operation.Put{AllowCreate: true}, operation.Delete{},
	}
	spec.Alike(t, resource.Of[Shelf]{Operations: operations}, func(c spec.Client) {
		has := func(rule, want string) {
			c.T.Helper()
			if got := c.Send("GET /api/things/s", "").HasStatus(200).Body; !strings.Contains(got, want) {
				c.T.Errorf("%s: got %s, want %s", rule, got, want)
			}
		}
		c.Send("POST /api/things", `{"code":"s"}`).HasStatus(201)
		for field, value := range entries {
			quoted := `"` + field + `":`
			for _, method := range []string{"PATCH", "PUT"} {
				c.Send("PATCH /api/things/s", `{`+quoted+`{"a":`+value+`,"b":`+value+`}}`).HasStatus(200)
				c.Send(method+" /api/things/s", `{}`).HasStatus(200)
				has(method+" keeps "+field, quoted+`{"a":`+value+`,"b":`+value+`}`)
				c.Send(method+" /api/things/s", `{`+quoted+`{"b":`+value+`}}`).HasStatus(200)
				has(method+" keeps an entry of "+field, quoted+`{"a":`+value+`,"b":`+value+`}`)
				c.Send(method+" /api/things/s", `{`+quoted+`{"a":null,"unknown":null}}`).HasStatus(200)
				has(method+" removes an entry of "+field, quoted+`{"b":`+value+`}`)
			}
			body := `{` + quoted + `{"a":null,"b":` + value + `}}`
			c.Send("DELETE /api/things/s", "").HasStatus(204)
			c.Send("PUT /api/things/s", body).HasStatus(201)
			has("a Put that creates leaves out an entry of "+field, quoted+`{"b":`+value+`}`)
			c.Send("PUT /api/things/s", body).HasStatus(200)
			has("a Put that is repeated has the same effect on "+field, quoted+`{"b":`+value+`}`)
		}
	})
}

func TestAReplacingPutLeavesNoOmittedEntry(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Shelf]{ExtraProperties: map[string]any{"standard_put": true}})
	c.Send("POST /api/shelves", `{"code":"s","ints":{"a":1,"b":2},"any":{"a":1,"b":2}}`).HasStatus(201)
	c.Send("PUT /api/shelves/s", `{"code":"s","ints":{"b":3},"any":{"b":null}}`).HasStatus(200).Mentions(`"ints":{"b":3}`, `"any":{"b":null}`)
	c.Send("PUT /api/shelves/s", `{"code":"s","ints":{"b":null}}`).IsInvalid("ints[b]", "ints[b] must be an integer")
}
