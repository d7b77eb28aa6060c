package format_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
)

type Socket struct {
	Place string     `json:"place"`
	Since *time.Time `json:"since"`
	Wires struct {
		Count  int   `json:"count"`
		Colors []int `json:"colors"`
	} `json:"wires"`
}

type Part struct {
	Maker string `json:"maker"`
}

// Chandelier has a field of each kind that a record can have.
type Chandelier struct {
	Part

	ID       int64             `json:"id"`
	Bought   time.Time         `json:"bought"`
	Mended   *time.Time        `json:"mended"`
	Sold     time.Time         `json:"sold,omitzero"`
	Note     string            `json:"note,omitempty"`
	Seal     []byte            `json:"seal"`
	Lumen    uint64            `json:"lumen"`
	Height   float32           `json:"height"`
	Weight   float64           `json:"weight"`
	Floor    int8              `json:"floor"`
	Lit      *bool             `json:"lit"`
	Socket   Socket            `json:"socket"`
	Spare    *Socket           `json:"spare"`
	Sockets  []Socket          `json:"sockets"`
	Arms     map[string]Socket `json:"arms"`
	Plan     json.RawMessage   `json:"plan"`
	Any      any               `json:"any"`
	Grid     [][]int           `json:"grid"`
	Size     [3]int            `json:"size"`
	Names    []*string         `json:"names"`
	Switches []bool            `json:"switches"`
	Prices   []float64         `json:"prices"`
	Cleaned  []time.Time       `json:"cleaned"`
	Owner    *int64            `json:"owner" api:"ref=Lamp"`
	Lamps    []int64           `json:"lamps" validate:"max=3" api:"ref=Lamp"`
}

// What a client has read it can send back as it is, in any format, and nothing of the record has changed.
func TestWhatWasReadIsTakenBackInEveryFormat(t *testing.T) {
	t.Parallel()
	const needed = `"bought":"0001-01-01T00:00:00Z","socket":{"place":"","since":null,"wires":{"count":0,"colors":[]}},"size":[0,0,0]`
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		lamp := map[resource.References]string{resource.Paths: `"/api/lamps/1"`, resource.Identifiers: "1"}[references]
		c := newLamps(t, resource.Config{References: references}, resource.Of[Lamp]{}, resource.Of[Chandelier]{})
		c.Send("POST /api/lamps", `{"name":"a"}`).Mentions(http.StatusCreated)
		for name, body := range map[string]string{
			"all that there can be": `{"maker":"k","bought":"2026-01-02T03:04:05.123456+02:00","mended":"2026-01-02T00:00:00Z","sold":"2026-01-02T03:04:05Z","note":"x",
				"seal":"AP8=","lumen":9223372036854775807,"height":3.4e38,"weight":1e308,"floor":-128,"lit":false,
				"socket":{"place":"a, \"b\"","since":"2026-01-02T00:00:00Z","wires":{"count":-1,"colors":[1,-2]}},
				"spare":{"place":"","since":null,"wires":{"count":0,"colors":[3]}},"sockets":[{"place":"x","since":null,"wires":{"count":0,"colors":[]}}],
				"arms":{"a.b":{"place":"","since":null,"wires":{"count":0,"colors":[]}}},"plan":{"z":[1,null,{}]},"any":{"n":1.5,"b":[true]},
				"grid":[[1],[],[2,3]],"size":[1,2,3],"names":["a",null],"switches":[true,false],"prices":[1,2.5,1e300],"cleaned":["2026-01-02T03:04:05Z"],
				"owner":` + lamp + `,"lamps":[` + lamp + `]}`,
			"as little as there can be":   `{` + needed + `,"plan":null}`,
			"texts that look like others": `{` + needed + `,"maker":"null","note":"[1]","plan":"1","any":"true","names":["'=a","[x"],"seal":"+w=="}`,
			"texts that are formulas":     `{` + needed + `,"maker":"=1+1","note":"'-1","plan":"=x","any":"@x","names":["=1","-2"]}`,
			"texts that are blank":        `{` + needed + `,"maker":"  ","plan":"","any":"","names":["a b",""]}`,
			"lists of one":                `{` + needed + `,"plan":[],"any":[""],"names":["-1"],"prices":[-1],"grid":[[]]}`,
		} {
			made := c.Send("POST /api/chandeliers", body).Mentions(http.StatusCreated)
			at := made.Header.Get("Location")
			for _, in := range languages {
				read := c.Send("GET "+at+in.suffix, "").Mentions(http.StatusOK)
				for _, method := range []string{"PUT ", "PATCH "} {
					if sent := c.Send(method+at, read.Body, "Content-Type", in.mediaType); sent.Status != http.StatusOK || sent.Body != made.Body {
						t.Errorf("%s: %s%s of %q is answered by %d\n%s\nwant\n%s", name, method, in.suffix, read.Body, sent.Status, sent.Body, made.Body)
					}
				}
			}
		}
	}
}
