package openapi_test

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

func TestASparseAnswerRequiresTheIdentifierAlone(t *testing.T) {
	t.Parallel()
	document := documentOf(t, relics(t))
	if got := document.at(t, "components", "schemas", "RelicSparse", "required"); len(got.([]any)) != 1 || got.([]any)[0] != "id" {
		t.Errorf("RelicSparse requires %v", got)
	}
	whole := document.at(t, "components", "schemas", "Relic", "required").([]any)
	if len(whole) != 18 {
		t.Errorf("Relic, which Post answers with, requires %v", whole)
	}
}

func TestAnswersOfCollectionsAreDescribed(t *testing.T) {
	t.Parallel()
	answer := tree(documentOf(t, relics(t)).at(t, "paths", relicsPath, "get", "responses", "200").(map[string]any))
	if got := slices.Sorted(maps.Keys(answer.at(t, "content").(map[string]any))); !slices.Equal(got, []string{"application/json", "application/x-ndjson"}) {
		t.Errorf("the media types are %v", got)
	}
	text := answer.at(t, "content", "application/x-ndjson", "example").(string)
	lines := strings.SplitAfter(text, "\n")
	if len(lines) != 3 || lines[2] != "" {
		t.Fatalf("the example of a stream is %q, want two lines", text)
	}
	for i, line := range lines[:2] {
		var relic Relic
		if err := json.Unmarshal([]byte(line), &relic); err != nil || relic.ID != int64(i+1) || !strings.HasPrefix(line, `{"id":`) {
			t.Errorf("a line of the example is %q (%v)", line, err)
		}
	}
}

// TestHeadersOfPagesAreThoseThatAreSent compares what is documented with what the service
// sends, for each way to turn pages.
func TestHeadersOfPagesAreThoseThatAreSent(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pagination operation.Pagination
		queries    []string
		want       []string
	}{
		"by number":                        {operation.Pagination{}, []string{""}, []string{"ETag", "Link", "X-Total-Count"}},
		"by cursor":                        {operation.Pagination{ViaCursor: new(true)}, []string{"", "?cursor="}, []string{"ETag", "Link"}},
		"by cursor or as a whole":          {operation.Pagination{ViaCursor: new(true), ClientEnabled: new(true)}, []string{"", "?pagination=false"}, []string{"ETag", "Link", "X-Total-Count"}},
		"a collection without pages":       {operation.Pagination{Enabled: new(false)}, []string{""}, []string{"ETag", "X-Total-Count"}},
		"where clients may leave them out": {operation.Pagination{ClientPartial: new(true)}, []string{"", "?partial=true"}, []string{"ETag", "Link", "X-Total-Count"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := mounted(t, resource.Of[Category]{Operations: []operation.Operation{operation.GetCollection{Pagination: test.pagination}}})
			answer := tree(documentOf(t, api).at(t, "paths", "/api/categories", "get", "responses", "200").(map[string]any))
			documented := slices.Sorted(maps.Keys(answer.at(t, "headers").(map[string]any)))
			if !slices.Equal(documented, test.want) {
				t.Errorf("documented are %v, want %v", documented, test.want)
			}
			var sent []string
			for _, query := range test.queries {
				header := get(t, api, "/api/categories"+query).Header()
				for _, field := range []string{"ETag", "Link", "X-Total-Count"} {
					if header.Get(field) != "" && !slices.Contains(sent, field) {
						sent = append(sent, field)
					}
				}
			}
			if slices.Sort(sent); !slices.Equal(sent, test.want) {
				t.Errorf("sent are %v, want %v", sent, test.want)
			}
		})
	}
}

