package openapi

import (
	"errors"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	yaml "github.com/oasdiff/yaml3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
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
		if diff := cmp.Diff(canonical(t, of.Text(placeOfSchemas)), canonical(t, written)); diff != "" {
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

func TestYAMLIsPlainWhereItCanBe(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ document, want string }{
		"members keep their order":           {`{"b":1,"a":{"d":true,"c":null}}`, "b: 1\na:\n  d: true\n  c: null\n"},
		"lists are indented":                 {`{"a":[1,{"b":2}]}`, "a:\n  - 1\n  - b: 2\n"},
		"empty ones stay in a line":          {`{"a":[],"b":{}}`, "a: []\nb: {}\n"},
		"words are plain":                    {`{"a":"some words"}`, "a: some words\n"},
		"numbers keep their text":            {`{"a":1e+21,"b":0.10}`, "a: 1e+21\nb: 0.10\n"},
		"text like a number is quoted":       {`{"a":"1","b":"1.0","200":"x"}`, "a: \"1\"\nb: \"1.0\"\n\"200\": x\n"},
		"text like a value is quoted":        {`{"a":"true","b":"null","c":"~"}`, "a: \"true\"\nb: \"null\"\nc: \"~\"\n"},
		"old booleans are quoted":            {`{"a":"yes","b":"NO","c":"On","d":"y"}`, "a: \"yes\"\nb: \"NO\"\nc: \"On\"\nd: \"y\"\n"},
		"old numbers are quoted":             {`{"a":"12:30","b":"1:30:45.5"}`, "a: \"12:30\"\nb: \"1:30:45.5\"\n"},
		"times are quoted":                   {`{"a":"2026-01-02T15:04:05Z"}`, "a: \"2026-01-02T15:04:05Z\"\n"},
		"unusual spaces are escaped":         {`{"a":"\u2028\u0085"}`, "a: \"\\L\\N\"\n"},
		"references and braces are quoted":   {`{"$ref":"#/a","b":"{id}"}`, "$ref: '#/a'\nb: '{id}'\n"},
		"lines stand one by one":             {`{"a":"one\n  two\n"}`, "a: |\n  one\n    two\n"},
		"but not around spaces":              {`{"a":" one\ntwo"}`, "a: \" one\\ntwo\"\n"},
		"nor for a break alone":              {`{"a":"\n"}`, "a: \"\\n\"\n"},
		"a value that is no object is whole": {`"a"`, "a\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := writeYAML([]byte(test.document))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("YAML differs (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzYAMLKeepsText(f *testing.F) {
	for _, text := range []string{"", "yes", "0x1F", "1_000", "a: b", "- a", "\t", " a", "a ", "line\nbreak", "\r\n", "'", `"`, "\u2028", "\ufeff", "<<", "=", "12:30", "é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		document, err := json.Marshal(map[string]any{"key": text, "list": []string{text}})
		if err != nil {
			t.Skip("not UTF-8")
		}
		written, err := writeYAML(document)
		if err != nil {
			t.Fatal(err)
		}
		var read struct {
			Key  any   `yaml:"key"`
			List []any `yaml:"list"`
		}
		if err := yaml.Unmarshal(written, &read); err != nil {
			t.Fatalf("%q cannot be read: %v", written, err)
		}
		if read.Key != text || len(read.List) != 1 || read.List[0] != text {
			t.Errorf("%q is read as %q and %q", text, read.Key, read.List)
		}
	})
}

func TestSchemasInTheOlderForm(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ newer, older string }{
		"null beside a type is a mark":       {`{"type":["string","null"]}`, `{"nullable":true,"type":"string"}`},
		"null alone is the one value":        {`{"type":"null"}`, `{"enum":[null],"nullable":true,"type":"object"}`},
		"several types are alternatives":     {`{"type":["string","integer"]}`, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`},
		"null is a mark on each alternative": {`{"type":["string","integer","null"]}`, `{"anyOf":[{"nullable":true,"type":"string"},{"nullable":true,"type":"integer"}],"nullable":true}`},
		"alternatives stay beside others":    {`{"type":["string","integer"],"anyOf":[{"minLength":1}]}`, `{"allOf":[{"anyOf":[{"type":"string"},{"type":"integer"}]}],"anyOf":[{"minLength":1}]}`},
		"an array has elements":              {`{"type":"array"}`, `{"items":{"nullable":true},"type":"array"}`},
		"a constant is the only value":       {`{"const":"a"}`, `{"enum":["a"]}`},
		"numbers have all their digits":      {`{"const":9007199254740993,"example":18446744073709551615}`, `{"enum":[9007199254740993],"example":18446744073709551615}`},
		"the first example stays":            {`{"type":"string","examples":["a","b"]}`, `{"example":"a","type":"string"}`},
		"an example goes before examples":    {`{"type":"string","example":null,"examples":["b"]}`, `{"example":null,"type":"string"}`},
		"an exclusive limit is a mark":       {`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":2.5}`, `{"exclusiveMaximum":true,"exclusiveMinimum":true,"maximum":2.5,"minimum":0,"type":"number"}`},
		"two limits are two parts":           {`{"type":"number","exclusiveMinimum":1,"minimum":0}`, `{"allOf":[{"exclusiveMinimum":true,"minimum":1}],"minimum":0,"type":"number"}`},
		"Base64 is a format":                 {`{"type":"string","contentEncoding":"base64"}`, `{"format":"byte","type":"string"}`},
		"a format beside Base64 stays":       {`{"type":"string","contentEncoding":"base64","format":"length"}`, `{"allOf":[{"format":"length"}],"format":"byte","type":"string"}`},
		"a record's address has one format":  {`{"type":["string","null"],"format":"iri-reference","allOf":[{"format":"existing"},{"type":["string","null"],"format":"path-identifier"}]}`, `{"format":"iri-reference","nullable":true,"type":"string"}`},
		"what else it must be stays":         {`{"type":"string","format":"existing","allOf":[{"format":"a","minLength":1},{"format":"b"}]}`, `{"allOf":[{"format":"a","minLength":1}],"format":"existing","type":"string"}`},
		"a reference alone stays":            {`{"$ref":"#/a"}`, `{"$ref":"#/a"}`},
		"a reference with words is a part":   {`{"$ref":"#/a","description":"A.","allOf":[{"$ref":"#/b"}]}`, `{"allOf":[{"$ref":"#/a"},{"$ref":"#/b"}],"description":"A."}`},
		"a reference or null":                {`{"anyOf":[{"$ref":"#/a"},{"type":"null"}]}`, `{"allOf":[{"$ref":"#/a"}],"nullable":true}`},
		"two references or null":             {`{"oneOf":[{"$ref":"#/a"},{"$ref":"#/b"},{"type":"null"}]}`, `{"nullable":true,"oneOf":[{"$ref":"#/a"},{"$ref":"#/b"}]}`},
		"a choice or null":                   {`{"type":["integer","null"],"enum":[1,2,null]}`, `{"allOf":[{"enum":[1,2],"type":"integer"}],"nullable":true}`},
		"entries that are anything":          {`{"type":"object","additionalProperties":{}}`, `{"additionalProperties":true,"type":"object"}`},
		"anything is null, too":              {`{"description":"Any."}`, `{"description":"Any.","nullable":true}`},
		"all and nothing are objects":        {`{"properties":{"a":true,"b":false},"type":"object"}`, `{"properties":{"a":{"nullable":true},"b":{"not":{"nullable":true}}},"type":"object"}`},
		"other members are as they were":     {`{"additionalProperties":false,"type":"object"}`, `{"additionalProperties":false,"type":"object"}`},
		"schemas are rewritten at any depth": {
			`{"type":"object","additionalProperties":{"type":"array","items":{"not":{"const":1}}},"properties":{"const":{"const":2}}}`,
			`{"additionalProperties":{"items":{"not":{"enum":[1]}},"type":"array"},"properties":{"const":{"enum":[2]}},"type":"object"}`,
		},
		"values are no schemas": {`{"type":"object","default":{"const":1},"enum":[{"type":["null"]}]}`, `{"default":{"const":1},"enum":[{"type":["null"]}],"type":"object"}`},
		"remarks are left out":  {`{"type":"string","$comment":"x","$id":"y","contentMediaType":"application/json"}`, `{"type":"string"}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.older, rewritten(t, test.newer)); diff != "" {
				t.Errorf("the schema differs (-want +got):\n%s", diff)
			}
		})
	}
}

// A keyword that OpenAPI 3.0 lacks is omitted and described, together with all keywords that would reject more without
// it.
func TestKeywordsThatTheOlderFormDoesNotHave(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ newer, kept, described string }{
		"names":                         {`{"type":"object","propertyNames":{"pattern":"a"}}`, `{"format":"conditions","type":"object"}`, `{"propertyNames":{"pattern":"a"}}`},
		"after what is described":       {`{"description":"A","if":true,"then":{"const":1}}`, `{"format":"conditions","nullable":true}`, `{"if":true,"then":{"const":1}}`},
		"beside another format":         {`{"format":"uuid","$dynamicRef":"#a"}`, `{"allOf":[{"format":"conditions"}],"format":"uuid"}`, `{"$dynamicRef":"#a"}`},
		"names and what others must be": {`{"type":"object","additionalProperties":false,"patternProperties":{"^a":true}}`, `{"format":"conditions","type":"object"}`, `{"additionalProperties":false,"patternProperties":{"^a":true}}`},
		"first elements and the others": {`{"type":"array","items":false,"prefixItems":[true]}`, `{"format":"conditions","items":{"nullable":true},"type":"array"}`, `{"items":false,"prefixItems":[true]}`},
		"inside of not":                 {`{"type":"array","not":{"contains":{"const":1}}}`, `{"format":"conditions","items":{"nullable":true},"type":"array"}`, `{"not":{"contains":{"const":1}}}`},
		"deep inside of oneOf":          {`{"type":"object","oneOf":[{"properties":{"default":{"dependentRequired":{"a":["b"]}}}},{"const":{}}]}`, `{"format":"conditions","type":"object"}`, `{"oneOf":[{"properties":{"default":{"dependentRequired":{"a":["b"]}}}},{"const":{}}]}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got map[string]any
			if err := json.Unmarshal([]byte(rewritten(t, test.newer)), &got); err != nil {
				t.Fatal(err)
			}
			description, _ := got["description"].(string)
			delete(got, "description")
			kept, err := json.Marshal(got, json.Deterministic(true))
			if err != nil {
				t.Fatal(err)
			}
			if string(kept) != test.kept || !strings.HasSuffix(description, "Must match the JSON Schema `"+test.described+"`.") {
				t.Errorf("kept is %s, described as %q", kept, description)
			}
		})
	}
}

func rewritten(t *testing.T, newer string) string {
	t.Helper()
	schema, err := readJSON([]byte(newer))
	if err != nil {
		t.Fatal(err)
	}
	text, err := write(schema30(schema), nil)
	if err != nil {
		t.Fatal(err)
	}
	sorted := jsontext.Value(text)
	if err := sorted.Format(jsontext.ReorderRawObjects(true)); err != nil {
		t.Fatal(err)
	}
	return sorted.String()
}

// TestAnOperationHasOneResponseForEachStatus tries every setting, in both shapes of errors.
func TestAnOperationHasOneResponseForEachStatus(t *testing.T) {
	t.Parallel()
	type thing struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
		Next *int64 `json:"next" api:"ref=Thing,expand"`
	}
	view := &operation.View{Name: "Viewed", Fields: []string{"id", "name", "next.name"}} // which changes return as well
	for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
		api, err := resource.New(resource.Config{Errors: shape}, resource.Of[thing]{View: view, Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Post{Idempotency: 1e9, Timeout: 1e9},
			operation.Put{RequirePrecondition: true},
			operation.Patch{},
			operation.Delete{},
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range compiled.Of(api).Resources {
			for _, op := range r.Operations {
				names := map[int]string{}
				for _, e := range documentedErrors {
					if status := e.kind.Status(); e.can(op) {
						if other := names[status]; other != "" {
							t.Errorf("%s has the responses %s and %s for %d", op.ID, other, e.name, status)
						}
						names[status] = e.name
					}
				}
			}
		}
	}
}
