package openapi

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// minimal is a document that kin-openapi does not keep whole.
const minimal = `{"openapi":"3.1.1","info":{"title":"T","version":"1"},"security":[],"paths":{},"components":{"schemas":{` +
	`"Large":{"const":9007199254740993,"example":{"b":1.50,"a":[]}},"Open":{"properties":{}}}}}`

// changed returns what is written of a document that a function changes, and what kin-openapi writes of it.
func changed(t *testing.T, text string, change func(*openapi3.T)) (got, want string, err error) {
	t.Helper()
	doc, err := load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	before, err := contentOf(doc)
	if err != nil {
		t.Fatal(err)
	}
	change(doc)
	after, err := contentOf(doc)
	if err != nil {
		return "", "", err
	}
	whole, err := readJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := write(after, nil)
	if err != nil {
		t.Fatal(err)
	}
	written, err := write(merge(whole, before, after), nil)
	return canonical(t, written), canonical(t, wanted), err
}

func TestHooksChangeNothingElse(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change   func(*openapi3.T)
		old, new string
	}{
		"a hook without a change": {func(*openapi3.T) {}, "", ""},
		"a title":                 {func(doc *openapi3.T) { doc.Info.Title = "U" }, `"title":"T"`, `"title":"U"`},
		"a description beside a large number": {
			func(doc *openapi3.T) { doc.Components.Schemas["Large"].Value.Description = "D" }, `"example":{`, `"description":"D","example":{`,
		},
		"a member of an example": {
			func(doc *openapi3.T) { doc.Components.Schemas["Large"].Value.Example.(map[string]any)["c"] = true }, `1.50,"a":[]`, `1.50,"a":[],"c":true`,
		},
		"a schema that goes": {func(doc *openapi3.T) { delete(doc.Components.Schemas, "Open") }, `,"Open":{"properties":{}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := changed(t, minimal, test.change)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(canonical(t, []byte(strings.Replace(minimal, test.old, test.new, 1))), got); diff != "" {
				t.Errorf("the document differs (-want +got):\n%s", diff)
			}
		})
	}
}

// sameJSON compares what is written of a part of a document with what kin-openapi's MarshalJSON gives.
func sameJSON(t *testing.T, put func(*openapi3.T)) {
	t.Helper()
	got, want, err := changed(t, `{"openapi":"3.1.1","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"Other":{"type":"string"}}}}`, put)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the JSON differs (-kin-openapi +written):\n%s", diff)
	}
}

func TestEveryKeywordIsWrittenAsKinOpenAPIDoes(t *testing.T) {
	t.Parallel()
	of := reflect.TypeFor[openapi3.Schema]()
	for i := range of.NumField() {
		field := of.Field(i)
		t.Run(field.Name, func(t *testing.T) {
			t.Parallel()
			schema := &openapi3.Schema{Description: "A schema."}
			for _, value := range valuesOf(field.Type) {
				reflect.ValueOf(schema).Elem().Field(i).Set(value)
				sameJSON(t, func(doc *openapi3.T) { doc.Components.Schemas["One"] = openapi3.NewSchemaRef("", schema) })
			}
		})
	}
}

// valuesOf returns values of the type of a schema's field: none, empty ones and others.
func valuesOf(t reflect.Type) []reflect.Value {
	inner := openapi3.NewSchemaRef("", openapi3.NewStringSchema())
	values := []reflect.Value{reflect.Zero(t)}
	for _, value := range []any{
		"", "text <&>", true, uint64(3), new(true), new(uint64(3)), new(0.5), new(-3.0), new(1e30), 1.5, int64(7), nil,
		inner,
		openapi3.SchemaRefs{},
		openapi3.SchemaRefs{inner, openapi3.NewSchemaRef("#/components/schemas/A", nil)},
		openapi3.Schemas{},
		openapi3.Schemas{"b": inner, "a": inner},
		&openapi3.Types{}, &openapi3.Types{"string"}, &openapi3.Types{"string", "null"},
		openapi3.ExclusiveBound{Value: new(2.5)},
		openapi3.ExclusiveBound{Bool: new(true)},
		openapi3.BoolSchema{Has: new(false)},
		openapi3.BoolSchema{Schema: inner},
		&openapi3.ExternalDocs{URL: "https://example.org"}, &openapi3.XML{Name: "x"}, &openapi3.Discriminator{PropertyName: "kind"},
		[]any{},
		[]any{"b", int64(1), nil, map[string]any{"y": 1, "x": []int{2}}},
		[]string{"b", "a"},
		map[string][]string{"b": {"c"}},
		map[string]any{"x-b": 1, "x-a": struct{ B, A int }{1, 2}},
	} {
		if v := reflect.ValueOf(value); value != nil && v.Type().AssignableTo(t) {
			values = append(values, v)
		}
	}
	return values
}

