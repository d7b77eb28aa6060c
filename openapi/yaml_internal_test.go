package openapi

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	yaml "github.com/oasdiff/yaml3"
)

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