// TestDescriptionsSayWhatTakesPrecedence reads the sentences on parameters that say
// different things.
func TestDescriptionsSayWhatTakesPrecedence(t *testing.T) {
	t.Parallel()
	described := map[string]string{}
	for _, p := range list(documentOf(t, relics(t)).at(t, "paths", relicsPath, "get", "parameters")) {
		described[p["name"].(string)], _ = p["description"].(string)
	}
	for name, want := range map[string]string{
		"page":          "Ignored with `cursor` and by streams.",
		"itemsPerPage":  "Ignored by streams.",
		"pagination":    "takes precedence over all paging parameters",
		"partial":       "Ignored with `cursor` and by streams.",
		"cursor":        "Takes precedence over `page`. Unless empty, it includes the sort order: `sort` and `order[…]` are ignored.",
		"sort":          "Takes precedence over `order[…]`.",
		"order[name]":   "Ignored with `sort`.",
		"open":          "`open` equals the value.",
		"metal":         "`metal` equals one of the values.",
		"metal[ne]":     "`metal` equals none of the values.",
		"ref[ne]":       "Null matches, too.",
		"size[between]": "written `low..high`",
		"limit":         "How many wishes.",
		"unit":          "Unit.",
	} {
		if !strings.Contains(described[name], want) {
			t.Errorf("%s is described as %q, want %q in it", name, described[name], want)
		}
	}
	for name, text := range described {
		if !strings.HasSuffix(text, ".") {
			t.Errorf("%s is described as %q, want sentences", name, text)
		}
	}
}

// Span are parameters with rules over several of them.
type Span struct {
	From  time.Time `json:"from" validate:"required"`
	Until time.Time `json:"until" validate:"omitempty,gtfield=From"`
	Depth int       `json:"depth" default:"2" example:"7" doc:"How deep to look"`
	Trace string    `json:"X-Trace" api:"header" validate:"required_with=Depth"`
}

// Walk are parameters with a rule over all of them.
type Walk struct {
	Steps int `json:"steps"`
}

func TestOwnParametersAreDescribedAsMembersAre(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{
		config: resource.Config{Rules: []validation.Rule{validation.Struct(func(context.Context, *Walk) error { return nil })}},
		declarations: []resource.Declaration{resource.Of[Category]{Operations: []operation.Operation{
			operation.Get{Parameters: operation.Parameters[Span]{}},
			operation.Delete{Parameters: operation.Parameters[Walk]{}},
		}}},
	})
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	got := list(documentOf(t, api).at(t, "paths", "/api/categories/{id}", "get", "parameters"))[1:5]
	want := []map[string]any{
		{"name": "from", "in": "query", "description": "From.", "required": true, "example": "2026-01-15T09:30:00Z", "schema": map[string]any{"type": "string", "format": "date-time"}},
		{"name": "until", "in": "query", "description": "Must be after from.", "schema": map[string]any{"type": "string", "format": "compared"}},
		{"name": "depth", "in": "query", "description": "How deep to look", "example": 7.0, "schema": map[string]any{"type": "integer", "format": "int64", "default": 2.0}},
		{"name": "X-Trace", "in": "header", "description": "Required if depth is present.", "example": "X- trace", "schema": map[string]any{"type": "string", "format": "conditional"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the parameters differ (-want +got):\n%s", diff)
	}
	steps := list(documentOf(t, api).at(t, "paths", "/api/categories/{id}", "delete", "parameters"))[1]
	if got := steps["schema"].(map[string]any)["format"]; got != "conditions" {
		t.Errorf("a parameter of a struct with a rule over it has the format %v", got)
	}
}

// TestUnknownParametersAreRejectedWithTheDocumentedOnes compares the allowed parameters that an error lists.
func TestUnknownParametersAreRejectedWithTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	api := relics(t)
	var documented []string
	for _, p := range list(documentOf(t, api).at(t, "paths", relicsPath, "get", "parameters")) {
		if p["in"] == "query" {
			documented = append(documented, p["name"].(string))
		}
	}
	var problem struct {
		Allowed []string `json:"allowed"`
	}
	w := get(t, api, relicsPath+"?colour=red")
	if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil || w.Code != http.StatusBadRequest {
		t.Fatalf("%d %s (%v)", w.Code, w.Body, err)
	}
	if diff := cmp.Diff(documented, problem.Allowed); diff != "" {
		t.Errorf("the service allows other parameters than the document has, or in another order (-document +service):\n%s", diff)
	}
}
