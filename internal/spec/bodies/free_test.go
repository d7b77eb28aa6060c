package bodies_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Sizes marshals itself as an object, whose names are not those of its fields.
type Sizes struct{ width, height int }

func (s Sizes) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]int{"w": s.width, "h": s.height})
}

func (s *Sizes) UnmarshalJSON(text []byte) error {
	var read map[string]int
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	if s.width, s.height = read["w"], read["h"]; s.width < 0 {
		return errors.New("negative")
	}
	return nil
}

// Package has a field of each type whose JSON its own methods or its values decide.
type Package struct {
	ID    int64                      `json:"id"`
	Note  string                     `json:"note"`
	Any   any                        `json:"any"`
	Free  map[string]any             `json:"free"`
	Raw   json.RawMessage            `json:"raw"`
	Raws  map[string]json.RawMessage `json:"raws"`
	Sizes Sizes                      `json:"sizes"`
	Maybe *Sizes                     `json:"maybe"`
	All   map[string]Sizes           `json:"all"`
	Inner struct {
		Raw json.RawMessage `json:"raw"`
	} `json:"inner"`
	Behind *struct {
		Any any `json:"any"`
	} `json:"behind"`
	List []json.RawMessage `json:"list"`
}

const packed = `{"note":"x","any":{"a":1,"b":{"c":2,"d":3}},"free":{"a":1,"b":{"c":2,"d":3}},"raw":{"a":1,"b":{"c":2,"d":3}},` +
	`"raws":{"k":{"a":1,"b":2}},"sizes":{"w":1,"h":2},"maybe":{"w":1,"h":2},"all":{"k":{"w":1,"h":2}},` +
	`"inner":{"raw":{"a":1,"b":2}},"behind":{"any":{"a":1,"b":2}},"list":[{"a":1}]}`

func TestAPatchOfFreeJSONIsMerged(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Package]{}, func(c spec.Client) {
		for _, test := range []struct{ rule, patch, want string }{
			{"an any", `{"any":{"b":{"c":5}}}`, `"any":{"a":1,"b":{"c":5,"d":3}}`},
			{"a map of any", `{"free":{"b":{"c":5}}}`, `"free":{"a":1,"b":{"c":5,"d":3}}`},
			{"raw JSON", `{"raw":{"b":{"c":5}}}`, `"raw":{"a":1,"b":{"c":5,"d":3}}`},
			{"null removes from raw JSON", `{"raw":{"a":null,"b":{"c":null}}}`, `"raw":{"b":{"d":3}}`},
			{"an array in raw JSON is replaced", `{"raw":{"b":[null]}}`, `"raw":{"a":1,"b":[null]}`},
			{"an object replaces an array of raw JSON", `{"raw":[1]}`, `"raw":[1]`},
			{"an object replaces a scalar", `{"raw":{"b":{"e":{"x":null,"y":1}},"a":{"n":null}}}`, `"raw":{"a":{},"b":{"c":2,"d":3,"e":{"y":1}}}`},
			{"raw JSON in a map", `{"raws":{"k":{"b":null},"l":{"x":null,"y":1}}}`, `"raws":{"k":{"a":1},"l":{"y":1}}`},
			{"a type that marshals itself", `{"sizes":{"w":7}}`, `"sizes":{"h":2,"w":7}`},
			{"null removes what such a type has", `{"sizes":{"h":null}}`, `"sizes":{"h":0,"w":1}`},
			{"a nullable type that marshals itself", `{"maybe":{"w":7}}`, `"maybe":{"h":2,"w":7}`},
			{"null clears it", `{"maybe":null}`, `"maybe":null`},
			{"such a type in a map", `{"all":{"k":{"w":7},"l":{"w":8}}}`, `"all":{"k":{"h":2,"w":7},"l":{"h":0,"w":8}}`},
			{"raw JSON in an object", `{"inner":{"raw":{"a":null}}}`, `"inner":{"raw":{"b":2}}`},
			{"an any behind a pointer", `{"behind":{"any":{"a":null}}}`, `"behind":{"any":{"b":2}}`},
			{"a list is replaced", `{"list":[{"b":null}]}`, `"list":[{"b":null}]`},
		} {
			for _, method := range []string{"PATCH ", "PUT "} {
				path := c.Send("POST /api/things", packed).HasStatus(201).Header.Get("Location")
				c.Send(method+path, test.patch).HasStatus(200)
				if got := c.Send("GET "+path, "").HasStatus(200).Body; !strings.Contains(got, test.want) {
					c.T.Errorf("%s%s (%s): got %s, want %s", method, test.patch, test.rule, got, test.want)
				}
			}
		}
		c.Send("POST /api/things", packed).HasStatus(201)
		before := c.Send("GET /api/things/1", "").Body
		c.Send("PATCH /api/things/1", `{"sizes":{"w":-1}}`).IsInvalid("sizes", "sizes has an invalid format")
		c.Send("GET /api/things/1", "").Is(200, before)
	})
}

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
		c.Send("PATCH /api/things/1", `{"any":{"new":1},"free":{"new":1},"raw":{"new":1}}`).HasStatus(200)
		c.Send("PATCH /api/things/1", `{"any":{"new":null},"free":{"new":null},"raw":{"new":null}}`).HasStatus(200)
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

func TestEveryFormatMergesFreeJSON(t *testing.T) {
	t.Parallel()
	type Crate struct {
		ID    int64           `json:"id"`
		Raw   json.RawMessage `json:"raw"`
		Any   any             `json:"any"`
		Sizes Sizes           `json:"sizes"`
	}
	change := func(ctx context.Context, _ *Crate, all []operation.PatchOf[Crate]) (_ []*Crate, err error) {
		changed := make([]*Crate, len(all))
		for i := range all {
			if changed[i], err = all[i].Save(ctx); err != nil {
				return nil, err
			}
		}
		return changed, nil
	}
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format)}, resource.Of[Crate]{
		Operations: append(operation.Standard(), operation.Patch{Name: "several", URITemplate: "/crates", Handler: operation.Handle(change)}),
	})
	const values = `"raw":{"a":1,"b":9007199254740993},"any":{"a":1,"b":9007199254740993},"sizes":{"w":1,"h":2}`
	const patch = `"raw":{"a":null},"any":{"a":null},"sizes":{"w":7}`
	const want = `"raw":{"b":9007199254740993},"any":{"b":9007199254740993},"sizes":{"h":2,"w":7}`
	for mediaType, body := range map[string]string{
		"application/merge-patch+json": `{` + patch + `}`,
		"application/ld+json":          `{` + patch + `}`,
		"application/hal+json":         `{` + patch + `}`,
		"application/vnd.api+json":     `{"data":{"type":"crates","id":"1","attributes":{` + patch + `}}}`,
	} {
		path := c.Send("POST /api/crates", `{`+values+`}`).HasStatus(201).Header.Get("Location")
		c.Send("PATCH "+path, strings.Replace(body, `"id":"1"`, `"id":"`+path[strings.LastIndex(path, "/")+1:]+`"`, 1), "Content-Type", mediaType).HasStatus(200)
		if got := c.Send("GET "+path, "").Body; !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", mediaType, got, want)
		}
	}
	c.Send("POST /api/crates", `{`+values+`}`).HasStatus(201)
	c.Send("PATCH /api/crates", `[{"id":5,`+patch+`}]`).HasStatus(200).Mentions(want)
}

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
