package openapi

import (
	"errors"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/schema"
)

// TestSchemasAreWrittenWithAllTheirKeywords writes schemas, of which kin-openapi must then read what it reads of their
// own JSON.
func TestSchemasAreWrittenWithAllTheirKeywords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{}`, `{"type":"string"}`, `{"type":["integer","null"],"format":"int64","title":"T","description":"D"}`, `{"readOnly":true,"writeOnly":true}`,
		`{"const":1}`, `{"const":{"a":[1]}}`, `{"enum":["a",null,2,1.5,9007199254740993]}`, `{"default":false,"examples":[{"b":1,"a":null}]}`,
		`{"minLength":2,"maxLength":3,"pattern":"^a+$"}`, `{"minLength":0,"maxLength":0}`, `{"contentEncoding":"base64","contentMediaType":"a/b"}`,
		`{"minimum":1,"maximum":5.5}`, `{"exclusiveMinimum":-1e-3,"exclusiveMaximum":5}`, `{"minItems":1,"maxItems":2,"uniqueItems":true,"items":{"type":"integer"}}`,
		`{"minProperties":1,"maxProperties":1,"required":["b","a"],"properties":{"b":{"type":"integer"},"a":true},"additionalProperties":false}`,
		`{"additionalProperties":true}`, `{"additionalProperties":{"minimum":2},"propertyNames":{"maxLength":1}}`,
		`{"not":{"type":"string"},"allOf":[{"minLength":1},{"maxLength":1}],"anyOf":[{"type":"null"},{"minimum":3}],"oneOf":[{"minimum":1}]}`,
		`{"$ref":"#/components/schemas/A"}`, `{"$ref":"#/components/schemas/A","description":"D","minimum":1,"anyOf":[{"$ref":"#/components/schemas/B"}]}`,
		`{"if":{"minimum":1},"then":{"multipleOf":2},"x-own":{"b":[1],"a":2},"dependentRequired":{"a":["b"]},"deprecated":true}`,
	} {
		of, err := schema.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		written, err := write(of, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(marshalled(t, of), canonical(t, written)); diff != "" {
			t.Errorf("%s differs (-read +written):\n%s", text, diff)
		}
		var read, made openapi3.SchemaRef
		if err := errors.Join(read.UnmarshalJSON([]byte(text)), made.UnmarshalJSON(written)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(marshalled(t, &read), marshalled(t, &made)); diff != "" {
			t.Errorf("kin-openapi reads something else in %s (-read +written):\n%s", text, diff)
		}
	}
}

func marshalled(t *testing.T, part interface{ MarshalJSON() ([]byte, error) }) string {
	t.Helper()
	text, err := part.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return canonical(t, text)
}

func canonical(t *testing.T, text []byte) string {
	t.Helper()
	value := jsontext.Value(text).Clone()
	if err := value.Canonicalize(); err != nil {
		t.Fatal(err)
	}
	return value.String()
}

func TestDefinitionsAreReferredToByTheirNames(t *testing.T) {
	t.Parallel()
	book := &schema.Definition{Name: "Book", Schema: schema.Typed(schema.Object)}
	for _, test := range []struct {
		of   *schema.Schema
		want string
	}{
		{&schema.Schema{Ref: book}, `{"$ref":"#/components/schemas/Book"}`},
		{&schema.Schema{Ref: book, Description: "D"}, `{"$ref":"#/components/schemas/Book","description":"D"}`},
		{&schema.Schema{Items: &schema.Schema{Ref: book}}, `{"items":{"$ref":"#/components/schemas/Book"}}`},
	} {
		written, err := write(test.of, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := canonical(t, written); test.want != got {
			t.Errorf("%s is written as %s", test.want, got)
		}
	}
}

func TestFieldsAreInAnOrderForReaders(t *testing.T) {
	t.Parallel()
	definitions := [][]string{{"name", "animals"}, {"name", "age", "animals"}}
	text := func(s string) []any { return []any{s} }
	for name, test := range map[string]struct {
		value any
		want  string
	}{
		"keywords as people read them": {
			&schema.Schema{Type: []string{"string"}, Format: "date", Description: "D", MinLength: 1, MaxLength: new(uint64(9)), ReadOnly: true},
			`{"type":"string","format":"date","description":"D","readOnly":true,"minLength":1,"maxLength":9}`,
		},
		"properties in the order of fields": {
			&schema.Schema{Properties: []schema.Property{{Name: "b", Schema: &schema.Schema{}}, {Name: "a", Schema: &schema.Schema{}}}},
			`{"properties":{"b":{},"a":{}}}`,
		},
		"examples like the smallest schema with their fields": {
			map[string]any{"animals": []any{map[string]any{"animals": []any{}, "age": int64(3), "name": "Bo"}}, "name": "Zoo"},
			`{"name":"Zoo","animals":[{"name":"Bo","age":3,"animals":[]}]}`,
		},
		"other examples by name": {map[string]any{"type": "b", "name": "c", "format": "a"}, `{"format":"a","name":"c","type":"b"}`},
		"objects of the builder without what they lack": {
			object{{"b", ""}, {"a", text("x")}, {"c", false}, {"d", literal{false}}, {"e", object{}}}, `{"a":["x"],"d":false,"e":{}}`,
		},
	} {
		written, err := write(test.value, definitions)
		got := jsontext.Value(written)
		if err := errors.Join(err, got.Compact()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got.String()); diff != "" {
			t.Errorf("%s: the order differs (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatIsNotJSONIsAnError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{`, `{"a":`, `{"a":1,}`, `[1,`, `[`, `tru`, `{"a":[1,{]}`} {
		if got, err := readJSON([]byte(text)); err == nil {
			t.Errorf("%s is read as %v", text, got)
		}
		if _, err := writeYAML([]byte(text)); err == nil {
			t.Errorf("%s is written as YAML", text)
		}
	}
}

func FuzzReadingAndWritingLosesNothing(f *testing.F) {
	f.Add([]byte(`{"paths":{"/a":{"get":{"example":{"b":[1,{"c":null}]}}}},"openapi":"3"}`))
	f.Add([]byte(`[{"b":1,"a":"\u2028"},-0.5e-7,true]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if !jsontext.Value(text).IsValid() {
			t.Skip("not JSON")
		}
		value, err := readJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		written, err := write(value, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, want := jsontext.Value(written), jsontext.Value(text).Clone()
		if err := errors.Join(got.Compact(), want.Compact()); err != nil {
			t.Fatal(err)
		}
		if got.Canonicalize() != nil || want.Canonicalize() != nil {
			t.Skip("has no canonical form")
		}
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Errorf("values differ (-want +got):\n%s", diff)
		}
	})
}
