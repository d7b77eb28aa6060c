package openapi_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
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

// Account has a field of each kind, at the top level and in nested structs.
type Account struct {
	ID     int64             `json:"id"`
	Name   string            `json:"name" validate:"required"`
	Secret string            `json:"secret" validate:"required" api:"writeonly"`
	Since  string            `json:"since" api:"readonly"`
	Note   string            `json:"note,omitempty" validate:"omitempty,max=9"`
	Level  int               `json:"level" validate:"gte=1" default:"1"`
	Nick   *string           `json:"nick" validate:"omitempty,min=2"`
	Key    Key               `json:"key"`
	Spare  *Key              `json:"spare"`
	Old    []Key             `json:"old"`
	Others map[string]Key    `json:"others"`
	Tags   map[string]string `json:"tags" validate:"min=1,dive,max=5"`
}

// Key is a part of an account.
type Key struct {
	Label string `json:"label" validate:"required"`
	Code  string `json:"code" validate:"len=4" api:"writeonly"`
}

func TestEachRoleHasItsMembers(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, resource.Of[Account]{Operations: []operation.Operation{
		operation.Get{}, operation.Post{}, operation.Put{ExtraProperties: map[string]any{"standard_put": true}}, operation.Patch{},
	}}))
	all := []any{"id", "key", "level", "name", "nick", "note", "old", "others", "secret", "since", "spare", "tags"}
	tests := map[string]struct {
		schema   string
		members  []any
		required []any
	}{
		"answers show all but the secret":      {"Account", without(all, "secret"), []any{"id", "name", "since", "level", "nick", "key", "spare", "old", "others", "tags"}},
		"a creation needs what has no default": {"AccountCreate", all, []any{"name", "secret", "key", "tags"}},
		"a replacement keeps the secret":       {"AccountUpdate", all, []any{"name", "key", "tags"}},
		"a patch needs nothing":                {"AccountPatch", all, nil},
		"so do its parts: answers":             {"Key", []any{"label"}, []any{"label"}},
		"so do its parts: a creation":          {"KeyCreate", []any{"code", "label"}, []any{"label", "code"}},
		"so do its parts: a replacement":       {"KeyUpdate", []any{"code", "label"}, []any{"label"}},
		"so do its parts: a patch":             {"KeyPatch", []any{"code", "label"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema := tree(document.at(t, "components", "schemas", test.schema).(map[string]any))
			var members []any
			for _, member := range sortedKeys(schema.at(t, "properties").(map[string]any)) {
				members = append(members, member)
			}
			if diff := cmp.Diff(test.members, members); diff != "" {
				t.Errorf("the members differ (-want +got):\n%s", diff)
			}
			required, _ := schema["required"].([]any)
			if diff := cmp.Diff(test.required, required); diff != "" {
				t.Errorf("the required ones differ (-want +got):\n%s", diff)
			}
			var closed any
			if test.schema != "Account" && test.schema != "Key" {
				closed = false
			}
			if schema["additionalProperties"] != closed {
				t.Errorf("additionalProperties is %v, want %v", schema["additionalProperties"], closed)
			}
		})
	}
}

func TestPartsHaveTheRoleThatTheirPlaceGivesThem(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, resource.Of[Account]{Operations: []operation.Operation{
		operation.Get{}, operation.Post{}, operation.Put{ExtraProperties: map[string]any{"standard_put": true}}, operation.Patch{},
	}}))
	ref := func(name string) map[string]any { return map[string]any{"$ref": "#/components/schemas/" + name} }
	null := map[string]any{"type": "null"}
	list := func(of any) map[string]any { return map[string]any{"type": "array", "items": of} }
	dict := func(of any) map[string]any { return map[string]any{"type": "object", "additionalProperties": of} }
	either := func(of any) map[string]any { return map[string]any{"anyOf": []any{of, null}} }
	merged := func(of any) map[string]any {
		return map[string]any{
			"anyOf": []any{of, null}, "format": "merged", "description": "If there is no value yet, its required fields must be given.",
		}
	}
	tests := map[string]map[string]any{
		"Account": {"key": ref("Key"), "spare": either(ref("Key")), "old": list(ref("Key")), "others": dict(ref("Key"))},
		"AccountCreate": {
			"key": ref("KeyCreate"), "spare": either(ref("KeyCreate")), "old": list(ref("KeyCreate")), "others": dict(ref("KeyCreate")),
		},
		"AccountUpdate": {
			"key": ref("KeyUpdate"), "spare": either(ref("KeyCreate")), "old": list(ref("KeyCreate")), "others": dict(ref("KeyCreate")),
		},
		"AccountPatch": {
			"key": ref("KeyPatch"), "spare": merged(ref("KeyPatch")), "old": list(ref("KeyCreate")), "others": dict(merged(ref("KeyPatch"))),
		},
	}
	for schema, want := range tests {
		t.Run(schema, func(t *testing.T) {
			t.Parallel()
			for member, want := range want {
				got := document.at(t, "components", "schemas", schema, "properties", member)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s differs (-want +got):\n%s", member, diff)
				}
			}
		})
	}
}

