package schema_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/internal/schema"
)

func TestSchemasAreWrittenInOrder(t *testing.T) {
	t.Parallel()
	book := &schema.Definition{Name: "Book"}
	shelf := &schema.Definition{Name: "Shelf", Schema: &schema.Schema{
		Type:       []string{schema.Object},
		Required:   []string{"zone", "books"},
		Properties: []schema.Property{{"zone", schema.Typed(schema.String)}, {"books", &schema.Schema{Items: &schema.Schema{Ref: book}}}},
	}}
	book.Schema = &schema.Schema{Type: []string{schema.Object}, AnyOf: []*schema.Schema{{Ref: shelf}, schema.Typed(schema.Null)}}
	tests := map[string]struct {
		schema *schema.Schema
		want   string
	}{
		"everything":                 {&schema.Schema{}, `{}`},
		"nothing":                    {schema.Nothing(), `false`},
		"members as they are listed": {shelf.Schema, `{"type":"object","required":["zone","books"],"properties":{"zone":{"type":"string"},"books":{"items":{"$ref":"#/$defs/Book"}}}}`},
		"keywords beside a reference": {
			&schema.Schema{Ref: book, Description: "The first.", ReadOnly: true}, `{"$ref":"#/$defs/Book","description":"The first.","readOnly":true}`,
		},
		"numbers with all their digits": {
			&schema.Schema{Min: "-9223372036854775808", ExclusiveMax: "18446744073709551615", Const: schema.ValueOf(uint64(1<<64 - 1))},
			`{"const":18446744073709551615,"minimum":-9223372036854775808,"exclusiveMaximum":18446744073709551615}`,
		},
		"values as they were given": {&schema.Schema{Default: []byte(`{"b":1.0,"a":[]}`), Examples: schema.ValuesOf[any](nil, "a")}, `{"default":{"b":1.0,"a":[]},"examples":[null,"a"]}`},
		"keywords of others":        {&schema.Schema{More: []schema.Keyword{{"x-b", []byte(`1`)}, {"if", []byte(`true`)}}}, `{"x-b":1,"if":true}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, textOf(t, test.schema)); diff != "" {
				t.Errorf("the JSON differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAResolvedSchemaIsSelfContained(t *testing.T) {
	t.Parallel()
	book, shelf := &schema.Definition{Name: "Book"}, &schema.Definition{Name: "Shelf"}
	book.Schema = &schema.Schema{Type: []string{schema.Object}, Properties: []schema.Property{{"shelf", &schema.Schema{Ref: shelf}}}}
	shelf.Schema = &schema.Schema{Type: []string{schema.Object}, Properties: []schema.Property{{"books", &schema.Schema{Type: []string{schema.Array}, Items: &schema.Schema{Ref: book}}}}}
	whole := (&schema.Schema{Ref: book, Required: []string{"shelf"}}).SelfContained()
	const want = `{"$ref":"#/$defs/Book","required":["shelf"],"$defs":{` +
		`"Book":{"type":"object","properties":{"shelf":{"$ref":"#/$defs/Shelf"}}},` +
		`"Shelf":{"type":"object","properties":{"books":{"type":"array","items":{"$ref":"#/$defs/Book"}}}}}}`
	if diff := cmp.Diff(want, string(whole)); diff != "" {
		t.Fatalf("the JSON differs (-want +got):\n%s", diff)
	}
	judge := compiled(t, string(whole))
	for text, allowed := range map[string]bool{`{"shelf":{"books":[{}]}}`: true, `{}`: false, `{"shelf":{"books":[1]}}`: false} {
		if got := judge.Validate(valueOf(t, text)) == nil; got != allowed {
			t.Errorf("%s is allowed: %v, want %v", text, got, allowed)
		}
	}
	if alone := schema.Typed(schema.Null).SelfContained(); string(alone) != `{"type":"null"}` {
		t.Errorf("a schema that refers to nothing is %s", alone)
	}
}

// texts are schemas with each of the keywords about a value itself.
var texts = []string{
	`true`, `false`, `{}`, `{"type":"string"}`, `{"type":["integer","null"]}`, `{"type":"number"}`, `{"const":1}`, `{"const":{"a":[1]}}`, `{"enum":["a",null,2]}`,
	`{"minLength":2,"maxLength":3}`, `{"pattern":"^a+$"}`, `{"minimum":1,"maximum":5}`, `{"exclusiveMinimum":1,"exclusiveMaximum":5.5}`,
	`{"minimum":9007199254740993}`, `{"maximum":-1e-3}`,
	`{"minItems":1,"maxItems":2}`, `{"uniqueItems":true}`, `{"minProperties":1,"maxProperties":1}`, `{"not":{"type":"string"}}`, `{"allOf":[{"minLength":1},{"maxLength":1}]}`, `{"anyOf":[{"type":"null"},{"minimum":3}]}`,
	`{"oneOf":[{"minimum":1},{"maximum":3}]}`, `{"format":"date"}`, `{"format":"date-time"}`, `{"format":"ipv4"}`, `{"format":"ipv6"}`,
	`{"title":"T","description":"D","readOnly":true,"writeOnly":true,"default":1,"examples":[2],"contentEncoding":"base64","contentMediaType":"a/b"}`,
}

// nested are schemas with each of the keywords about elements and fields.
var nested = []string{
	`{"items":{"type":"integer"}}`, `{"required":["a"]}`, `{"properties":{"a":{"type":"integer"}},"additionalProperties":false}`,
	`{"additionalProperties":{"minimum":2}}`, `{"propertyNames":{"maxLength":1}}`,
}

// instances are values to validate against the schemas.
var instances = []string{
	`null`, `true`, `0`, `1`, `1.0`, `2`, `3`, `5`, `5.5`, `-1`, `0.5`, `-0.001`, `9007199254740992`, `9007199254740993`, `18446744073709551615`, `1e400`, `""`, `"a"`, `"aa"`, `"éé"`, `"abcd"`,
	`"2026-01-15"`, `"2026-02-30"`, `"2026-01-15T09:30:00Z"`, `"192.0.2.1"`, `"2001:db8::1"`, `[]`, `[1]`, `[1,1.0]`, `["1",1]`, `[1,2,3]`, `[{"a":1},{"a":1}]`,
	`{}`, `{"a":1}`, `{"a":[1]}`, `{"a":"1"}`, `{"a":1,"b":2}`, `{"bb":3}`,
}

func TestSchemasAllowWhatTheSpecificationSays(t *testing.T) {
	t.Parallel()
	for _, text := range texts {
		s, judge := schemaOf(t, text), compiled(t, text)
		for _, instance := range instances {
			want := judge.Validate(valueOf(t, instance)) == nil
			if got := s.Allows(schema.Go([]byte(instance))); got != want && instance != `1e400` {
				t.Errorf("%s allows %s: %v, want %v", text, instance, got, want)
			}
		}
	}
}

func TestWhatIsReadIsWritten(t *testing.T) {
	t.Parallel()
	for _, text := range append(slices.Concat(texts, nested), `{"if":{"minimum":1},"x-a":{"b":[1.50]},"$ref":"#/a"}`) {
		s := schemaOf(t, text)
		again := schemaOf(t, textOf(t, s))
		if !s.Equal(again) {
			t.Errorf("%s is read as %s", text, textOf(t, again))
		}
		if other := schemaOf(t, `{"minLength":77}`); s.Equal(other) || s.Equal(nil) {
			t.Errorf("%s equals another schema", text)
		}
	}
}

func TestKeywordsWithValuesThatTheyCannotHave(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`1`, `{"type":1}`, `{"minimum":"1"}`, `{"minLength":-1}`, `{"maxItems":1.5}`, `{"pattern":1}`, `{"items":1}`, `{"anyOf":{}}`, `{"allOf":[1]}`, `{"properties":[]}`,
		`{"properties":{"a":1}}`, `{"required":"a"}`, `{"enum":1}`, `{"readOnly":1}`, `{"not":[]}`,
	} {
		if s, err := schema.Read([]byte(text)); err == nil {
			t.Errorf("%s is read as %s", text, textOf(t, s))
		}
	}
}

func TestNumbersAreComparedWithAllTheirDigits(t *testing.T) {
	t.Parallel()
	ordered := []schema.Decimal{"-1e400", "-9223372036854775808", "-9223372036854775807", "-0.1", "0", "1e-400", "1", "9007199254740992", "9007199254740993", "18446744073709551615", "1e400"}
	for i, a := range ordered {
		for j, b := range ordered {
			want := 0
			switch {
			case i < j:
				want = -1
			case i > j:
				want = 1
			}
			if got := a.Compare(b); got != want {
				t.Errorf("%s beside %s is %d, want %d", a, b, got, want)
			}
		}
	}
	if schema.Decimal("1.0").Compare("1") != 0 || schema.Decimal("").Compare("1") != 0 {
		t.Error("one is not one, or nothing is a number")
	}
}

func compiled(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) { return schema.Compile(pattern) })
	compiler.AssertFormat()
	const place = "https://example.com/schema.json"
	if err := compiler.AddResource(place, valueOf(t, text)); err != nil {
		t.Fatal(err)
	}
	made, err := compiler.Compile(place)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return made
}

func valueOf(t *testing.T, text string) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestPartsOfASchemaHaveItsTypes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, want string }{
		"a part without a type has that of the whole": {`{"type":"string","allOf":[{"format":"a"},{"format":"b"}]}`, `{"type":"string","allOf":[{"type":"string","format":"a"},{"type":"string","format":"b"}]}`},
		"a part with a type keeps it":                 {`{"type":["string","null"],"oneOf":[{"type":"string"}]}`, `{"type":["string","null"],"oneOf":[{"type":"string"}]}`},
		"null has a part of its own":                  {`{"type":["string","null"],"anyOf":[{"const":"a"},{"type":"null"}]}`, `{"type":["string","null"],"anyOf":[{"type":"string","const":"a"},{"type":"null"}]}`},
		"parts within parts":                          {`{"type":"integer","allOf":[{"anyOf":[{"minimum":1},{"maximum":0}]}]}`, `{"type":"integer","allOf":[{"type":"integer","anyOf":[{"type":"integer","minimum":1},{"type":"integer","maximum":0}]}]}`},
		"without a type nothing changes":              {`{"anyOf":[{"minimum":1},{"type":"string"},true]}`, `{"anyOf":[{"minimum":1},{"type":"string"},true]}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			of := schemaOf(t, test.schema)
			for range 2 { // writing changes nothing
				if got := textOf(t, of); got != test.want {
					t.Errorf("the schema is %s, want %s", got, test.want)
				}
			}
		})
	}
}

