package reference_test

import (
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// ruleTable lists the rules of validate: each with an example, the message for a value that breaks it, and the schema.
func ruleTable(t *testing.T) string {
	t.Helper()
	api, err := resource.New(resource.Config{}, resource.Of[first]{ShortName: "First"}, resource.Of[second]{ShortName: "Second"})
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	missing := check.Fits()
	var rows [][]string
	for path, of := range map[string]reflect.Type{"/api/firsts": reflect.TypeFor[first](), "/api/seconds": reflect.TypeFor[second]()} {
		messages := messagesOf(t, api, path, of)
		properties := document.Components.Schemas[strings.ToUpper(of.Name()[:1])+of.Name()[1:]].Value.Properties
		for rule, tag := range rulesOf(of) {
			if _, known := missing[rule]; !known {
				t.Errorf("there is no rule %s", rule)
			}
			delete(missing, rule)
			if messages[rule] == "" {
				t.Errorf("the value of %s breaks no rule", rule)
			}
			rows = append(rows, []string{code(tag), strings.TrimPrefix(messages[rule], rule+" "), code(keywords(t, properties[rule].Value))})
		}
	}
	if len(missing) > 0 {
		t.Errorf("these rules have no example: %v", slices.Sorted(maps.Keys(missing)))
	}
	slices.SortFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return table([]string{"Rule", "Message", "Schema"}, rows)
}

// rulesOf yields the rules of a struct's fields, with their tags.
func rulesOf(of reflect.Type) iter.Seq2[string, string] {
	return func(yield func(rule, tag string) bool) {
		for field := range of.Fields() {
			if tag := field.Tag.Get("validate"); tag != "" && !yield(field.Tag.Get("json"), tag) {
				return
			}
		}
	}
}

// messagesOf sends the values that break the rules, and returns the message for each field.
func messagesOf(t *testing.T, api http.Handler, path string, of reflect.Type) map[string]string {
	t.Helper()
	body := `{"word":"x","five":5,"country":"DE"`
	for field := range of.Fields() {
		if bad := field.Tag.Get("bad"); bad != "" {
			body += `,"` + field.Tag.Get("json") + `":` + bad
		}
	}
	var problem struct {
		Errors map[string]string `json:"errors"`
	}
	if err := json.Unmarshal(send(t.Context(), api, http.MethodPost, path, body+"}"), &problem); err != nil {
		t.Fatal(err)
	}
	return problem.Errors
}

// keywords returns what a schema says of a rule: all but the type and what the comment repeats.
func keywords(t *testing.T, schema *openapi3.Schema) string {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"type", "description", "items", "examples", "contentEncoding"} {
		delete(all, key)
	}
	if all["format"] == "int64" || all["format"] == "double" { // of the type
		delete(all, "format")
	}
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(all); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}