func TestAMapInAPatchIsMerged(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, resource.Of[Account]{}))
	tests := map[string]map[string]any{
		"AccountCreate": {
			"type": "object", "minProperties": 1.0, "additionalProperties": map[string]any{"type": "string", "maxLength": 5.0},
		},
		"AccountPatch": {
			"type": "object", "format": "merged", "description": "Rules apply to the merged value.",
			"additionalProperties": map[string]any{"type": []any{"string", "null"}, "maxLength": 5.0},
		},
	}
	for schema, want := range tests {
		if diff := cmp.Diff(want, document.at(t, "components", "schemas", schema, "properties", "tags")); diff != "" {
			t.Errorf("tags of %s differ (-want +got):\n%s", schema, diff)
		}
	}
}

func TestAnswersStateRulesThatTheyAlwaysFollow(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, resource.Of[Account]{}))
	tests := map[string]struct {
		member string
		want   map[string]any
	}{
		"a rule that every record follows": {"name", map[string]any{"type": "string", "minLength": 1.0}},
		"one with a default too":           {"level", map[string]any{"type": "integer", "format": "int64", "minimum": 1.0}},
		"one that null passes":             {"nick", map[string]any{"type": []any{"string", "null"}, "minLength": 2.0}},
		"not one that empty values pass":   {"note", map[string]any{"type": "string"}},
		"read-only members are marked":     {"since", map[string]any{"type": "string", "readOnly": true}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := document.at(t, "components", "schemas", "Account", "properties", test.member)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s differs (-want +got):\n%s", test.member, diff)
			}
		})
	}
}

func TestAnswersOfHandlersStateNoRules(t *testing.T) {
	t.Parallel()
	type Summary struct {
		Key    Key      `json:"key"`
		Count  int      `json:"count" validate:"gte=1"`
		Word   *string  `json:"word" validate:"required"`
		Single *Account `json:"single"`
	}
	document := documentOf(t, mounted(t, resource.Of[Category]{Operations: only(body[struct{}, Summary]("sum"))}, resource.Of[Account]{}))
	want := map[string]any{
		"key":   map[string]any{"$ref": "#/components/schemas/Key"},
		"count": map[string]any{"type": "integer", "format": "int64"},
		"word":  map[string]any{"type": []any{"string", "null"}},
		"single": map[string]any{
			"anyOf": []any{map[string]any{"$ref": "#/components/schemas/Account"}, map[string]any{"type": "null"}},
		},
	}
	if diff := cmp.Diff(want, document.at(t, "components", "schemas", "Summary", "properties")); diff != "" {
		t.Errorf("the answer differs (-want +got):\n%s", diff)
	}
	label := document.at(t, "components", "schemas", "Key", "properties", "label")
	if diff := cmp.Diff(map[string]any{"type": "string"}, label); diff != "" {
		t.Errorf("a part that a handler answers with differs (-want +got):\n%s", diff)
	}
	name := document.at(t, "components", "schemas", "Account", "properties", "name")
	if diff := cmp.Diff(map[string]any{"type": "string", "minLength": 1.0}, name); diff != "" {
		t.Errorf("a resource that a handler answers with differs (-want +got):\n%s", diff)
	}
}

func without(list []any, element any) []any {
	var rest []any
	for _, e := range list {
		if e != element {
			rest = append(rest, e)
		}
	}
	return rest
}

// letter has required fields of any JSON.
type letter struct {
	ID      int64            `json:"id"`
	Subject string           `json:"subject" validate:"notblank"`
	Content json.RawMessage  `json:"content" validate:"required"`
	Value   jsontext.Value   `json:"value" validate:"required"`
	Any     any              `json:"any" validate:"required"`
	Maybe   *json.RawMessage `json:"maybe"`
	Parts   []part           `json:"parts" validate:"min=1"`
}

type part struct {
	Content json.RawMessage `json:"content" validate:"required"`
}

func TestABodyWithAnyJSONHasAnExample(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[letter]{ShortName: "Letter", ExtraProperties: map[string]any{"standard_put": true}})
	document := documentOf(t, api)
	path := create(t, api, document, "Letter")
	for _, method := range []string{"put", "patch"} {
		example := document.at(t, "paths", "/api/letters/{id}", method, "requestBody", "content", "application/json", "example")
		if tree(example.(map[string]any))["content"] == nil && method == "put" {
			t.Errorf("the example of %s is %v", method, example)
		}
		body, err := json.Marshal(example)
		if err != nil {
			t.Fatal(err)
		}
		if w := send(t, api, map[string]string{"put": http.MethodPut, "patch": http.MethodPatch}[method], path, string(body)); w.Code != http.StatusOK {
			t.Errorf("the example %s of %s returns %d: %s", body, method, w.Code, w.Body)
		}
	}
}

func TestABodyThatReplacesHasAnExampleWithoutFieldsOfTheCreation(t *testing.T) {
	t.Parallel()
	type ship struct {
		ID     int64  `json:"id"`
		Name   string `json:"name" validate:"notblank"`
		Serial string `json:"serial" validate:"notblank" api:"createonly"`
	}
	api := declared(t, resource.Config{}, resource.Of[ship]{
		View:            &operation.View{Name: "ShipCard", Fields: []string{"id", "name", "serial"}},
		ExtraProperties: map[string]any{"standard_put": true},
	})
	doc := documented(t, api, openapi.Config{})
	got := doc.Paths.Value("/api/ships/{id}").Put.RequestBody.Value.Content.Get("application/json").Example
	if diff := cmp.Diff(map[string]any{"name": "Name"}, got); diff != "" {
		t.Errorf("the example differs (-want +got):\n%s", diff)
	}
}
