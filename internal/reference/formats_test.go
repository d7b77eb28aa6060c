package reference_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// formatMeanings are the formats of documents that no specification defines, without those with the name of a rule.
var formatMeanings = map[string]string{
	"compared":        "A rule such as `gtfield` compares the value with another field.",
	"conditional":     "A rule such as `required_if` depends on other fields.",
	"conditions":      "Of an object: a rule depends on several fields, such as `required_if`, or on the record as it is.",
	"created":         "The field is `createonly`: a change must have the current value.",
	"cursor":          "A parameter: the `cursor` of a link to another page, or empty for the first one.",
	"entity-tags":     "A header field: the ETag of a response, or `*`.",
	"existing":        "The value refers to a record, which must exist and be visible to the caller.",
	"filter":          "A tree of conditions: a request has at most `Config.MaxFilterNodes`.",
	"future":          "The time must be in the future (`gt` without a parameter).",
	"identifier":      "The body names the record by it.",
	"merged":          "Of a part of a merge patch: the rules apply to the result.",
	"past":            "The time must be in the past (`lt` without a parameter).",
	"path-identifier": "The value must equal the identifier in the path.",
}

// standardFormats are formats of JSON Schema and OpenAPI.
var standardFormats = []string{"int64", "double", "date-time", "uri-reference", "iri-reference"}

// folder has a field for each format.
type folder struct {
	Key    string            `json:"key" api:"id"`
	Begin  time.Time         `json:"begin"`
	Due    time.Time         `json:"due" validate:"gt"`
	Since  time.Time         `json:"since" validate:"lt"`
	End    time.Time         `json:"end" validate:"gtfield=Begin"`
	Kind   string            `json:"kind" api:"createonly"`
	Reason string            `json:"reason" validate:"required_if=Kind other"`
	Above  *string           `json:"above" api:"ref=Folder"`
	Labels map[string]string `json:"labels" validate:"max=5"`
}

// formatTable lists the formats in the document of an API that has them all.
func formatTable(t *testing.T) string {
	t.Helper()
	api, err := resource.New(resource.Config{}, resource.Of[folder]{ShortName: "Folder", Operations: append(operation.Standard(),
		operation.Patch{Name: "change", URITemplate: "/folders", Handler: operation.Handle(changeFolders)})})
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	var all any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	collectFormats(all, found)
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if slices.Contains(standardFormats, name) {
			continue
		}
		if formatMeanings[name] == "" {
			t.Errorf("the format %q is not explained", name)
		}
		rows = append(rows, []string{code(name), formatMeanings[name]})
	}
	if len(rows) != len(formatMeanings) {
		t.Errorf("the document has the formats %v, want those of %v", slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(formatMeanings)))
	}
	return table([]string{"Format", "Meaning"}, rows)
}

func changeFolders(context.Context, *folder, []operation.PatchOf[folder]) (int, error) { return 0, nil }

// collectFormats adds the formats in a part of a document.
func collectFormats(part any, found map[string]bool) {
	switch v := part.(type) {
	case map[string]any:
		if name, ok := v["format"].(string); ok {
			found[name] = true
		}
		for _, inner := range v {
			collectFormats(inner, found)
		}
	case []any:
		for _, inner := range v {
			collectFormats(inner, found)
		}
	}
}
