package openapi

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestMembersAreInOrder(t *testing.T) {
	t.Parallel()
	o := newOrder()
	o.paths.add("/b", "/a")
	o.responses.add("Good", "Bad")
	o.addSchema("Zoo", "name", "animals")
	o.addSchema("Ape", "name", "age", "animals")
	tests := map[string]struct{ value, want string }{
		"the root as people read it": {
			`{"components":{},"info":{},"openapi":"3.1.1","paths":{},"x-own":1}`,
			`{"openapi":"3.1.1","info":{},"paths":{},"components":{},"x-own":1}`,
		},
		"paths as declared, unknown ones last": {
			`{"paths":{"/0":{},"/a":{},"/b":{}}}`,
			`{"paths":{"/b":{},"/a":{},"/0":{}}}`,
		},
		"methods as people think of them": {
			`{"paths":{"/a":{"delete":{},"get":{},"patch":{},"post":{},"put":{}}}}`,
			`{"paths":{"/a":{"get":{},"post":{},"put":{},"patch":{},"delete":{}}}}`,
		},
		"statuses upwards": {
			`{"paths":{"/a":{"get":{"responses":{"200":{},"404":{},"default":{}}}}}}`,
			`{"paths":{"/a":{"get":{"responses":{"200":{},"404":{},"default":{}}}}}}`,
		},
		"the usual media type of a patch first": {
			`{"paths":{"/a":{"patch":{"requestBody":{"content":{"application/json":{},"application/merge-patch+json":{}}}}}}}`,
			`{"paths":{"/a":{"patch":{"requestBody":{"content":{"application/merge-patch+json":{},"application/json":{}}}}}}}`,
		},
		"schemas and responses as declared": {
			`{"components":{"responses":{"Bad":{},"Good":{}},"schemas":{"Ape":{},"Extra":{},"Zoo":{}}}}`,
			`{"components":{"schemas":{"Zoo":{},"Ape":{},"Extra":{}},"responses":{"Good":{},"Bad":{}}}}`,
		},
		"properties in the order of fields": {
			`{"components":{"schemas":{"Zoo":{"properties":{"animals":{},"extra":{},"name":{}},"type":"object"}}}}`,
			`{"components":{"schemas":{"Zoo":{"type":"object","properties":{"name":{},"animals":{},"extra":{}}}}}}`,
		},
		"a property called like a keyword is none": {
			`{"components":{"schemas":{"Zoo":{"properties":{"default":{"description":"d","type":"string"},"example":{}}}}}}`,
			`{"components":{"schemas":{"Zoo":{"properties":{"default":{"type":"string","description":"d"},"example":{}}}}}}`,
		},
		"examples like the schema that fits best": {
			`{"example":{"animals":[{"age":3,"animals":[],"name":"Bo"}],"name":"Zoo"}}`,
			`{"example":{"name":"Zoo","animals":[{"name":"Bo","age":3,"animals":[]}]}}`,
		},
		"examples of nothing known by name": {
			`{"example":{"type":"b","name":"c","format":"a"}}`,
			`{"example":{"format":"a","name":"c","type":"b"}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			written, err := rewrittenIn(o, test.value)
			if err != nil {
				t.Fatal(err)
			}
			got := jsontext.Value(written)
			if err := got.Compact(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got.String()); diff != "" {
				t.Errorf("the order differs (-want +got):\n%s", diff)
			}
		})
	}
}

// rewrittenIn writes JSON in an order.
func rewrittenIn(o *order, text string) ([]byte, error) {
	value, err := readJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	return o.write(value)
}

func TestWhatIsNotJSONIsAnError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{`, `{"a":`, `{"a":1,}`, `[1,`, `[`, `tru`, `{"a":[1,{]}`} {
		if got, err := rewrittenIn(newOrder(), text); err == nil {
			t.Errorf("%s is written as %s", text, got)
		}
		if _, err := writeYAML([]byte(text)); err == nil {
			t.Errorf("%s is written as YAML", text)
		}
	}
}

func FuzzOrderLosesNothing(f *testing.F) {
	f.Add([]byte(`{"paths":{"/a":{"get":{"example":{"b":[1,{"c":null}]}}}},"openapi":"3"}`))
	f.Add([]byte(`[{"b":1,"a":"\u2028"},-0.5e-7,true]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		value := jsontext.Value(text)
		if !value.IsValid() {
			t.Skip("not JSON")
		}
		got, err := rewrittenIn(newOrder(), string(text))
		if err != nil {
			t.Fatal(err)
		}
		arranged, original := jsontext.Value(got), value.Clone()
		if arranged.Canonicalize() != nil || original.Canonicalize() != nil {
			t.Skip("has no canonical form")
		}
		if diff := cmp.Diff(string(original), string(arranged)); diff != "" {
			t.Errorf("values differ (-original +arranged):\n%s", diff)
		}
	})
}
