package openapi

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

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