func TestAnEnumerationHasNoLimitsThatItsValuesFollow(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"type":"string","enum":["a","bc"],"minLength":1,"maxLength":2,"pattern":"\\S","format":"x"}`: `{"type":"string","format":"x","enum":["a","bc"]}`,
		`{"type":"integer","enum":[1,2],"minimum":1,"exclusiveMaximum":3}`:                             `{"type":"integer","enum":[1,2]}`,
		`{"type":"string","enum":["a","bc"],"maxLength":1}`:                                            `{"type":"string","enum":["a","bc"],"maxLength":1}`,
		`{"type":"string","minLength":1}`:                                                              `{"type":"string","minLength":1}`,
		`{"enum":[["a"]],"minItems":1}`:                                                                `{"enum":[["a"]],"minItems":1}`,
	} {
		of := schemaOf(t, text)
		of.DropImplied()
		if got := textOf(t, of); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

func TestTextsAreTheValuesOfAnEnumeration(t *testing.T) {
	t.Parallel()
	values := append(schema.ValuesOf(`"old"`, `5"`, `a\b`, "ä", "null"), schema.ValueOf(nil), schema.ValueOf(7))
	want := []string{`"old"`, `5"`, `a\b`, "ä", "null", "7"}
	for _, of := range []*schema.Schema{{Enum: values}, {Items: &schema.Schema{Enum: values}}} {
		if got := of.Texts(); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
