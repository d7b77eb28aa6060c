package codec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/codec"
)

type node struct {
	Name string           `json:"name"`
	Next *node            `json:"next"`
	All  []node           `json:"all"`
	By   map[string]*node `json:"by"`
	Any  any              `json:"any"`
}

func TestABodyThatIsNotOneObjectIsASyntaxError(t *testing.T) {
	t.Parallel()
	c := codecOf[node](t)
	for _, test := range []struct{ name, body, detail, pointer string }{
		{"empty", "", "the body is empty", ""},
		{"white space", " \n\t", "the body is empty", ""},
		{"null", "null", "the body must be a JSON object", ""},
		{"an array", `[{"name":"a"}]`, "the body must be a JSON object", ""},
		{"a string", `"name"`, "the body must be a JSON object", ""},
		{"a number", "7", "the body must be a JSON object", ""},
		{"no JSON", "name=a", "the body is not valid JSON at byte 2", ""},
		{"a broken array", "[}", "the body is not valid JSON at byte 2", "/0"},
		{"a byte order mark", "\ufeff{}", "the body is not valid JSON at byte 1", ""},
		{"a trailing comma", `{"name":"a",}`, "the body is not valid JSON at byte 12", ""},
		{"a missing comma", `{"name":"a" "any":1}`, "the body is not valid JSON at byte 13", ""},
		{"a missing colon", `{"name" "a"}`, "the body is not valid JSON at byte 9", "/name"},
		{"a name without quotes", `{name:"a"}`, "the body is not valid JSON at byte 3", ""},
		{"single quotes", `{'name':'a'}`, "the body is not valid JSON at byte 2", ""},
		{"a comment", `{"name":"a"/**/}`, "the body is not valid JSON at byte 12", ""},
		{"a leading zero", `{"any":01}`, "the body is not valid JSON at byte 9", ""},
		{"NaN", `{"any":NaN}`, "the body is not valid JSON at byte 8", "/any"},
		{"a control character", "{\"name\":\"a\nb\"}", "the body is not valid JSON at byte 11", "/name"},
		{"a lone surrogate", `{"name":"\ud800"}`, "the body is not valid JSON at byte 10", "/name"},
		{"cut off", `{"name":"a"`, "the body ends before its JSON object is complete", ""},
		{"cut off in a string", `{"name":"a`, "the body ends before its JSON object is complete", "/name"},
		{"cut off in a list", `{"all":[{"name":"a"}`, "the body ends before its JSON object is complete", "/all"},
		{"a second object", `{"name":"a"}{"name":"b"}`, "the body has more data after its JSON object", ""},
		{"trailing text", `{"name":"a"} x`, "the body has more data after its JSON object", ""},
		{"a trailing brace", `{"name":"a"}}`, "the body has more data after its JSON object", ""},
		{"UTF-8 cut short", "{\"name\":\"\xc3\"}", "the body is not valid UTF-8 at byte 10", "/name"},
		{"Latin 1", "{\"any\":\"caf\xe9\"}", "the body is not valid UTF-8 at byte 12", "/any"},
		{"a field twice", `{"name":"a","name":"b"}`, `the field "name" appears twice`, "/name"},
		{"a field twice, once escaped", `{"name":"a","n\u0061me":"b"}`, `the field "name" appears twice`, "/name"},
		{"a nested field twice", `{"next":{"name":"a","name":"b"}}`, `the field "name" appears twice`, "/next/name"},
		{"a field of a list's element twice", `{"all":[{},{"name":"a","name":"b"}]}`, `the field "name" appears twice`, "/all/1/name"},
		{"an unknown field twice", `{"x":1,"x":1}`, `the field "x" appears twice`, "/x"},
		{"a field twice in any value", `{"any":[{"a":1,"a":2}]}`, `the field "a" appears twice`, "/any/0/a"},
		{"a key of a map twice", `{"by":{"a~b/c":null,"a~b/c":null}}`, `the field "a~b/c" appears twice`, "/by/a~0b~1c"},
		{"a field twice in an unknown one", `{"x":{"a":1,"a":2}}`, `the field "a" appears twice`, "/x/a"},
		{
			"a long name twice", `{"` + strings.Repeat("n", 65) + `":1,"` + strings.Repeat("n", 65) + `":1}`,
			"a field appears twice", "/" + strings.Repeat("n", 65),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := c.Decode([]byte(test.body), c.New(), create)
			found, ok := errors.AsType[*codec.SyntaxError](err)
			if !ok {
				t.Fatalf("Decode(%q) = %v, want a SyntaxError", test.body, err)
			}
			if found.Detail != test.detail || found.Pointer != test.pointer {
				t.Errorf("Decode(%q) = %q at %q, want %q at %q", test.body, found.Detail, found.Pointer, test.detail, test.pointer)
			}
			if err.Error() != test.detail {
				t.Errorf("Error() = %q, want the detail", err)
			}
		})
	}
}

func TestDeepNestingIsASyntaxErrorEverywhere(t *testing.T) {
	t.Parallel()
	c := codecOf[node](t)
	for name, nest := range map[string][2]string{
		"in structs":        {`{"next":`, "}"},
		"in lists":          {`{"all":[`, "]}"},
		"in maps":           {`{"by":{"a":`, "}}"},
		"in any":            {`{"any":`, "}"},
		"in unknown":        {`{"x":`, "}"},
		"in the wrong type": {`{"name":`, "}"},
	} {
		body := strings.Repeat(nest[0], 10_001) + "{}" + strings.Repeat(nest[1], 10_001)
		_, err := c.Decode([]byte(body), c.New(), create)
		found, ok := errors.AsType[*codec.SyntaxError](err)
		if !ok || found.Detail != "the body is nested too deeply" || found.Pointer != "" {
			t.Errorf("%s: %v, want that the body is nested too deeply, and no long pointer", name, err)
		}
	}
}

func TestNestingBelowTheLimitIsReadCopiedAndWritten(t *testing.T) {
	t.Parallel()
	c := codecOf[node](t)
	const depth = 4_900
	body := strings.Repeat(`{"name":"a","all":[`, depth) + strings.Repeat("]}", depth)
	into := new(node)
	wantLines(t, "nested lists", decode(t, c, body, into, create))
	text := encode(t, c, c.Clone(into))
	if got := strings.Count(text, `"name":"a"`); got != depth {
		t.Errorf("%d levels came back, want %d", got, depth)
	}
}

func TestTheCodecGoesOnAfterASyntaxError(t *testing.T) {
	t.Parallel()
	c := codecOf[node](t)
	for range 3 {
		if _, err := c.Decode([]byte(`{"all":[{"next":{"x":1,"name":`), c.New(), create); err == nil {
			t.Fatal("a body that is cut off was taken")
		}
		into := new(node)
		wantLines(t, "after an error", decode(t, c, `{"name":"a"}`, into, create))
		if into.Name != "a" {
			t.Errorf("name is %q, want a", into.Name)
		}
	}
}
