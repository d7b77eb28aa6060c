package bodies_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

// Ledger has numbers in free JSON.
type Ledger struct {
	ID      int64                  `json:"id"`
	Note    string                 `json:"note"`
	Any     any                    `json:"any"`
	Free    map[string]any         `json:"free"`
	Raw     json.RawMessage        `json:"raw"`
	Number  json.Number            `json:"number"`
	Maybe   *json.Number           `json:"maybe"`
	Numbers []json.Number          `json:"numbers"`
	Named   map[string]json.Number `json:"named"`
}

func TestNumbersOfFreeJSONKeepTheirText(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Ledger]{}, func(c spec.Client) {
		const free = `{"big":9007199254740993,"cents":1.10,"deep":[-9223372036854775808,18446744073709551616,1e2,0.30000000000000000001]}`
		const want = `{"id":1,"note":"y","any":` + free + `,"free":` + free + `,"raw":` + free + `,"number":9007199254740993,"maybe":1.50,"numbers":[1.0,12345678901234567890],"named":{"a":1e3}}`
		c.Send("POST /api/things", strings.Replace(want, `"y"`, `"x"`, 1)).HasStatus(201)
		c.Send("PATCH /api/things/1", `{"note":"y"}`).HasStatus(200)
		check := func() {
			c.T.Helper()
			if got := c.Send("GET /api/things/1", "").Body; got != want+"\n" && got != want {
				c.T.Errorf("got %s, want %s", got, want)
			}
		}
		check()
		c.Send("PATCH /api/things/1", `{"any":{"new":1},"free":{"new":1}}`).HasStatus(200)
		c.Send("PATCH /api/things/1", `{"any":{"new":null},"free":{"new":null}}`).HasStatus(200)
		check()
		c.Send("PUT /api/things/1", `{"note":"y"}`).HasStatus(200)
		check()
		c.Send("PATCH /api/things/1", `{"any":1e999,"number":1e999,"maybe":"1","numbers":[null],"named":{"a":true}}`).IsInvalid(
			"any", "any must contain only numbers between -1.7976931348623157e308 and 1.7976931348623157e308",
			"number", "number must be a number between -1.7976931348623157e308 and 1.7976931348623157e308",
			"maybe", "maybe must be a number or null", "numbers[0]", "numbers[0] must be a number", "named[a]", "named[a] must be a number")
		c.Send("POST /api/things", `{"note":"zero"}`).HasStatus(201)
		c.Send("GET /api/things/2", "").Mentions(`"number":0`, `"maybe":null`, `"numbers":[]`)
	})
}
