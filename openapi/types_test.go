package openapi_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"net/netip"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// Money marshals itself as JSON.
type Money struct{ cents int64 }

// MarshalJSON writes the amount and the currency.
func (m Money) MarshalJSON() ([]byte, error) { return json.Marshal([]any{m.cents, "EUR"}) }

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Money) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&m.cents, new(string)})
}

// Colour marshals itself as text, but not its zero value.
type Colour struct{ name string }

// MarshalText writes the name.
func (c Colour) MarshalText() ([]byte, error) {
	if c.name == "" {
		return nil, errors.New("no colour")
	}
	return []byte(c.name), nil
}

// UnmarshalText reads any name.
func (c *Colour) UnmarshalText(text []byte) error {
	c.name = string(text)
	return nil
}

// Measures has types that marshal themselves.
type Measures struct {
	ID      int64           `json:"id"`
	Price   Money           `json:"price"`
	Network netip.Prefix    `json:"network"`
	Ref     uuid.UUID       `json:"ref"`
	Exact   *big.Int        `json:"exact"`
	Raw     json.RawMessage `json:"raw"`
	Any     any             `json:"any"`
	Colour  Colour          `json:"colour" example:"red"`
	Tint    *Colour         `json:"tint"`
}

func TestTypesThatMarshalThemselves(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, resource.Of[Measures]{}))
	want := map[string]any{
		"id":      map[string]any{"readOnly": true},
		"price":   map[string]any{"format": "money"},
		"network": map[string]any{"type": "string", "format": "prefix"},
		"ref":     map[string]any{"type": "string", "format": "uuid"},
		"exact":   map[string]any{"format": "int"},
		"raw":     map[string]any{},
		"any":     map[string]any{},
		"colour":  map[string]any{"type": "string", "format": "colour", "examples": []any{"red"}},
		"tint":    map[string]any{"type": []any{"string", "null"}, "format": "colour"},
	}
	if diff := cmp.Diff(want, document.at(t, "components", "schemas", "MeasuresCreate", "properties")); diff != "" {
		t.Errorf("the schemas differ (-want +got):\n%s", diff)
	}
	example := map[string]any{
		"id": 1.0, "price": []any{0.0, "EUR"}, "network": "", "ref": "01890a5d-ac96-774b-bcce-b302099a8057", "exact": 0.0,
		"raw": "anything", "any": "anything", "colour": "red", "tint": nil,
	}
	got := document.at(t, "paths", "/api/measures/{id}", "get", "responses", "200", "content", "application/json", "example")
	if diff := cmp.Diff(example, got); diff != "" {
		t.Errorf("the example differs (-want +got):\n%s", diff)
	}
}

// Dragon has fields with the user's own rules.
type Dragon struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"draconic" doc:"What it answers to"`
	Title string `json:"title" validate:"max=9,titled=Sir"`
	Kind  string `json:"kind" validate:"plain,alpha"`
}

func ownRules() []validation.Rule {
	follows := func(prefix string) validator.Func {
		return func(fl validator.FieldLevel) bool { return strings.HasPrefix(fl.Field().String(), prefix) }
	}
	return []validation.Rule{
		{Name: "draconic", Check: follows("Dr"), Schema: map[string]any{"pattern": "^Dr", "maxLength": 20}},
		{Name: "titled", Check: follows("Sir"), Message: `must begin with {param}`},
		{Name: "plain", Check: follows("")},
	}
}

func TestOwnRulesAreSaid(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{config: resource.Config{Rules: ownRules()}, declarations: []resource.Declaration{resource.Of[Dragon]{}}})
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	document := documentOf(t, api)
	want := map[string]any{
		"id":    map[string]any{"readOnly": true},
		"name":  map[string]any{"type": "string", "pattern": "^Dr", "maxLength": 20.0, "description": "What it answers to"},
		"title": map[string]any{"type": "string", "maxLength": 9.0, "format": "titled", "description": "Must begin with Sir."},
		"kind": map[string]any{
			"type": "string", "pattern": "^[A-Za-z]+$", "format": "plain", "description": `Must follow the rule "plain".`,
		},
	}
	if diff := cmp.Diff(want, document.at(t, "components", "schemas", "DragonCreate", "properties")); diff != "" {
		t.Errorf("the schemas differ (-want +got):\n%s", diff)
	}
}

func TestSchemasOfOwnRulesAreChecked(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		schema map[string]any
		want   string
	}{
		"a keyword of the wrong type": {map[string]any{"maxLength": "long"}, `rule "draconic": Schema: `},
		"a pattern that is none":      {map[string]any{"type": "string", "pattern": "["}, `rule "draconic": Schema: `},
		"an unknown keyword":          {map[string]any{"maxLenght": 3}, `rule "draconic": Schema: unknown JSON Schema keyword "maxLenght"`},
		"what is not JSON":            {map[string]any{"const": make(chan int)}, `rule "draconic": Schema: `},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := ownRules()
			rules[0].Schema = test.schema
			api := newAPI(t, configuration{config: resource.Config{Rules: rules}, declarations: []resource.Declaration{resource.Of[Dragon]{}}})
			if _, err := openapi.Document(api, openapi.Config{}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want %s", err, test.want)
			}
		})
	}
}
