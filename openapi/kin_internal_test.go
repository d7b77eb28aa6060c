package openapi

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/schema"
)

// TestSchemasAreWhatKinOpenAPIReads writes schemas in kin-openapi's types, which must then be
// what it reads of their JSON.
func TestSchemasAreWhatKinOpenAPIReads(t *testing.T) {
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
		made, err := kinRef(of)
		if err != nil {
			t.Fatal(err)
		}
		var read openapi3.SchemaRef
		if err := read.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(canonical(t, &read), canonical(t, made)); diff != "" {
			t.Errorf("%s differs (-read +made):\n%s", text, diff)
		}
	}
}

func canonical(t *testing.T, ref *openapi3.SchemaRef) string {
	t.Helper()
	text, err := ref.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	value := jsontext.Value(text)
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
		made, err := kinRef(test.of)
		if err != nil {
			t.Fatal(err)
		}
		if got := canonical(t, made); test.want != got {
			t.Errorf("%s is written as %s", test.want, got)
		}
	}
}