func TestPartsAreWrittenAsKinOpenAPIDoes(t *testing.T) {
	t.Parallel()
	described := openapi3.NewSchemaRef("", nil)
	if err := described.UnmarshalJSON([]byte(`{"$ref":"#/components/schemas/A","description":"Beside it.","minimum":1}`)); err != nil {
		t.Fatal(err)
	}
	tests := map[string]any{
		"a document without anything":  &openapi3.T{},
		"a reference with siblings":    described,
		"a schema that allows nothing": openapi3.NewSchemaRef("", &openapi3.Schema{Always: new(false)}),
		"text that is not UTF-8":       &openapi3.Tag{Name: "a\xffb\xfe\xfdc \u2028"},
		"a security requirement":       &openapi3.Operation{Security: openapi3.NewSecurityRequirements().With(openapi3.NewSecurityRequirement().Authenticate("key"))},
		"no security at all":           &openapi3.Operation{Security: openapi3.NewSecurityRequirements()},
		"servers with variables": &openapi3.T{Servers: openapi3.Servers{{
			URL: "https://{region}.example.org", Variables: map[string]*openapi3.ServerVariable{"region": {Default: "eu", Enum: []string{"eu", "us"}}},
		}}},
		"callbacks, links and encodings": &openapi3.Components{
			Callbacks:     openapi3.Callbacks{"done": {Value: openapi3.NewCallback(openapi3.WithCallback("{$url}", &openapi3.PathItem{Summary: "Done"}))}},
			Links:         openapi3.Links{"next": {Value: &openapi3.Link{OperationID: "list", Parameters: map[string]any{"page": 2}}}},
			RequestBodies: openapi3.RequestBodies{"form": {Value: openapi3.NewRequestBody().WithContent(openapi3.Content{"a/b": {Encoding: map[string]*openapi3.Encoding{"x": {ContentType: "c/d"}}}})}},
			SecuritySchemes: openapi3.SecuritySchemes{"oauth": {Value: &openapi3.SecurityScheme{Type: "oauth2", Flows: &openapi3.OAuthFlows{
				Implicit: &openapi3.OAuthFlow{AuthorizationURL: "https://example.org", Scopes: map[string]string{"b": "B", "a": "A"}},
			}}}},
			Examples: openapi3.Examples{"one": {Value: &openapi3.Example{Value: map[string]any{"b": 1e-7, "a": float32(0.1)}}}},
		},
	}
	for name, part := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sameJSON(t, func(doc *openapi3.T) { doc.Extensions = map[string]any{"x-part": part} })
		})
	}
}

func TestValuesWithoutJSONAreErrors(t *testing.T) {
	t.Parallel()
	endless := map[string]any{}
	endless["x-again"] = []any{endless}
	for name, value := range map[string]any{
		"no number": math.NaN(), "a function": func() {}, "a channel": make(chan int), "infinity inside": map[string]any{"a": []any{math.Inf(1)}},
		"what holds itself": endless,
	} {
		put := func(doc *openapi3.T) { doc.Extensions = map[string]any{"x-value": value} }
		if text, _, err := changed(t, minimal, put); err == nil {
			t.Errorf("%s is written as %.100s", name, text)
		}
	}
}
