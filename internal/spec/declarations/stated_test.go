package declarations_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
)

// Colour is a named string that states its form.
type Colour string

func (Colour) JSONSchema() map[string]any {
	return map[string]any{"pattern": "^#[0-9a-f]{6}$", "examples": []string{"#ff8800"}}
}

// Percent is a named integer that states its limits.
type Percent int

func (Percent) JSONSchema() map[string]any {
	return map[string]any{"type": "integer", "minimum": 0, "maximum": 100, "description": "Of the whole."}
}

// Plate marshals itself as text. It reads any case, and its schema states one.
type Plate struct{ text string }

var plates = regexp.MustCompile("^[A-Za-z]{1,3}-[0-9]{1,4}$")

func (p Plate) MarshalText() ([]byte, error) { return []byte(p.text), nil }

func (p *Plate) UnmarshalText(text []byte) error {
	if !plates.Match(text) {
		return errors.New("not a plate")
	}
	p.text = strings.ToUpper(string(text))
	return nil
}

func (Plate) JSONSchema() map[string]any {
	return map[string]any{"pattern": "^[A-Z]{1,3}-[0-9]{1,4}$", "examples": []string{"B-42"}}
}

// Point marshals itself as JSON.
type Point struct{ x, y int }

func (p Point) MarshalJSON() ([]byte, error) {
	return []byte(`[` + strings.Repeat("1", min(p.x, 1)) + strings.Repeat("0", 1-min(p.x, 1)) + `,0]`), nil
}

func (p *Point) UnmarshalJSON(text []byte) error {
	p.x = strings.Count(string(text), "1")
	return nil
}

func (Point) JSONSchema() map[string]any {
	return map[string]any{"type": "array", "minItems": 2, "maxItems": 2, "items": map[string]any{"type": "integer"}, "examples": []any{[]int{1, 0}}}
}

// Van has fields of types that state their schemas.
type Van struct {
	ID     int64    `json:"id"`
	Colour Colour   `json:"colour" api:"filter"`
	Second *Colour  `json:"second"`
	Load   Percent  `json:"load" validate:"gte=10" api:"filter=range"`
	Plate  Plate    `json:"plate" api:"filter"`
	All    []Colour `json:"all"`
	At     Point    `json:"at"`
}

func TestValuesFollowTheSchemaThatTheirTypeStates(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Van]{}, func(c spec.Client) {
		const one = `{"colour":"#00ff00","second":null,"load":50,"plate":"B-1","all":["#000000"],"at":[1,0]}`
		c.Send("POST /api/things", one).HasStatus(201)
		c.Send("GET /api/things/1", "").Is(200, `{"id":1,`+one[1:])
		for _, test := range []struct{ body, field, message string }{
			{`{"colour":"red"}`, "colour", "colour has an invalid format"},
			{`{"second":"red"}`, "second", "second has an invalid format"},
			{`{"load":101}`, "load", "load has a value that is not allowed"},
			{`{"load":5}`, "load", "load must be at least 10"},
			{`{"plate":"b-1"}`, "plate", "plate has an invalid format"},
			{`{"plate":"nothing"}`, "plate", "plate has an invalid format"},
			{`{"all":["#000000","x"]}`, "all[1]", "all[1] has an invalid format"},
			{`{"at":[1]}`, "at", "at has a value that is not allowed"},
			{`{"colour":7}`, "colour", "colour must be a string"},
		} {
			c.Send("PATCH /api/things/1", test.body).IsInvalid(test.field, test.message)
		}
		c.Send("PATCH /api/things/1", `{"second":"#ffffff"}`).HasStatus(200)
		c.Send("PATCH /api/things/1", `{"second":null}`).HasStatus(200)
		c.Send("GET /api/things?colour=red", "").IsProblem(400)
		c.Send("GET /api/things?colour=%2300ff00&load[lt]=60&plate=B-1", "").HasStatus(200).Mentions(`"id":1`)
	})
}

func TestDocumentsHaveTheSchemasThatTypesState(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Van]{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(openapi.Mount(api, openapi.Config{Title: "Vans", Version: "1"}), mcp.Mount(api, mcp.Config{})); err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("GET /api/docs.json", "").HasStatus(200).Mentions(
		`"pattern":"^#[0-9a-f]{6}$"`, `"pattern":"^[A-Z]{1,3}-[0-9]{1,4}$"`, `"#ff8800"`, `"maximum":100`, `"minItems":2`, "Of the whole.")
	openapitest.Conform(t, api)
}

type badKeyword string

func (badKeyword) JSONSchema() map[string]any { return map[string]any{"patern": "a", "minimum": 1} }

type badPattern string

func (badPattern) JSONSchema() map[string]any { return map[string]any{"pattern": "(?=a)["} }

type badType int

func (badType) JSONSchema() map[string]any { return map[string]any{"type": "string"} }

type badExample string

func (badExample) JSONSchema() map[string]any {
	return map[string]any{"pattern": "^a$", "examples": []string{"b"}}
}

type badLimits int

func (badLimits) JSONSchema() map[string]any { return map[string]any{"minimum": 2, "maximum": 1} }

type badPanic string

func (badPanic) JSONSchema() map[string]any { panic("no value") }

type badStruct struct{ A int }

func (badStruct) JSONSchema() map[string]any { return map[string]any{"type": "object"} }

type badValue string

func (badValue) JSONSchema() map[string]any { return map[string]any{"examples": func() {}} }

func TestMistakesInStatedSchemasAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	type crate struct {
		ID      int64      `json:"id"`
		Keyword badKeyword `json:"keyword"`
		Pattern badPattern `json:"pattern"`
		Type    badType    `json:"type"`
		Example badExample `json:"example"`
		Limits  badLimits  `json:"limits"`
		Panic   badPanic   `json:"panic"`
		Struct  badStruct  `json:"struct"`
		Value   badValue   `json:"value"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[crate]{})
	const of = "JSONSchema of the type declarations_test."
	for _, want := range []string{
		"crate.Keyword: " + of + `badKeyword has the unknown keyword "patern"; did you mean "pattern"`,
		"crate.Keyword: " + of + `badKeyword has the keyword "minimum", which is for the type "number"; its JSON has the type "string"`,
		"crate.Pattern: " + of + `badPattern has the pattern "(?=a)[", which is not a regular expression that Trove supports`,
		"crate.Type: " + of + `badType has the type "string", but its JSON has the type "integer"`,
		"crate.Example: " + of + `badExample has the value "b", which is not a valid one`,
		"crate.Limits: " + of + "badLimits has a maximum that is less than minimum",
		"crate.Panic: " + of + "badPanic panics on its zero value: no value",
		"crate.Struct: " + of + "badStruct has no effect, because its fields or elements describe it",
		"crate.Value: " + of + "badValue has a value without a form in JSON",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v\nwant %s", err, want)
		}
	}
}
