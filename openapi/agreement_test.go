package openapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/resource"
)

// probes are values that some types and rules accept and others reject.
var probes = []string{
	`null`, `true`, `false`, `0`, `1`, `-1`, `2`, `2.0`, `1e1`, `2.5`, `0.5`, `1.5`, `7`, `100`, `128`, `-129`, `65536`, `5e9`, `1e30`, `-180`, `181`,
	`""`, `" "`, `"\u00a0\u2003"`, `"\u200b"`, `"a"`, `"A"`, `"ab"`, `"AB"`, `"aB1"`, `"abc"`, `"abc def"`, `"on"`, `"off"`, `"red"`, `"light blue"`, `"5"`,
	`"UP"`, `"tO"`, `"A+B"`, `"äöü"`, `"日本語"`, `"x"`, `"xy"`, `"<b>"`, `"!"`, `"a-b"`, `"]"`, `"$"`, `"@"`, `"a.bc"`, `"axbc"`, `"A-Z"`, `"A--Z"`,
	`"12"`, `"-1.5"`, `"+1"`, `"1."`, `"0x1F"`, `"1g"`, `"true"`, `"TRUE"`, `"yes"`, `"line\nbreak"`, `"a\n"`, `"\ud83d\ude00\ud83d\ude00\ud83d\ude00"`,
	`"name@example.com"`, `"name@"`, `"example.com"`, `"https://example.com/a?b#c"`, `"HTTP://example.com"`, `"/path"`, `"mailto:a@example.com"`, `"http://"`,
	`"192.0.2.1"`, `"192.0.2.256"`, `"2001:db8::1"`, `"01890a5d-ac96-774b-bcce-b302099a8057"`, `"01890A5D-AC96-774B-BCCE-B302099A8057"`, `"01890a5d"`,
	`"2026-02-28"`, `"2026-02-30"`, `"2026-02-28T10:00:00Z"`, `"2026-02-28T10:00:00+02:00"`, `"2026-02-28 10:00:00Z"`, `"15h04"`,
	`"#abc"`, `"#abcde"`, `"#AABBCCDD"`, `"+4930901820"`, `"030"`, `"90.0"`, `"90.1"`, `"52.5"`, `"DE"`, `"ZZ"`, `"{}"`, `"{"`, `"4111111111111111"`, `"Europe/Berlin"`,
	`"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`, `"aGVsbG8="`, `"aGVsbG8"`, `"aGVs bG8="`,
	`[]`, `[1]`, `[1,1]`, `[1,2,3,4]`, `[0]`, `[null]`, `["a"]`, `[["a"]]`, `[["ab"]]`, `[["a"],["a","b","c"]]`, `[""]`, `["a@example.com"]`, `[1,2]`, `[1.5,2]`,
	`{}`, `{"a":1}`, `{"a":2}`, `{"a":null}`, `{"A":1}`, `{"a":"b"}`, `{"street":"Main"}`, `{"street":" "}`, `{"street":"Main","town":"x"}`, `{"to":1}`, `{"to":"x"}`,
}

// known are the formats that a JSON Schema judge asserts, or that are about width alone.
// Any other one marks what keywords cannot say.
var known = []string{
	"", "int32", "int64", "uint64", "float", "double", "date", "date-time", "email", "ipv4", "ipv6", "uri", "uri-reference", "uuid",
}

// TestTheServiceFollowsTheDocument sends values to single fields. The service must accept exactly the values that the
// schema allows. If a format of Trove marks a rule that keywords cannot express, it may reject more.
func TestTheServiceFollowsTheDocument(t *testing.T) {
	t.Parallel()
	declarations := map[string]resource.Declaration{
		"Texts": resource.Of[Texts]{}, "Values": resource.Of[Values]{}, "Order": resource.Of[Order]{}, "Category": resource.Of[Category]{},
		"DragonTreasure": resource.Of[DragonTreasure]{}, "MoreTexts": resource.Of[MoreTexts]{}, "Pairs": resource.Of[Pairs]{},
	}
	for name, declaration := range declarations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := mounted(t, declaration)
			for _, m := range measure(t, api, name) {
				for _, probe := range sampled(4, probes) {
					m.compare(t, api, probe)
				}
			}
		})
	}
}

// measured is a field of a stored record to which tests send values.
type measured struct {
	path, name string
	schema     *jsonschema.Schema // in a merge patch
	exact      bool               // keywords say everything
}

// measure creates a record of a resource from the document's example, and returns its fields.
func measure(tb testing.TB, api http.Handler, name string) []measured {
	tb.Helper()
	document := documentOf(tb, api)
	path := create(tb, api, document, name)
	object := tree(document.at(tb, "components", "schemas", name+"Patch").(map[string]any))
	var list []measured
	for member, schema := range object.at(tb, "properties").(map[string]any) {
		list = append(list, measured{
			path: path, name: member,
			schema: document.schemaAt(tb, "/components/schemas/"+name+"Patch/properties/"+member),
			exact:  object["format"] == nil && isExact(schema),
		})
	}
	return list
}

// create sends the example of a body and returns the path of what it made.
func create(tb testing.TB, api http.Handler, document tree, name string) string {
	tb.Helper()
	for path, item := range document.at(tb, "paths").(map[string]any) {
		post, ok := item.(map[string]any)["post"].(map[string]any)
		if !ok || post["operationId"] != "create"+name {
			continue
		}
		example := tree(post).at(tb, "requestBody", "content", "application/json", "example")
		body, err := json.Marshal(example)
		if err != nil {
			tb.Fatal(err)
		}
		w := send(tb, api, http.MethodPost, path, string(body))
		if w.Code != http.StatusCreated {
			tb.Fatalf("the example %s of POST %s is answered %d: %s", body, path, w.Code, w.Body)
		}
		return w.Header().Get("Location")
	}
	tb.Fatalf("no operation creates a %s", name)
	return ""
}

// compare sends a value to the field, and compares the service with the schema.
func (m measured) compare(t *testing.T, api http.Handler, probe string) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(probe))
	if err != nil {
		t.Fatal(err)
	}
	described := m.schema.Validate(value)
	w := send(t, api, http.MethodPatch, m.path, fmt.Sprintf(`{%q:%s}`, m.name, probe))
	switch accepted := w.Code == http.StatusOK; {
	case !accepted && w.Code != http.StatusBadRequest:
		t.Errorf("%s = %s gets %d: %s", m.name, probe, w.Code, w.Body)
	case accepted && described != nil:
		t.Errorf("%s = %s is accepted, but its schema refuses it: %v", m.name, probe, described)
	case !accepted && described == nil && m.exact:
		t.Errorf("%s = %s is refused, but its schema allows it: %s", m.name, probe, w.Body)
	}
}

// isExact reports whether keywords say all about a schema.
func isExact(schema any) bool {
	switch node := schema.(type) {
	case []any:
		return !slices.ContainsFunc(node, func(element any) bool { return !isExact(element) })
	case map[string]any:
		format, _ := node["format"].(string)
		if !slices.Contains(known, format) {
			return false
		}
		for _, inner := range node {
			if !isExact(inner) {
				return false
			}
		}
	}
	return true
}

// list returns the objects of an array.
func list(array any) []map[string]any {
	elements, _ := array.([]any)
	var objects []map[string]any
	for _, element := range elements {
		if object, ok := element.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}
